package io.neardup.service.lifecycle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.StartupException;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An input topic that is taken out of the settings while documents of it wait behind one that is pending. */
class RemovedInputIT extends SharedWorld {
    private static final String REMOVED = "extra";
    private static final String BOTH = "neardup.input.topics=documents,extra";
    private static final Pattern ID = Pattern.compile("extra-([0-9]+)");
    private static final List<Integer> TEXTS = IntStream.range(0, 20).boxed().toList();
    /** A document is looked up in one index partition alone; the seed says in which. */
    private static final List<String> EXACT =
            List.of("neardup.signature=exact", "neardup.bands.partitions=2", "neardup.hash.seed=1");

    @BeforeEach
    @SuppressWarnings("try") // the service is closed before the rest
    void leaveDocumentsBehindOneThatIsPending() throws Exception {
        create(REMOVED);
        try (DedupService service = start(BOTH);
                KafkaProducer<String, String> open = lookupsHeldUp()) {
            feed(REMOVED, TEXTS);
            await("an original that has not left").atMost(PATIENCE).until(() -> !heldOriginals()
                    .isEmpty());
            assertThat(service.ended()).isNotDone();
            // Or it would go on where the transaction ends, and more would leave.
            service.close();
            open.abortTransaction();
        }
    }

    private DedupService start(String... more) {
        return DedupService.start(settings(more));
    }

    private NeardupConfig settings(String... more) {
        List<String> pairs = new ArrayList<>(EXACT);
        pairs.addAll(List.of(more));
        return config(pairs.toArray(String[]::new));
    }

    /** The first index partition reads nothing before this transaction has ended. */
    private KafkaProducer<String, String> lookupsHeldUp() throws Exception {
        KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers, "transactional.id", "in-the-way-of-" + applicationId),
                new StringSerializer(),
                new StringSerializer());
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(applicationId + "-lookups", 0, null, "aborted"))
                .get();
        return producer;
    }

    private void feed(String topic, Collection<Integer> texts) throws Exception {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers), new StringSerializer(), new StringSerializer())) {
            for (int text : texts) {
                String json = "{\"id\":\"" + topic + "-" + text + "\",\"text\":\"the text of number " + text + "\"}";
                producer.send(new ProducerRecord<>(topic, 0, null, json)).get();
            }
        }
    }

    /**
     * The texts of originals that have not left. An original is written in the transaction that it may leave in, so
     * what has left is read after it.
     */
    private Set<Integer> heldOriginals() {
        Set<Integer> held = new TreeSet<>();
        committed(applicationId + "-originals-changelog").forEach(record -> held.addAll(numbers(record.value())));
        committed(Outputs.UNIQUE).forEach(record -> held.removeAll(numbers(record.value())));
        return held;
    }

    /** All of the first partition up to its end. */
    private List<ConsumerRecord<byte[], byte[]>> committed(String topic) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        TopicPartition first = new TopicPartition(topic, 0);
        try (KafkaConsumer<byte[], byte[]> consumer = Records.committed(servers)) {
            consumer.assign(List.of(first));
            consumer.seekToBeginning(List.of(first));
            long end = consumer.endOffsets(List.of(first)).getOrDefault(first, 0L);
            while (consumer.position(first) < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
        }
        return records;
    }

    private static List<Integer> numbers(byte[] value) {
        return ID.matcher(new String(value, ISO_8859_1))
                .results()
                .map(found -> Integer.valueOf(found.group(1)))
                .toList();
    }

    private void assertEveryDuplicateNamesWhatIsOnUnique() {
        Set<String> unique = outputs.of(Outputs.UNIQUE).stream()
                .map(record -> new String(record.value(), UTF_8).replaceAll(".*\"id\":\"([^\"]*)\".*", "$1"))
                .collect(Collectors.toSet());
        assertThat(outputs.of(Outputs.DUPLICATE_OF))
                .extracting(record -> Outputs.header(record, "neardup.duplicate-of"))
                .allMatch(unique::contains);
    }

    @Test
    void shouldRefuseToForgetWhatHasNotLeftBeforeItHasDrained() throws Exception {
        assertThatThrownBy(this::start)
                .isInstanceOf(StartupException.class)
                .hasMessageContaining(
                        "topic extra, partition 0: expected all that was read to have left before the topic is"
                                + " taken out of neardup.input.topics, found that at most ")
                .hasMessageContaining("Put the topic back")
                .hasMessageContaining("--input-removed forget");

        try (DedupService service = start(BOTH)) {
            outputs.await(TEXTS.size(), PATIENCE);
            assertThat(service.ended()).isNotDone();
        }
        try (DedupService service = start()) {
            feed("documents", TEXTS);
            outputs.await(2 * TEXTS.size(), PATIENCE);
            assertThat(service.ended()).isNotDone();
        }
        assertThat(outputs.of(Outputs.DUPLICATE_OF)).hasSameSizeAs(TEXTS);
        assertEveryDuplicateNamesWhatIsOnUnique();
    }

    @Test
    void shouldForgetOnRequestWhatHasNotLeft() throws Exception {
        int left = committed(Outputs.UNIQUE).size();
        try (DedupService service = DedupService.start(settings().forgettingRemovedInput())) {
            feed("documents", TEXTS);
            outputs.await(left + TEXTS.size(), PATIENCE);
            assertThat(service.ended()).isNotDone();
        }
        assertThat(outputs.of(Outputs.DUPLICATE_OF)).hasSize(left);
        assertEveryDuplicateNamesWhatIsOnUnique();

        start().close();
        try (DedupService service = start(BOTH)) {
            outputs.await(2 * TEXTS.size(), PATIENCE);
            outputs.drain(Duration.ofMillis(500));
            assertThat(service.ended()).isNotDone();
        }
        assertThat(outputs.size()).isEqualTo(2 * TEXTS.size());
        assertThat(outputs.of(Outputs.UNIQUE)).hasSameSizeAs(TEXTS);
        assertEveryDuplicateNamesWhatIsOnUnique();
    }
}
