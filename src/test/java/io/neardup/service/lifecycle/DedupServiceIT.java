package io.neardup.service.lifecycle;

import static io.neardup.testing.World.PATIENCE;
import static io.neardup.testing.World.awaitRunning;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.store.TopicNames;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.World;
import io.neardup.tools.audit.PromiseVerifier;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.InMemoryKeyValueStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DedupServiceIT {
    private static final int BLANK_EVERY = 50;
    private static final List<News> NEWS = NewsFeed.generate(600, 3);
    private static final List<News> FIRST = NEWS.subList(0, 300);
    private static final List<News> SECOND = NEWS.subList(300, 600);

    @RegisterExtension
    static final World WORLD = new World();

    @ParameterizedTest(name = "{0} partitions, {1} index partitions, {2} bands")
    @CsvSource({"1, 1, 26, 5", "8, 25, 12, 4"})
    void shouldKeepThePromisesForAnyNumberOfPartitions(int partitions, int indexPartitions, int bands, int rows)
            throws Exception {
        WORLD.createTopics(partitions);
        List<News> news = withBlankTexts(NewsFeed.generate(1_000, 7));

        WORLD.runWith(
                news,
                WORLD.config(
                        "num.stream.threads=2",
                        "neardup.hash.seed=7",
                        "neardup.bands.partitions=" + indexPartitions,
                        "neardup.banding=" + bands + "x" + rows));

        WORLD.requirePromises(news);
        assertThat(WORLD.outputs().of(Outputs.DEAD_LETTER)).hasSize(news.size() / BLANK_EVERY);
    }

    /** Blank texts are dead letters. */
    private static List<News> withBlankTexts(List<News> news) {
        return IntStream.range(0, news.size())
                .mapToObj(i -> i % BLANK_EVERY == 0 ? new News(news.get(i).id(), " ") : news.get(i))
                .toList();
    }

    @Test
    void shouldGoOnWithTheSameIndexAfterARestartAndRestoreOriginalsThatItFindsDamaged() throws Exception {
        WORLD.createTopics(2);
        WORLD.feed(FIRST);
        // So both coordinators have begun, and are not through.
        WORLD.runUntil(FIRST.size() / 2 + 1, WORLD.config());
        Path originals = state("originals/0_0");
        Path kept = Files.createFile(originals.resolve("kept"));
        WORLD.runUntil(FIRST.size(), WORLD.config());
        assertThat(kept).exists();

        zeroABlock(originals);
        DedupService third = WORLD.start();
        awaitRunning(third);
        assertThat(kept).as("before what is damaged was read").exists();
        WORLD.feed(SECOND);
        WORLD.awaitOutputs(NEWS.size());
        WORLD.stop(third);

        assertThat(kept).doesNotExist();
        WORLD.requirePromises(NEWS);
    }

    private static Path state(String name) throws IOException {
        try (Stream<Path> files = Files.walk(WORLD.folder().resolve("state"))) {
            return files.filter(file -> file.endsWith(name)).findFirst().orElseThrow();
        }
    }

    /** As by a backup that was put back wrongly. */
    @Test
    void shouldUseNoStateOfAnotherTask() throws Exception {
        WORLD.createTopics(2);
        NeardupConfig config = WORLD.config("neardup.bands.partitions=2");
        WORLD.runWith(FIRST, config);

        exchange("buckets/1_0", "buckets/1_1");
        exchange("originals/0_0", "originals/0_1");
        WORLD.runWith(SECOND, config);

        WORLD.requirePromises(NEWS);
    }

    private static void exchange(String one, String other) throws IOException {
        Path ofOne = state(one);
        Path ofOther = state(other);
        Path aside = Files.move(ofOne, WORLD.folder().resolve("aside"));
        Files.move(ofOther, ofOne);
        Files.move(aside, ofOther);
    }

    /** Its data; the service notices where it reads it. */
    private static void zeroABlock(Path originals) throws IOException {
        Path largest;
        try (Stream<Path> files = Files.list(originals)) {
            largest = files.filter(file -> file.toString().endsWith(".sst"))
                    .max(Comparator.comparingLong(file -> file.toFile().length()))
                    .orElseThrow();
        }
        try (RandomAccessFile content = new RandomAccessFile(largest.toFile(), "rw")) {
            content.seek(content.length() / 5);
            content.write(new byte[(int) content.length() / 5]);
        }
    }

    /** A name of a header that is not UTF-8 comes so: Kafka's own client decodes it before a service sees it. */
    @Test
    void shouldSendEverythingSomewhereWhateverComesIn() throws Exception {
        WORLD.createTopics(1);
        long now = System.currentTimeMillis();
        byte[] tooLarge = "x".repeat(1_048_000).getBytes(UTF_8);
        ProducerRecord<byte[], byte[]> withOddHeader =
                record(now, null, "{\"id\":\"7\",\"text\":\"and another with an odd name of a header\"}");
        withOddHeader.headers().add("gr\uFFFDn", new byte[] {1});
        WORLD.send(List.of(
                record(now, "a", "{\"id\":\"1\",\"text\":\"a first document of some length\"}"),
                record(now, "b", "not json"),
                record(now, "c", null),
                record(now + 3_500_000, "d", "{\"id\":\"4\",\"text\":\"a document from the near future\"}"),
                record(0, null, "{\"id\":\"5\",\"text\":\"a document from long ago without a key\"}"),
                new ProducerRecord<>("documents", 0, now, new byte[] {'e'}, tooLarge),
                withOddHeader));

        WORLD.runUntil(7, WORLD.config());

        List<ConsumerRecord<byte[], byte[]>> unique = WORLD.outputs().of(Outputs.UNIQUE);
        assertThat(unique)
                .extracting(record -> record.key() == null ? "none" : new String(record.key(), UTF_8))
                .containsExactly("a", "c", "d", "none", "none");
        assertThat(unique.subList(0, 4))
                .extracting(ConsumerRecord::timestamp)
                .containsExactly(now, now, now + 3_500_000, 0L);
        assertThat(unique.get(1).value()).isNull();
        assertThat(unique.get(4).headers()).extracting(Header::key).containsExactly("gr\uFFFDn");
        assertThat(WORLD.outputs().of(Outputs.DEAD_LETTER))
                .extracting(record -> Outputs.header(record, "neardup.reason"))
                .containsExactly("not-json", "too-large");
        NeardupConfig config = WORLD.config();
        try (ClusterView cluster = new ClusterView(config)) {
            assertThat(new PromiseVerifier(cluster, progress -> {}).run(true).get(0))
                    .satisfies(conservation -> assertThat(conservation.judged()).isEqualTo(7))
                    .satisfies(conservation -> assertThat(conservation.notes())
                            .singleElement()
                            .asString()
                            .startsWith("1 records have U+FFFD in the name of a header"));
        }
    }

    private static ProducerRecord<byte[], byte[]> record(long timestamp, @Nullable String key, @Nullable String value) {
        return new ProducerRecord<>(
                "documents",
                0,
                timestamp,
                key == null ? null : key.getBytes(UTF_8),
                value == null ? null : value.getBytes(UTF_8));
    }

    @Test
    void shouldNameEveryMissingTopic() {
        WORLD.requireProblems(
                WORLD.config(),
                "topic documents does not exist: create it",
                "topic unique does not exist: create it",
                "topic duplicate-of does not exist: create it",
                "topic dead-letter does not exist: create it");
    }

    @Test
    void shouldRefuseAnApplicationThatReadsTheInputOtherSettingsAndToGoOnWithoutThem() throws Exception {
        WORLD.createTopics(1);
        String seed = "neardup.hash.seed=42";
        WORLD.runWith(NewsFeed.generate(1, 1), WORLD.config(seed));

        WORLD.requireProblems(
                WORLD.config("neardup.hash.seed=43", "neardup.shingle=word:3"),
                "neardup.shingle: the index was made with char:9, now word:3",
                "neardup.hash.seed: the index was made with another one",
                "start anew under another application.id");
        String own = "topic " + WORLD.applicationId();
        WORLD.requireRefused(
                WORLD.config(seed, "neardup.bands.partitions=2"), own + "-lookups: expected 2 partitions", "found 4");
        assertThatThrownBy(() -> DedupService.start(WORLD.config(seed), new Topology().addSource("mine", "documents")))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("Topic documents has already been registered")
                .hasMessageContaining("look at the nodes that the application added");
        WORLD.deleteTopic(WORLD.applicationId() + "-settings");
        WORLD.requireRefused(WORLD.config(seed), own + "-settings: expected the settings of the index");
    }

    @Test
    void shouldSetRightWhatWasChangedOnItsOwnTopics() throws Exception {
        WORLD.createTopics(1);
        ClusterAdmin topics = WORLD.cluster();
        WORLD.start().close();
        List<String> replies = List.of(WORLD.applicationId() + "-replies");
        TopicNames names = new TopicNames(WORLD.applicationId());
        List<String> progress = List.of(names.progressChangelog());
        List<String> changelogs = new ArrayList<>(names.changelogs(WORLD.config()));
        changelogs.removeAll(progress);
        awaitSettings(topics, changelogs, "delete.retention.ms", "172800000");
        awaitSettings(topics, progress, "delete.retention.ms", "3600000");
        awaitSettings(topics, progress, "segment.bytes", "16777216");
        topics.change(replies.get(0), Map.of("retention.ms", "1000", "message.timestamp.type", "LogAppendTime"));
        changelogs.forEach(changelog -> topics.change(changelog, Map.of("delete.retention.ms", "3600000")));
        awaitSettings(topics, replies, "retention.ms", "1000");
        awaitSettings(topics, replies, "message.timestamp.type", "LogAppendTime");
        awaitSettings(topics, changelogs, "delete.retention.ms", "3600000");

        // A start that does not get as far as to delete the state that may lack removals leaves it to the next one.
        Topology refused = new Topology().addSource("mine", "documents");
        assertThatThrownBy(() -> DedupService.start(WORLD.config(), refused)).isInstanceOf(StartupException.class);
        awaitSettings(topics, replies, "retention.ms", "-1");
        awaitSettings(topics, changelogs, "delete.retention.ms", "3600000");

        WORLD.start().close();

        awaitSettings(topics, replies, "retention.ms", "-1");
        awaitSettings(topics, replies, "message.timestamp.type", "CreateTime");
        awaitSettings(topics, changelogs, "delete.retention.ms", "172800000");
    }

    /** A broker shows a moment later what its controller has taken. */
    private static void awaitSettings(ClusterAdmin topics, List<String> names, String setting, String value) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(topics.settings(names).values())
                        .extracting(settings -> settings.get(setting).value())
                        .hasSameSizeAs(names)
                        .containsOnly(value));
    }

    /** Kafka Streams lets the thread that restores end so, and says of itself that it runs. */
    @Test
    void shouldEndWithAnErrorOfTheThreadThatRestores() throws Exception {
        WORLD.createTopics(1);
        WORLD.createTopic("mine");
        WORLD.send(List.of(new ProducerRecord<>("mine", new byte[] {1}, new byte[] {2})));
        CompletableFuture<Void> kept = new CompletableFuture<>();
        DedupService first = WORLD.closeLater(DedupService.start(WORLD.config(), table(() -> kept.complete(null))));
        assertThat(kept).succeedsWithin(PATIENCE);
        WORLD.stop(first);

        DedupService second = WORLD.closeLater(DedupService.start(WORLD.config(), table(() -> {
            throw new OutOfMemoryError("by this test");
        })));

        assertThat(second.ended())
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withCauseInstanceOf(OutOfMemoryError.class);
    }

    /** Of what is in a topic; it is in memory alone, so that each start restores it. */
    private static Topology table(Runnable onPut) {
        KeyValueBytesStoreSupplier rows = new KeyValueBytesStoreSupplier() {
            @Override
            public String name() {
                return "mine";
            }

            @Override
            public KeyValueStore<Bytes, byte[]> get() {
                return new InMemoryKeyValueStore(name()) {
                    @Override
                    public synchronized void put(Bytes key, byte[] value) {
                        super.put(key, value);
                        onPut.run();
                    }
                };
            }

            @Override
            public String metricsScope() {
                return "in-memory";
            }
        };
        StreamsBuilder application = new StreamsBuilder();
        application.table("mine", Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()), Materialized.as(rows));
        return application.build();
    }
}
