package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.record.InputRecord;
import io.neardup.record.Reason;
import io.neardup.record.RecordHeader;
import io.neardup.record.Rejection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The records of seeds on their way to the coordinators: as they came, with more headers that say where from. One that
 * is too large has its place alone, and its size. Behind the last of a topic comes its end, a record of nothing but a
 * header that names the topic.
 */
public final class SeedRecords {
    private static final String TOPIC = "neardup.seed.topic";
    private static final String PARTITION = "neardup.seed.partition";
    private static final String OFFSET = "neardup.seed.offset";
    private static final String END = "neardup.seed.end";
    private static final String TOO_LARGE = "neardup.seed.too-large";

    private static final int ADDED_HEADERS = 4;

    /** What the headers add at the most: the name of a topic has up to 249 characters. */
    private static final int ADDED_BYTES_MAX = 600;

    private SeedRecords() {}

    /**
     * That a coordinator has released all documents of a seed: a record of the settings topic, under a key of its own.
     *
     * @param endSequence the number of the seed's end at its coordinator, above those of all its documents
     */
    public record SeedRead(String topic, int coordinator, long endSequence) {
        /** The keys of these, and of no other record of the topic, begin with it. */
        public static final String PREFIX = "seed-read/";

        private static final int VERSION = 1;
        private static final String SEPARATOR = "/";

        /** For all instances to read. */
        Record<Routed, byte[]> note(long nowMillis) {
            // No other of the same coordinator and topic has this key.
            String key = PREFIX + coordinator + SEPARATOR + endSequence + SEPARATOR + topic;
            return new Record<>(
                    new Routed(0, key.getBytes(UTF_8)), String.valueOf(VERSION).getBytes(UTF_8), nowMillis);
        }

        /**
         * What a key and its value say.
         *
         * @throws IllegalArgumentException if it is none, or of another version
         */
        public static SeedRead of(String key, String value) {
            String[] parts = key.split(SEPARATOR, 4);
            try {
                if (parts.length == 4 && Integer.parseInt(value) == VERSION) {
                    return new SeedRead(parts[3], Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
                }
            } catch (NumberFormatException e) {
                // Told below.
            }
            throw new IllegalArgumentException("that a coordinator has read a seed: expected version " + VERSION
                    + " under a key like " + PREFIX + "0/12/topic, found " + value + " under " + key);
        }
    }

    /**
     * The record to the coordinator that a producer's own choice would take it to; without a key to one after the
     * other.
     *
     * @param bytesMax the largest that gets there
     */
    static Record<Routed, byte[]> toCoordinator(
            Record<byte[], byte[]> record, InputRecord seed, int coordinators, long bytesMax) {
        byte[] key = seed.key();
        long turn = key == null ? seed.offset() + seed.partition() : Utils.toPositive(Utils.murmur2(key));
        int coordinator = (int) (turn % coordinators);
        long bytes = OutputLimits.bytesMax(seed);
        boolean fits = bytes + ADDED_BYTES_MAX <= bytesMax;
        Headers headers = fits ? new RecordHeaders(record.headers()) : new RecordHeaders();
        put(headers, TOPIC, seed.topic());
        put(headers, PARTITION, String.valueOf(seed.partition()));
        put(headers, OFFSET, String.valueOf(seed.offset()));
        put(headers, TOO_LARGE, fits ? "" : bytes + " bytes with key and headers, of at most " + bytesMax);
        @SuppressWarnings("NullAway") // Kafka has no annotations of its own.
        Record<Routed, byte[]> carried = new Record<>(
                new Routed(coordinator, fits ? key : null), fits ? record.value() : null, record.timestamp(), headers);
        return carried;
    }

    /** Why a record arrives without its content, if it does. */
    static Optional<Rejection> tooLarge(InputRecord carried) {
        String found = text(last(carried));
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(new Rejection(
                        Reason.TOO_LARGE, "expected a record of a seed that fits into one here, found " + found, null));
    }

    /** The end of a topic, for one coordinator. */
    public static ProducerRecord<byte[], byte[]> end(String seeds, int coordinator, String topic) {
        return end(seeds, coordinator, topic, new RecordHeaders());
    }

    /** The end of a topic with more that it says. */
    static ProducerRecord<byte[], byte[]> end(String seeds, int coordinator, String topic, Headers said) {
        ProducerRecord<byte[], byte[]> end = new ProducerRecord<>(seeds, coordinator, null, null);
        said.forEach(end.headers()::add);
        put(end.headers(), END, topic);
        return end;
    }

    /** The end of a topic that an index before this one was seeded with, behind its last document there. */
    static Record<Routed, byte[]> inheritedEnd(Record<byte[], byte[]> next, int coordinator, String topic) {
        Headers headers = new RecordHeaders();
        put(headers, END, topic);
        @SuppressWarnings("NullAway") // Kafka has no annotations of its own.
        Record<Routed, byte[]> end = new Record<>(new Routed(coordinator, null), null, next.timestamp(), headers);
        return end;
    }

    /** The topic that ends here; empty for a document of one. */
    static Optional<String> endOf(InputRecord carried) {
        return Optional.of(last(carried))
                .filter(last -> last.name().equals(END))
                .map(SeedRecords::text);
    }

    /** Whether these are the headers of an end. */
    public static boolean isEnd(Headers headers) {
        Header last = null;
        for (Header header : headers) {
            last = header;
        }
        return last != null && last.key().equals(END);
    }

    static RecordHeader last(InputRecord carried) {
        return carried.headers().get(carried.headers().size() - 1);
    }

    /** The record as it stands in its seed. */
    static InputRecord source(InputRecord carried) {
        List<RecordHeader> headers = carried.headers();
        List<RecordHeader> own = headers.subList(0, headers.size() - ADDED_HEADERS);
        List<RecordHeader> added = headers.subList(own.size(), headers.size());
        return new InputRecord(
                text(added.get(0)),
                Integer.parseInt(text(added.get(1))),
                Long.parseLong(text(added.get(2))),
                carried.timestamp(),
                carried.key(),
                carried.value(),
                own);
    }

    private static void put(Headers headers, String name, String value) {
        headers.add(name, value.getBytes(UTF_8));
    }

    static String text(RecordHeader header) {
        return new String(Objects.requireNonNull(header.value(), header.name()), UTF_8);
    }
}
