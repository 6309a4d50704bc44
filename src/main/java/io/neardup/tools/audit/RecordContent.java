package io.neardup.tools.audit;

import java.util.ArrayList;
import java.util.List;

/**
 * What a record is recognised by when it comes out again: hashes of 64 bits of its parts, and its timestamp.
 *
 * @param key 0 where there is none
 * @param value 0 where there is none
 * @param headers without those that the service adds
 * @param timestamp milliseconds since 1970; 0 where it is not compared, or the record has none
 */
record RecordContent(long key, long value, long headers, long timestamp) {

    /** How many of the four parts are the same. */
    int partsShared(RecordContent other) {
        return 4 - differences(other).size();
    }

    /** The names of the parts that differ. */
    List<String> differences(RecordContent other) {
        List<String> parts = new ArrayList<>();
        addIf(key != other.key, "key", parts);
        addIf(value != other.value, "value", parts);
        addIf(headers != other.headers, "headers", parts);
        addIf(timestamp != other.timestamp, "timestamp", parts);
        return parts;
    }

    private static void addIf(boolean differs, String part, List<String> parts) {
        if (differs) {
            parts.add(part);
        }
    }
}
