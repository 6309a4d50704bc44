package io.neardup.service.lifecycle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.neardup.config.ConfigurationException;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.store.TopicNames;
import io.neardup.testing.Feeder;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Promises;
import io.neardup.testing.RawRecord;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import io.neardup.tools.audit.PromiseVerifier;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.Topology;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

class DedupServiceIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int BLANK_EVERY = 50;

    @RegisterExtension
    static final SharedBroker BROKER = new SharedBroker();

    private static int tests;

    private final String servers = BROKER.bootstrapServers();
    private final String applicationId = "neardup-" + tests++;

    @TempDir
    private Path folder;

    @AfterEach
    void deleteTopics() throws Exception {
        BROKER.deleteTopics();
    }

    private NeardupConfig config(String... more) {
        List<String> pairs = new ArrayList<>(List.of(
                "bootstrap.servers=" + servers,
                "application.id=" + applicationId,
                "state.dir=" + folder.resolve("state"),
                "replication.factor=1"));
        pairs.addAll(List.of(more));
        return NeardupConfig.forCluster(new Settings().pairs(pairs));
    }

    private void createTopics(int partitions) throws Exception {
        Records.createTopics(servers, Outputs.WITH_INPUT, partitions);
    }

    @ParameterizedTest(name = "{0} partitions, {1} index partitions, {2} bands")
    @CsvSource({"1, 1, 26, 5", "3, 4, 26, 5", "8, 25, 12, 4"})
    void shouldKeepThePromisesForAnyNumberOfPartitions(int partitions, int indexPartitions, int bands, int rows)
            throws Exception {
        createTopics(partitions);
        List<News> news = withBlankTexts(NewsFeed.generate(2_000, 7));
        NeardupConfig config =
                config("neardup.bands.partitions=" + indexPartitions, "neardup.banding=" + bands + "x" + rows);
        try (DedupService service = DedupService.start(config);
                Outputs outputs = new Outputs(servers);
                Feeder feeder = new Feeder(servers, "documents", partitions)) {
            feeder.feed(news);
            outputs.await(news.size(), PATIENCE);
            outputs.drain(Duration.ofMillis(500));

            assertThat(service.ended()).isNotDone();
            new Promises(news, outputs).check(partitions);
            assertThat(outputs.of(Outputs.DEAD_LETTER)).hasSize(news.size() / BLANK_EVERY);
        }
    }

    /** Blank texts are dead letters. */
    private static List<News> withBlankTexts(List<News> news) {
        return IntStream.range(0, news.size())
                .mapToObj(i -> i % BLANK_EVERY == 0 ? new News(news.get(i).id(), " ") : news.get(i))
                .toList();
    }

    @Test
    void shouldGoOnWithTheSameIndexAfterARestart() throws Exception {
        createTopics(2);
        List<News> news = NewsFeed.generate(1_000, 3);
        try (Outputs outputs = new Outputs(servers);
                Feeder feeder = new Feeder(servers, "documents", 2)) {
            try (DedupService first = DedupService.start(config())) {
                feeder.feed(news.subList(0, 500));
                // So both coordinators have begun, and are not through.
                outputs.await(251, PATIENCE);
                assertThat(first.ended()).isNotDone();
            }
            feeder.feed(news.subList(500, 1_000));
            Path kept = Files.createFile(originalsFolder().resolve("kept"));
            try (DedupService second = DedupService.start(config())) {
                outputs.await(news.size(), PATIENCE);
                outputs.drain(Duration.ofMillis(500));
                assertThat(second.ended()).isNotDone();
                assertThat(kept).exists();
            }
            new Promises(news, outputs).check(2);
        }
    }

    /** Those of the first coordinator. */
    private Path originalsFolder() throws IOException {
        return state("originals/0_0");
    }

    private Path state(String name) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("state"))) {
            return files.filter(file -> file.endsWith(name)).findFirst().orElseThrow();
        }
    }

    /** As by a backup that was put back wrongly. */
    @ParameterizedTest
    @CsvSource({"1_0/buckets.snapshot, 1_1/buckets.snapshot", "originals/0_0, originals/0_1"})
    void shouldUseNoStateOfAnotherTask(String one, String other) throws Exception {
        createTopics(2);
        List<News> news = NewsFeed.generate(1_000, 3);
        NeardupConfig config = config("neardup.bands.partitions=2");
        try (Outputs outputs = new Outputs(servers);
                Feeder feeder = new Feeder(servers, "documents", 2)) {
            try (DedupService first = DedupService.start(config)) {
                feeder.feed(news.subList(0, 500));
                outputs.await(500, PATIENCE);
                assertThat(first.ended()).isNotDone();
            }
            Path aside = Files.move(state(one), folder.resolve("aside"));
            Path ofOther = state(other);
            Files.move(ofOther, ofOther.resolveSibling("..").resolve(one).normalize());
            Files.move(aside, ofOther);
            feeder.feed(news.subList(500, 1_000));
            try (DedupService second = DedupService.start(config)) {
                outputs.await(news.size(), PATIENCE);
                outputs.drain(Duration.ofMillis(500));
                assertThat(second.ended()).isNotDone();
            }
            new Promises(news, outputs).check(2);
        }
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

    @Test
    void shouldRestoreOriginalsThatItFindsDamaged() throws Exception {
        createTopics(2);
        List<News> news = NewsFeed.generate(1_000, 3);
        try (Outputs outputs = new Outputs(servers);
                Feeder feeder = new Feeder(servers, "documents", 2)) {
            try (DedupService first = DedupService.start(config())) {
                feeder.feed(news.subList(0, 500));
                outputs.await(500, PATIENCE);
                assertThat(first.ended()).isNotDone();
            }
            Path originals = originalsFolder();
            zeroABlock(originals);
            Path kept = Files.createFile(originals.resolve("kept"));
            try (DedupService second = DedupService.start(config())) {
                await("a start with what is damaged").atMost(PATIENCE).until(second::isRunning);
                assertThat(kept).exists();
                feeder.feed(news.subList(500, 1_000));
                outputs.await(news.size(), PATIENCE);
                outputs.drain(Duration.ofMillis(500));
                assertThat(second.ended()).isNotDone();
                assertThat(kept).doesNotExist();
            }
            new Promises(news, outputs).check(2);
        }
    }

    /** A folder in the place of a file stands for a disk that takes no more. */
    @Test
    void shouldTellAtOnceThatTheDiskTakesNoSnapshot() throws Exception {
        createTopics(1);
        try (DedupService service = DedupService.start(config("neardup.bands.partitions=1"));
                Outputs outputs = new Outputs(servers);
                Feeder feeder = new Feeder(servers, "documents", 1)) {
            await("a running service").atMost(PATIENCE).until(service::isRunning);
            Path snapshot = state("1_0").resolve("buckets.snapshot");
            Files.createDirectory(snapshot.resolveSibling("buckets.snapshot.slices.tmp"));
            feeder.feed(NewsFeed.generate(10, 1));
            outputs.await(10, PATIENCE);

            await("the note").atMost(PATIENCE).untilAsserted(() -> assertThat(service.attention())
                    .singleElement()
                    .asString()
                    .startsWith("the disk of state.dir did not take " + snapshot + " "));
        }
    }

    @Test
    void shouldNotMissAnInstanceThatIsStopped() throws Exception {
        createTopics(2);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        Logger log = (Logger) LoggerFactory.getLogger(Attention.class);
        log.addAppender(logged);
        log.setLevel(Level.INFO);
        try (DedupService first = DedupService.start(config())) {
            try (DedupService second = DedupService.start(config("state.dir=" + folder.resolve("other")))) {
                await("each sees two").atMost(PATIENCE).until(() -> count(logged, "instances=2 .*") == 2);
                assertThat(second.ended()).isNotDone();
            }
            await("one is left").atMost(PATIENCE).until(() -> count(logged, "instances=1 came=\\[\\] gone=.*") == 1);
            await("nobody is missed")
                    .during(Duration.ofSeconds(7))
                    .atMost(PATIENCE)
                    .until(() -> first.instancesGone() == 0 && first.attention().isEmpty());
        } finally {
            log.setLevel(null);
            log.detachAppender(logged);
        }
    }

    private static long count(ListAppender<ILoggingEvent> logged, String message) {
        return List.copyOf(logged.list).stream()
                .filter(event -> event.getFormattedMessage().matches(message))
                .count();
    }

    @Test
    void shouldSendEverythingSomewhereWhateverComesIn() throws Exception {
        createTopics(1);
        long now = System.currentTimeMillis();
        byte[] tooLarge = "x".repeat(1_048_000).getBytes(UTF_8);
        try (DedupService service = DedupService.start(config());
                Outputs outputs = new Outputs(servers);
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", servers, "max.request.size", 8_000_000),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            producer.send(record(now, "a", "{\"id\":\"1\",\"text\":\"a first document of some length\"}"))
                    .get();
            producer.send(record(now, "b", "not json")).get();
            producer.send(record(now, "c", null)).get();
            producer.send(record(now + 3_500_000, "d", "{\"id\":\"4\",\"text\":\"a document from the near future\"}"))
                    .get();
            producer.send(record(0, null, "{\"id\":\"5\",\"text\":\"a document from long ago without a key\"}"))
                    .get();
            producer.send(new ProducerRecord<>("documents", 0, now, new byte[] {'e'}, tooLarge))
                    .get();
            outputs.await(6, PATIENCE);

            assertThat(service.ended()).isNotDone();
            assertThat(outputs.of(Outputs.UNIQUE))
                    .extracting(record -> record.key() == null ? "none" : new String(record.key(), UTF_8))
                    .containsExactly("a", "c", "d", "none");
            assertThat(outputs.of(Outputs.UNIQUE))
                    .extracting(ConsumerRecord::timestamp)
                    .containsExactly(now, now, now + 3_500_000, 0L);
            assertThat(outputs.of(Outputs.UNIQUE).get(1).value()).isNull();
            assertThat(outputs.of(Outputs.DEAD_LETTER))
                    .extracting(record -> Outputs.header(record, "neardup.reason"))
                    .containsExactly("not-json", "too-large");
        }
    }

    /** Kafka's own client decodes them before a service sees them. */
    @Test
    void shouldTellOfNamesOfHeadersThatMayNotHaveBeenUtf8() throws Exception {
        createTopics(1);
        byte[] document = "{\"id\":\"1\",\"text\":\"a first document of some length\"}".getBytes(UTF_8);
        RawRecord.send(servers, "documents", document, "gr\u00FCn".getBytes(ISO_8859_1));
        NeardupConfig config = config();

        try (DedupService service = DedupService.start(config);
                Outputs outputs = new Outputs(servers)) {
            outputs.await(1, PATIENCE);
            assertThat(outputs.of(Outputs.UNIQUE)).singleElement().satisfies(unique -> assertThat(unique.headers())
                    .extracting(Header::key)
                    .containsExactly("gr\uFFFDn"));
            assertThat(service.ended()).isNotDone();
        }

        try (ClusterView cluster = new ClusterView(config)) {
            assertThat(new PromiseVerifier(config, cluster, progress -> {})
                            .run(true)
                            .get(0))
                    .satisfies(conservation -> assertThat(conservation.judged()).isOne())
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
        assertThatThrownBy(() -> DedupService.start(config()))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("topic documents does not exist")
                .hasMessageContaining("topic unique does not exist")
                .hasMessageContaining("topic duplicate-of does not exist")
                .hasMessageContaining("topic dead-letter does not exist");
    }

    @Test
    void shouldRefuseAnApplicationThatReadsTheInputItself() throws Exception {
        createTopics(1);
        Topology application = new Topology().addSource("mine", "documents");

        assertThatThrownBy(() -> DedupService.start(config(), application))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("Topic documents has already been registered")
                .hasMessageContaining("look at the nodes that the application added");
    }

    @Test
    void shouldRefuseOtherSettingsThanTheIndexWasMadeWith() throws Exception {
        createTopics(1);
        DedupService.start(config("neardup.hash.seed=42")).close();

        assertThatThrownBy(() -> DedupService.start(config("neardup.hash.seed=43", "neardup.shingle=word:3")))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("neardup.shingle: the index was made with char:9, now word:3")
                .hasMessageContaining("neardup.hash.seed: the index was made with another one")
                .hasMessageContaining("start anew under another application.id");
        assertThatThrownBy(() -> DedupService.start(config("neardup.bands.partitions=2")))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("topic " + applicationId + "-lookups: expected 2 partitions")
                .hasMessageContaining("found 4");
    }

    @Test
    void shouldRefuseToGoOnWithoutTheSettingsOfItsIndex() throws Exception {
        createTopics(1);
        try (DedupService service = DedupService.start(config());
                Outputs outputs = new Outputs(servers);
                Feeder feeder = new Feeder(servers, "documents", 1)) {
            feeder.feed(NewsFeed.generate(1, 1));
            outputs.await(1, PATIENCE);
            // It may still hand tasks to its second thread, so it need not be RUNNING.
            assertThat(service.ended()).isNotDone();
        }
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", servers))) {
            admin.deleteTopics(List.of(applicationId + "-settings")).all().get();
            await().atMost(PATIENCE)
                    .until(() -> !admin.listTopics().names().get().contains(applicationId + "-settings"));
        }

        assertThatThrownBy(() -> DedupService.start(config()))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("topic " + applicationId + "-settings: expected the settings of the index");
    }

    @Test
    void shouldRefuseKeysThatWouldBreakThePromises() {
        assertThatThrownBy(() -> DedupService.start(config(
                        "processing.guarantee=at_least_once",
                        "production.exception.handler=some.Handler",
                        "group.protocol=streams",
                        "state.cleanup.delay.ms=43200001",
                        "replication.factor=many")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("processing.guarantee: expected exactly_once_v2, found at_least_once")
                .hasMessageContaining("production.exception.handler: expected none")
                .hasMessageContaining("group.protocol: expected classic, found streams")
                .hasMessageContaining("state.cleanup.delay.ms: expected at most 43200000, found 43200001")
                .hasMessageContaining("replication.factor: expected a number of replicas");
    }

    @Test
    void shouldSetRightWhatWasChangedOnItsOwnTopics() throws Exception {
        createTopics(1);
        try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", servers))) {
            ClusterAdmin topics = new ClusterAdmin(admin, servers);
            DedupService.start(config()).close();
            assertKeepsDeleteMarkers(topics);
            String replies = applicationId + "-replies";
            topics.change(replies, Map.of("retention.ms", "1000", "message.timestamp.type", "LogAppendTime"));
            changelogs().forEach(changelog -> topics.change(changelog, Map.of("delete.retention.ms", "3600000")));
            awaitSettings(topics, List.of(replies), "retention.ms", "1000");
            awaitSettings(topics, List.of(replies), "message.timestamp.type", "LogAppendTime");
            awaitSettings(topics, changelogs(), "delete.retention.ms", "3600000");

            DedupService.start(config()).close();

            awaitSettings(topics, List.of(replies), "retention.ms", "-1");
            awaitSettings(topics, List.of(replies), "message.timestamp.type", "CreateTime");
            assertKeepsDeleteMarkers(topics);
        }
    }

    private List<String> changelogs() {
        return new TopicNames(applicationId).changelogs();
    }

    private void assertKeepsDeleteMarkers(ClusterAdmin topics) {
        awaitSettings(topics, changelogs(), "delete.retention.ms", "172800000");
    }

    /** A broker shows a moment later what its controller has taken. */
    private static void awaitSettings(ClusterAdmin topics, List<String> names, String setting, String value) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(topics.settings(names).values())
                        .extracting(settings -> settings.get(setting).value())
                        .hasSameSizeAs(names)
                        .containsOnly(value));
    }
}
