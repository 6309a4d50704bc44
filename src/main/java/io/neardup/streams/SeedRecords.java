package io.neardup.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.document.InputRecord;
import io.neardup.document.RecordHeader;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The records of seeds on their way to the homes: as they came, with three more headers that say where from. Behind the
 * last of a topic comes its end, a record of nothing but a header that names the topic.
 */
public final class SeedRecords {
    private static final String TOPIC = "neardup.seed.topic";
    private static final String PARTITION = "neardup.seed.partition";
    private static final String OFFSET = "neardup.seed.offset";
    private static final String END = "neardup.seed.end";
    private static final int SOURCE_HEADERS = 3;

    /** What the headers add at the most: the name of a topic has up to 249 characters. */
    static final int ADDED_BYTES_MAX = 500;

    private SeedRecords() {}

    /** The record to the home that a producer's own choice would take it to; without a key to one after the other. */
    static Record<Routed, byte[]> toHome(Record<byte[], byte[]> record, InputRecord seed, int homes) {
        byte[] key = seed.key();
        long turn = key == null ? seed.offset() + seed.partition() : Utils.toPositive(Utils.murmur2(key));
        Headers headers = new RecordHeaders(record.headers());
        put(headers, TOPIC, seed.topic());
        put(headers, PARTITION, String.valueOf(seed.partition()));
        put(headers, OFFSET, String.valueOf(seed.offset()));
        return record.withHeaders(headers).withKey(new Routed((int) (turn % homes), key));
    }

    /** The end of a topic, for one home. */
    public static ProducerRecord<byte[], byte[]> end(String seeds, int home, String topic) {
        ProducerRecord<byte[], byte[]> end = new ProducerRecord<>(seeds, home, null, null);
        put(end.headers(), END, topic);
        return end;
    }

    /** The topic that ends here; empty for a document of one. */
    static Optional<String> endOf(InputRecord carried) {
        return carried.headers().stream()
                .reduce((first, second) -> second)
                .filter(last -> last.name().equals(END))
                .map(SeedRecords::text);
    }

    /** The record as it stands in its seed. */
    static InputRecord source(InputRecord carried) {
        List<RecordHeader> headers = carried.headers();
        List<RecordHeader> own = headers.subList(0, headers.size() - SOURCE_HEADERS);
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

    /** That a home has released all of a topic, for all instances to read. */
    static Record<Routed, byte[]> read(SeedRead read, long nowMillis) {
        return new Record<>(
                new Routed(0, read.key().getBytes(UTF_8)), read.value().getBytes(UTF_8), nowMillis);
    }

    private static void put(Headers headers, String name, String value) {
        headers.add(name, value.getBytes(UTF_8));
    }

    private static String text(RecordHeader header) {
        return new String(Objects.requireNonNull(header.value(), header.name()), UTF_8);
    }
}
