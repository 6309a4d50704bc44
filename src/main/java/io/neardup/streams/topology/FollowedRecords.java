package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Followed;
import io.neardup.engine.protocol.Followed.Completed;
import io.neardup.record.InputRecord;
import io.neardup.record.RecordHeader;
import io.neardup.streams.input.Takeover;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * What is followed of another index on its way to the coordinators: the values of its changelog of originals as they
 * are, with a header that names the original; no value where it is none any more. Behind the last comes the end, which
 * says where the input begins.
 */
public final class FollowedRecords {
    private static final String ORIGINAL = "neardup.followed.original";
    private static final String REPEATED = "neardup.followed.repeated";
    private static final String SPREAD = "neardup.followed.spread";
    private static final String EVENT = "neardup.followed.event";
    private static final String START = "neardup.followed.start.";

    private FollowedRecords() {}

    /** An original, or that it is none any more. */
    static Record<Routed, byte[]> original(Record<byte[], byte[]> record, DocumentRef source, int coordinator) {
        return toCoordinator(record, ORIGINAL, source, coordinator);
    }

    /** When an original was last repeated. */
    static Record<Routed, byte[]> repeated(Record<byte[], byte[]> record, DocumentRef source, int coordinator) {
        return toCoordinator(record, REPEATED, source, coordinator);
    }

    private static Record<Routed, byte[]> toCoordinator(
            Record<byte[], byte[]> record, String header, DocumentRef source, int coordinator) {
        Headers headers =
                new RecordHeaders().add(header, (source.coordinator() + "/" + source.sequence()).getBytes(UTF_8));
        return new Record<>(new Routed(coordinator, null), record.value(), record.timestamp(), headers);
    }

    /** The end of what is followed, for one coordinator. */
    public static ProducerRecord<byte[], byte[]> end(String seeds, int coordinator, String topic, Takeover takeover) {
        Headers headers = new RecordHeaders();
        takeover.starts(coordinator)
                .forEach((input, offset) ->
                        headers.add(START + input, String.valueOf(offset).getBytes(UTF_8)));
        headers.add(EVENT, String.valueOf(takeover.eventMillis(coordinator)).getBytes(UTF_8));
        headers.add(SPREAD, String.valueOf(takeover.isSpread()).getBytes(UTF_8));
        return SeedRecords.end(seeds, coordinator, topic, headers);
    }

    /** The original that a record is of, by its name in the index that is followed; null where it is of none. */
    static @Nullable DocumentRef sourceOfOriginal(InputRecord carried) {
        return source(carried, ORIGINAL);
    }

    /** As {@link #sourceOfOriginal}, where the record says when it was repeated. */
    static @Nullable DocumentRef sourceOfRepeated(InputRecord carried) {
        return source(carried, REPEATED);
    }

    private static @Nullable DocumentRef source(InputRecord carried, String name) {
        RecordHeader header = SeedRecords.last(carried);
        if (!header.name().equals(name)) {
            return null;
        }
        String[] parts = text(header).split("/", 2);
        return new DocumentRef(Integer.parseInt(parts[0]), Long.parseLong(parts[1]));
    }

    /** What the end of an index that was followed says; null for that of a seed. */
    static Followed.@Nullable Completed end(InputRecord carried) {
        Map<String, Long> starts = new HashMap<>();
        Boolean isSpread = null;
        long eventMillis = 0;
        for (RecordHeader header : carried.headers()) {
            if (header.name().startsWith(START)) {
                starts.put(header.name().substring(START.length()), Long.valueOf(text(header)));
            } else if (header.name().equals(SPREAD)) {
                isSpread = Boolean.valueOf(text(header));
            } else if (header.name().equals(EVENT)) {
                eventMillis = Long.parseLong(text(header));
            }
        }
        return isSpread == null ? null : new Completed(starts, isSpread, eventMillis);
    }

    private static String text(RecordHeader header) {
        return new String(Objects.requireNonNull(header.value(), header.name()), UTF_8);
    }
}
