package io.neardup.engine.protocol;

import org.jspecify.annotations.Nullable;

/**
 * What the record of a document says beside its text.
 *
 * @param key null for a record without one
 * @param timestampMillis event time, at least 0
 * @param source its name in the index that it was taken over from; null for a document that this index has met itself
 */
public record Origin(
        @Nullable RecordKey key,
        long timestampMillis,
        @Nullable DocumentRef source) {
    // Not the compact form: javac 17 leaves its parameters' annotations out of the class file.
    public Origin(@Nullable RecordKey key, long timestampMillis, @Nullable DocumentRef source) {
        this.key = key;
        this.timestampMillis = timestampMillis;
        this.source = source;
    }

    public Origin(@Nullable RecordKey key, long timestampMillis) {
        this(key, timestampMillis, null);
    }
}
