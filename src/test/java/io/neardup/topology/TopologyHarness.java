package io.neardup.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.config.Limits;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.config.Signing;
import io.neardup.engine.protocol.Message.ToCoordinator;
import io.neardup.record.Verdict;
import io.neardup.record.VerdictCodec;
import io.neardup.streams.input.InputGate;
import io.neardup.streams.input.InputGenerations;
import io.neardup.streams.input.Predecessor;
import io.neardup.streams.input.SeedPlan;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.input.Takeover;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.store.CommitListeners;
import io.neardup.streams.store.MessageCodec;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.DedupTopology;
import io.neardup.streams.topology.KnownCutover;
import io.neardup.streams.topology.OutputLimits;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.streams.topology.SeedRecords;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/** The service's topology with one partition of each topic, by the clock of the test. */
final class TopologyHarness implements AutoCloseable {
    /** The first of January 2026, midnight UTC. */
    static final long NOW = 1_767_225_600_000L;

    static final long HASH_SEED = 42;

    /** The offset behind the last record of a seed. */
    static final long SEED_END = 4;

    static final OutputLimits ANYTHING = new OutputLimits(1 << 20, Long.MAX_VALUE, Long.MAX_VALUE, false);

    private static final Duration GATHERING = Duration.ofMillis(20);

    private final ServiceCounts counts = new ServiceCounts();
    private final NeardupConfig config;
    private final TopicNames names;
    private final Seeding seeding;
    private final TopologyTestDriver driver;
    private final TestInputTopic<byte[], byte[]> documents;

    TopologyHarness(Path folder, OutputLimits documents, OutputLimits deadLetter, String... settings) {
        List<String> pairs = new ArrayList<>(List.of("neardup.bands.partitions=1"));
        pairs.addAll(List.of(settings));
        config = NeardupConfig.of(new Settings().pairs(pairs));
        names = new TopicNames(config.applicationId());
        seeding = seeding(config);
        driver = new TopologyTestDriver(
                topology(config, documents, deadLetter, seeding, counts),
                streams(config, folder),
                Instant.ofEpochMilli(NOW));
        this.documents = driver.createInputTopic(
                config.inputTopics().get(0),
                new ByteArraySerializer(),
                new ByteArraySerializer(),
                Instant.ofEpochMilli(NOW),
                Duration.ZERO);
    }

    static Topology topology(NeardupConfig config, OutputLimits documents, OutputLimits deadLetter) {
        return topology(config, documents, deadLetter, seeding(config), new ServiceCounts());
    }

    private static Topology topology(
            NeardupConfig config,
            OutputLimits documents,
            OutputLimits deadLetter,
            Seeding seeding,
            ServiceCounts counts) {
        Signing signing = Signing.of(config, HASH_SEED);
        return new DedupTopology(
                        config,
                        signing,
                        new OutputLimits.ByOutput(
                                documents, documents.lessBytes(-OutputRecords.DUPLICATE_BYTES_MAX), deadLetter),
                        new InputGate(Limits.PENDING_MAX, Limits.PENDING_BYTES_MAX),
                        InputGenerations.FIRST,
                        seeding,
                        () -> KnownCutover.NONE,
                        counts,
                        TopicPartition::toString,
                        topic -> topic)
                .addTo(new Topology());
    }

    /** Of one partition a seed; its end is never written, so that it is not over before a test says so. */
    private static Seeding seeding(NeardupConfig config) {
        Optional<Predecessor> predecessor = config.successorOf()
                .map(before -> new Predecessor(
                        before,
                        "index",
                        1,
                        new TopicNames(before).originalsChangelog(),
                        "id",
                        false,
                        SeedPlan.NONE,
                        List.of(),
                        1));
        if (predecessor.isPresent()) {
            return Seeding.after(predecessor.get(), 1, config.inputTopics());
        }
        List<SeedPlan.Topic> topics = config.seedTopics().stream()
                .map(topic -> new SeedPlan.Topic(topic, "id", List.of(SEED_END)))
                .toList();
        return new Seeding(new SeedPlan(topics, config.seedJudge()), 1, config.inputTopics());
    }

    private static Properties streams(NeardupConfig config, Path folder) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, config.applicationId());
        settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
        settings.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
        return settings;
    }

    /** Takes in a JSON document under its id as key, and gives it time to leave. */
    TestRecord<byte[], byte[]> document(String id, String text) {
        TestRecord<byte[], byte[]> document = json(id, text);
        arrive(document);
        return document;
    }

    static TestRecord<byte[], byte[]> json(String id, String text) {
        return record(id, "{\"id\":\"%s\",\"text\":\"%s\"}".formatted(id, text));
    }

    static TestRecord<byte[], byte[]> record(@Nullable String key, @Nullable String value) {
        return record(bytes(key), bytes(value), NOW);
    }

    static TestRecord<byte[], byte[]> record(byte @Nullable [] key, byte @Nullable [] value, long timestamp) {
        Headers headers = new RecordHeaders()
                .add("traceparent", new byte[] {1, 2})
                .add("traceparent", new byte[0])
                .add("none", null);
        // A record may have neither key nor value; Kafka has no annotations to say so.
        @SuppressWarnings("NullAway")
        TestRecord<byte[], byte[]> record = new TestRecord<>(key, value, headers, timestamp);
        return record;
    }

    static byte @Nullable [] bytes(@Nullable String text) {
        return text == null ? null : text.getBytes(UTF_8);
    }

    /** Brings a record to the topic of a seed, and gives it time. */
    void seed(String topic, TestRecord<byte[], byte[]> record) {
        input(topic).pipeInput(record);
        advance();
    }

    /** Brings the end of a seed to the coordinator. */
    void endSeed(String topic) {
        pipeSeeds(SeedRecords.end(names.seeds(), 0, topic, Optional.empty()));
    }

    private void pipeSeeds(ProducerRecord<byte[], byte[]> end) {
        @SuppressWarnings("NullAway") // Kafka has no annotations of its own.
        TestRecord<byte[], byte[]> record = new TestRecord<>(null, null, end.headers(), NOW);
        input(names.seeds()).pipeInput(record);
        advance();
    }

    /** What this index writes into the changelog of its originals, since the last call. */
    List<TestRecord<byte[], byte[]>> originals() {
        return read(names.originalsChangelog());
    }

    /** Brings what another index wrote there. */
    void migrate(String predecessor, List<TestRecord<byte[], byte[]>> originals) {
        input(new TopicNames(predecessor).originalsChangelog()).pipeRecordList(originals);
        advance();
    }

    /** Brings the end of another index to the coordinator. */
    void endMigration(String predecessor, Map<String, Long> starts) {
        String topic = new TopicNames(predecessor).originalsChangelog();
        Takeover takeover = new Takeover(List.of(0L), List.of(starts), false, List.of(0L));
        pipeSeeds(SeedRecords.end(names.seeds(), 0, topic, Optional.of(takeover)));
    }

    /** What this index writes into the changelog of its stories, since the last call. */
    List<TestRecord<byte[], byte[]>> storyRows() {
        return read(names.storiesChangelog());
    }

    /** What keepers of stories get, since the last call. */
    List<TestRecord<byte[], byte[]>> storyEvents() {
        return read(names.storyEvents());
    }

    /** Brings what another index wrote there. */
    void migrateStories(String predecessor, List<TestRecord<byte[], byte[]>> rows) {
        input(new TopicNames(predecessor).storiesChangelog()).pipeRecordList(rows);
        advance();
    }

    /** Notes what the coordinator has reported, that its end of another index has left. */
    void noteTakenOver(String predecessor) {
        seeding.noteRead(new TopicNames(predecessor).originalsChangelog(), 0, 0);
    }

    /** What coordinators report to all instances. */
    List<String> seedsRead() {
        return read(names.settings()).stream()
                .map(record -> new String(record.key(), UTF_8))
                .toList();
    }

    /** Takes in a record and gives it time to leave. */
    void arrive(TestRecord<byte[], byte[]> record) {
        pipe(record);
        advance();
    }

    void pipe(TestRecord<byte[], byte[]> record) {
        documents.pipeInput(record);
    }

    /** Straight to the index partition. */
    void pipeLookups(byte[] value) {
        input(names.lookups()).pipeInput(new byte[0], value);
    }

    /** Straight to the coordinator. */
    void pipeReplies(byte[] value) {
        input(names.replies()).pipeInput(new byte[0], value);
    }

    /** What coordinators get, since the last call. */
    List<TestRecord<byte[], byte[]>> replies() {
        return read(names.replies());
    }

    /** The answers to checks. */
    List<ToCoordinator> checks() {
        return read(names.checks()).stream()
                .flatMap(record -> MessageCodec.decodeToCoordinator(record.value()).stream())
                .toList();
    }

    Map<String, StateStore> stores() {
        return driver.getAllStateStores();
    }

    /** How many records were written to changelogs since the last call. */
    int changes() {
        return names.changelogs(config).stream()
                .mapToInt(changelog -> read(changelog).size())
                .sum();
    }

    void advance() {
        advance(GATHERING);
    }

    void advance(Duration time) {
        driver.advanceWallClockTime(time);
    }

    /** Revisions of stories, since the last call. */
    List<TestRecord<byte[], byte[]>> stories() {
        return read(config.storiesTopic());
    }

    private TestInputTopic<byte[], byte[]> input(String topic) {
        return driver.createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer());
    }

    ServiceCounts counts() {
        return counts;
    }

    /** What is counted by now of a counter, by the value of its first label; empty for all. */
    long counted(ServiceMetric metric, String firstLabel) {
        CommitListeners.after().fire();
        return firstLabel.isEmpty() ? counts.values(metric).sum() : counts.sum(metric, firstLabel);
    }

    List<TestRecord<byte[], byte[]>> unique() {
        return read("unique");
    }

    List<TestRecord<byte[], byte[]>> duplicates() {
        return read("duplicate-of");
    }

    List<TestRecord<byte[], byte[]>> deadLetters() {
        return read("dead-letter");
    }

    List<TestRecord<byte[], byte[]>> verdictRecords() {
        return read("verdicts");
    }

    List<Verdict> verdicts() throws IOException {
        List<Verdict> verdicts = new ArrayList<>();
        for (TestRecord<byte[], byte[]> record : verdictRecords()) {
            verdicts.add(VerdictCodec.decode(record.value()));
        }
        return verdicts;
    }

    private List<TestRecord<byte[], byte[]>> read(String topic) {
        return driver.createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .readRecordsToList();
    }

    @Override
    public void close() {
        driver.close();
    }
}
