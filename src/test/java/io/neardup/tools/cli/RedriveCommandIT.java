package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.record.Reason;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.World;
import io.neardup.tools.feed.BulkProducer;
import io.neardup.tools.feed.Redrive;
import io.neardup.tools.feed.Redrive.LetterOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A service reads texts from the wrong place; they come back when it reads from the right one. */
class RedriveCommandIT extends CommandTest {
    private static final int DOCUMENTS = 20;
    private static final String[] OF_NEWS = {"neardup.input.topics=news", "max.poll.records=3"};
    private static final int DEAD_LETTER_BYTES_MAX = 10_000;
    private static final long HOUR_MILLIS = 3_600_000;

    @RegisterExtension
    static final World WORLD = new World();

    @Test
    void shouldSendDeadLettersBackOnce() throws Exception {
        createTopics();
        publish();
        run("/nowhere", DOCUMENTS + 3);
        assertThat(deadLetters()).hasSize(DOCUMENTS + 3);

        assertThat(redrive("--dry-run").path("reasons").toString())
                .isEqualTo("{\"not-json\":{\"whole\":1},\"no-text\":{\"whole\":21,\"valueLeftOut\":1}}");
        assertThat(failed(withSettings(WORLD.settings(), "redrive", "--all")))
                .contains("neardup.input.topics=documents, the default, found one of the topic news")
                .contains("set neardup.input.topics=documents");
        stopInTheMiddle();
        JsonNode rest = redrive("--reason", "no-text");
        JsonNode again = redrive("--reason", "no-text");

        assertThat(rest.path("sent").asInt()).isBetween(1, DOCUMENTS);
        assertThat(again.toString())
                .isEqualTo("{\"dryRun\":false,\"reasons\":{},\"sent\":0,\"foreign\":0,\"stopped\":false}");
        run("/text", 2 * (DOCUMENTS + 3) - 2);
        shouldBeAsTheyCameIn(WORLD.outputs().of(Outputs.UNIQUE));
        shouldGoInNoCircle();
        shouldLeaveWhatIsOfASeed();
    }

    /** They may have waited for longer than it takes records of, and the service carries larger ones. */
    @Test
    void shouldBeStuckAtNoDeadLetterThatTheInputDoesNotTakeAsItIs() throws Exception {
        Map<String, String> hour = Map.of(
                "message.timestamp.before.max.ms", String.valueOf(HOUR_MILLIS),
                "message.timestamp.after.max.ms", String.valueOf(HOUR_MILLIS),
                "max.message.bytes", String.valueOf(2 * BulkProducer.BUFFER_BYTES));
        Map<String, String> any = Map.of("message.timestamp.after.max.ms", String.valueOf(Long.MAX_VALUE));
        Records.createTopic(WORLD.servers(), "late", 1, hour);
        Records.createTopic(WORLD.servers(), "late-dead", 1, any);
        long now = System.currentTimeMillis();
        List<Long> timestamps = List.of(now - 2 * HOUR_MILLIS, now - 1, now + 2 * HOUR_MILLIS);
        String large = "x".repeat(BulkProducer.BUFFER_BYTES);
        Map<String, Object> bulk = Map.of(
                "compression.type", "lz4",
                "max.request.size", 2 * BulkProducer.BUFFER_BYTES,
                "buffer.memory", 2L * BulkProducer.BUFFER_BYTES);
        try (Producer<byte[], byte[]> producer = Records.bytesTo(WORLD.servers(), bulk)) {
            producer.send(letter(3, now, large)).get();
            for (int i = 0; i < timestamps.size(); i++) {
                producer.send(letter(i, timestamps.get(i), document(i))).get();
            }
        }

        List<String> settings = WORLD.settings("neardup.input.topics=late", "neardup.dead-letter.topic=late-dead");
        JsonNode summary = json(withSettings(settings, "redrive", "--json", "--all"));

        assertThat(summary.path("reasons").toString()).isEqualTo("{\"no-text\":{\"whole\":3,\"tooLarge\":1}}");
        assertThat(Records.readSettled(WORLD.servers(), "late"))
                .extracting(ProducerRecord::timestamp)
                .satisfiesExactly(
                        past -> assertThat(past).isBetween(now, now + HOUR_MILLIS),
                        kept -> assertThat(kept).isEqualTo(now - 1),
                        future -> assertThat(future).isBetween(now, now + HOUR_MILLIS));
    }

    private static ProducerRecord<byte[], byte[]> letter(int offset, long timestamp, String value) {
        List<Header> headers = new ArrayList<>();
        Map.of(
                        OutputRecords.REASON,
                        Reason.NO_TEXT.code(),
                        OutputRecords.SOURCE_TOPIC,
                        "late",
                        OutputRecords.SOURCE_PARTITION,
                        "0",
                        OutputRecords.SOURCE_OFFSET,
                        String.valueOf(offset))
                .forEach((name, header) -> headers.add(new RecordHeader(name, header.getBytes(UTF_8))));
        return new ProducerRecord<>("late-dead", 0, timestamp, null, value.getBytes(UTF_8), headers);
    }

    private static List<ConsumerRecord<byte[], byte[]>> deadLetters() {
        return WORLD.outputs().of(Outputs.DEAD_LETTER);
    }

    /** The one that is broken has failed once more, and is not sent a second time. */
    private void shouldGoInNoCircle() throws Exception {
        assertThat(deadLetters()).hasSize(DOCUMENTS + 4);
        assertThat(redrive("--reason", "blank-text", "--times", "1")
                        .path("reasons")
                        .toString())
                .isEqualTo("{\"blank-text\":{\"tooOften\":1}}");
        assertThat(redrive("--all").path("reasons").toString()).isEqualTo("{\"not-json\":{\"whole\":1}}");
        assertThat(redrive("--dry-run").path("reasons").toString()).isEqualTo("{}");
    }

    private void shouldLeaveWhatIsOfASeed() throws Exception {
        List<String> settings = WORLD.settings("neardup.seed.topics=news", "application.id=seeded");
        JsonNode left = json(withSettings(settings, "redrive", "--json", "--all"));

        assertThat(left.path("sent").asInt()).isZero();
        assertThat(left.path("reasons").path("not-json").toString()).isEqualTo("{\"noInput\":1}");
    }

    private static void shouldBeAsTheyCameIn(List<ConsumerRecord<byte[], byte[]>> unique) {
        assertThat(unique).hasSize(DOCUMENTS);
        for (ConsumerRecord<byte[], byte[]> record : unique) {
            int number = Integer.parseInt(Outputs.header(record, "number"));
            assertThat(record.partition()).isEqualTo(number % 2);
            assertThat(record.timestamp()).isEqualTo(1_700_000_000_000L + number);
            assertThat(record.key()).isEqualTo(number == 0 ? null : ("k" + number).getBytes(UTF_8));
            assertThat(new String(record.value(), UTF_8)).isEqualTo(document(number));
            assertThat(record.headers()).hasSize(2);
            assertThat(Outputs.header(record, "neardup.redriven")).isEqualTo("1");
        }
    }

    /** After the first transaction. */
    private void stopInTheMiddle() throws IOException {
        try (ClusterView cluster = new ClusterView(WORLD.config(OF_NEWS))) {
            AtomicReference<Redrive> running = new AtomicReference<>();
            Redrive redrive = new Redrive(cluster, false, Set.of(Reason.NO_TEXT), 3);
            running.set(redrive);
            Redrive.Summary summary = redrive.run(
                    true, dealt -> Objects.requireNonNull(running.get()).stop());
            assertThat(summary.of(LetterOutcome.SENT)).isBetween(1L, DOCUMENTS - 1L);
            assertThat(summary.isStopped()).isTrue();
        }
    }

    private static void run(String text, int records) {
        WORLD.runUntil(records, WORLD.config(with(OF_NEWS, "neardup.document.text=" + text)));
    }

    private JsonNode redrive(String... options) throws Exception {
        return json(with(withSettings(WORLD.settings(OF_NEWS), "redrive", "--json"), options));
    }

    private static void createTopics() throws Exception {
        Records.createTopics(WORLD.servers(), List.of("news", "documents", "unique", "duplicate-of"), 2);
        Records.createTopic(
                WORLD.servers(),
                "dead-letter",
                2,
                Map.of("retention.ms", "-1", "max.message.bytes", String.valueOf(DEAD_LETTER_BYTES_MAX)));
    }

    private static void publish() throws Exception {
        for (int i = 0; i < DOCUMENTS; i++) {
            publish(i, i == 0 ? null : "k" + i, document(i));
        }
        publish(DOCUMENTS, "blank", "{\"id\":\"blank\",\"text\":\" \"}");
        publish(DOCUMENTS + 1, "broken", "{");
        publish(DOCUMENTS + 2, "large", "{\"body\":\"" + "x".repeat(DEAD_LETTER_BYTES_MAX) + "\"}");
    }

    private static void publish(int number, @Nullable String key, String value) throws Exception {
        byte[] bytes = value.getBytes(UTF_8);
        byte @Nullable [] bytesOfKey = key == null ? null : key.getBytes(UTF_8);
        RecordHeader header = new RecordHeader("number", String.valueOf(number).getBytes(UTF_8));
        WORLD.send(List.of(new ProducerRecord<>(
                "news", number % 2, 1_700_000_000_000L + number, bytesOfKey, bytes, List.of(header))));
    }

    private static String document(int number) {
        String words = ("word" + number * 7_919 + " ").repeat(3)
                + Integer.toString(number * 104_729 + 31, 36).repeat(9);
        return "{\"id\":\"d" + number + "\",\"text\":\"" + words + "\"}";
    }
}
