package io.neardup.service.lifecycle;

import static io.neardup.testing.World.PATIENCE;
import static io.neardup.testing.World.awaitFailure;
import static io.neardup.testing.World.awaitNote;
import static io.neardup.testing.World.awaitReady;
import static io.neardup.testing.World.awaitRunning;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.config.IndexSettings;
import io.neardup.config.NeardupConfig;
import io.neardup.streams.store.TopicNames;
import io.neardup.testing.ApicurioProducer;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.OpenTransactions;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.RegistryServer;
import io.neardup.testing.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The changes of input, release and index that are most likely: {@link ChangedWorldIT} makes all others. */
class ChangedInputIT {
    private static final int PARTITIONS = 2;
    private static final List<News> NEWS = NewsFeed.generate(200, 11);
    private static final List<News> FIRST = NEWS.subList(0, 100);
    private static final List<News> SECOND = NEWS.subList(100, 200);

    private static final String ADDED = "documents2";
    private static final String BOTH = "neardup.input.topics=documents,documents2";
    private static final String UNASSIGNED = "no instance is assigned the input topics [documents2]";
    private static final String NEW_INDEX = "is new, and its outputs hold records already";

    @RegisterExtension
    static final World WORLD = new World();

    @BeforeEach
    void createTopics() throws Exception {
        WORLD.createTopics(PARTITIONS);
    }

    /** As the cluster does by itself where a service stands still for longer than brokers keep positions. */
    @Test
    void shouldGoOnAtItsOwnPositionsWhereThoseOfTheGroupAreForgotten() throws Exception {
        WORLD.runWith(FIRST, WORLD.configElsewhere());
        WORLD.forgetPositions();

        WORLD.runWith(SECOND, WORLD.configElsewhere());

        WORLD.requirePromises(NEWS);
    }

    @Test
    void shouldStopWhereInputWasDeletedBeforeItWasRead() throws Exception {
        WORLD.runWith(FIRST, WORLD.configElsewhere());
        WORLD.feed(SECOND);
        WORLD.deleteRecords(World.DOCUMENTS, 75);

        awaitFailure(
                WORLD.startElsewhere(),
                "input documents-0: expected to go on from offset 51, found 75 as the first: 24 offsets were deleted"
                        + " before their records had left");
        WORLD.runUntil(NEWS.size() - 24, WORLD.configElsewhere().skippingDeletedInput());

        WORLD.requireOutputs(NEWS.size() - 24);
    }

    @Test
    void shouldReadAnInputMadeAgainFromItsBeginningOnRequest() throws Exception {
        WORLD.runWith(FIRST, WORLD.configElsewhere());
        WORLD.deleteTopic(World.DOCUMENTS);
        WORLD.createTopic(World.DOCUMENTS);

        WORLD.requireRefused(
                WORLD.configElsewhere(),
                "input topic documents: expected the topic that was read before, found another");
        WORLD.runWith(SECOND.subList(0, 50), WORLD.configElsewhere().skippingDeletedInput());
        WORLD.runWith(SECOND.subList(50, SECOND.size()), WORLD.configElsewhere());

        WORLD.requirePromises(NEWS);
    }

    /** What 0.2.1 writes into the settings topic of a new index of the default settings. */
    private static final String MADE_BY_0_2 = "{\"format\":1,\"index\":\"9c6d8a0e-6a3f-4b0c-9d5a-0a3a6b0b9a57\","
            + "\"settings\":{\"band-keys.version\":\"1\",\"input.partitions\":\"2\",\"layout.band-log\":\"2\","
            + "\"layout.messages\":\"11\",\"layout.progress\":\"1\",\"layout.state\":\"7\",\"neardup.bands\":\"26\","
            + "\"neardup.bands.partitions\":\"2\",\"neardup.rows\":\"5\",\"neardup.shingle\":\"char:9\"},"
            + "\"hashSeed\":1,\"release\":\"0.2.1\"}";

    @Test
    void shouldRefuseAnIndexOfOtherLayoutsAndLeaveItAsItIs() throws Exception {
        writeSettings("unversioned", settingsRecord(Map.of()));
        writeSettings("later", settingsRecord(Map.of("state", 99)).replace("}}", "},\"release\":\"9.9\",\"more\":{}}"));
        writeSettings("kept", MADE_BY_0_2);
        TopicNames kept = new TopicNames("kept");
        Records.createTopics(WORLD.servers(), List.of(kept.lookups(), kept.replies()), PARTITIONS);
        Records.createTopics(WORLD.servers(), kept.changelogs(), PARTITIONS);
        Records.createTopic(WORLD.servers(), kept.checks(), 1);
        Map<TopicPartition, Long> before = OpenTransactions.ends(WORLD.admin(), IsolationLevel.READ_UNCOMMITTED);

        WORLD.requireRefused(
                WORLD.config("application.id=kept", "neardup.bands.partitions=2"),
                "kept was made by release 0.2.1",
                "layout.band-log: the index was made with 2, this release reads 4",
                "layout.messages: the index was made with 11, this release reads 14",
                "layout.progress: the index was made with 1, this release reads nothing",
                "layout.state: the index was made with 7, this release reads 10");
        Map<TopicPartition, Long> after = OpenTransactions.ends(WORLD.admin(), IsolationLevel.READ_UNCOMMITTED);
        // Registering for transactions writes there.
        after.keySet().removeIf(partition -> partition.topic().startsWith("__"));
        before.keySet().removeIf(partition -> partition.topic().startsWith("__"));
        assertThat(after).isEqualTo(before);
        WORLD.requireRefused(
                WORLD.config("application.id=unversioned"),
                "layout.state: the index was made with nothing, this release reads 10",
                "was made by an earlier release",
                "run that release, or seed a new index from the unique documents of this one, under another"
                        + " application.id with neardup.seed.topics=unique and outputs of other names, as"
                        + " src/docs/changes.md tells.");
        WORLD.requireRefused(
                WORLD.config("application.id=later"),
                "layout.state: the index was made with 99, this release reads 10",
                "was made by release 9.9");
    }

    private static String settingsRecord(Map<String, Integer> layouts) throws Exception {
        Map<String, String> settings =
                IndexSettings.of(WORLD.config(), PARTITIONS, layouts).entries();
        return "{\"format\":1,\"index\":\"i\",\"hashSeed\":1,\"settings\":"
                + new ObjectMapper().writeValueAsString(settings) + "}";
    }

    private static void writeSettings(String application, String settings) throws Exception {
        String topic = application + "-settings";
        Records.createTopic(WORLD.servers(), topic, 1);
        WORLD.send(List.of(new ProducerRecord<>(topic, "i".getBytes(UTF_8), settings.getBytes(UTF_8))));
    }

    @Test
    void shouldStopWhenATopicOfItsOwnGrows() throws Exception {
        DedupService service = WORLD.start();
        await("work beside the tasks").atMost(PATIENCE).until(() -> periodicThreads() > 0);
        String replies = WORLD.applicationId() + "-replies";
        WORLD.grow(replies, PARTITIONS + 1);

        awaitFailure(
                service,
                "topic " + replies + ": expected the one that the service started with, with 2 partitions, found 3");
        await("no thread that looks at the topics").atMost(PATIENCE).until(() -> periodicThreads() == 0);
    }

    private static long periodicThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(PeriodicWork.THREAD))
                .count();
    }

    // ---- an input topic that is added to the settings of one instance after the other

    /** The first instance leads the group, and shares out what it knows of alone. */
    @Test
    void shouldTellAtOneThatHasAnInputTopicAsLongAsNotAllHaveIt() throws Exception {
        WORLD.createTopic(ADDED);
        DedupService lacking = WORLD.start();
        awaitRunning(lacking);
        DedupService wrong = WORLD.startElsewhere(BOTH);
        awaitNote(wrong, UNASSIGNED);
        WORLD.stop(wrong);

        DedupService added = WORLD.startElsewhere(BOTH);
        WORLD.feed(FIRST);
        WORLD.feed(ADDED, SECOND);
        WORLD.awaitOutputs(FIRST.size());
        awaitNote(added, UNASSIGNED);
        WORLD.outputs().readToEnd(WORLD.admin(), PATIENCE);
        assertThat(WORLD.outputs().size()).isEqualTo(FIRST.size());

        WORLD.stop(lacking);
        requireAllRead(WORLD.start(BOTH), added);
    }

    /** Kafka Streams by itself would share out again without end, and none of the input would be read. */
    @Tag("slow")
    @Test
    void shouldGoOnWithWhatAllReadWhereTheInstanceThatLeadsReadsMore() throws Exception {
        WORLD.createTopic(ADDED);
        DedupService leader = WORLD.start(BOTH);
        awaitRunning(leader);
        DedupService lacking = WORLD.startElsewhere();
        await("two instances").atMost(PATIENCE).until(() -> WORLD.members() == 2 && lacking.isRunning());
        WORLD.feed(FIRST);
        WORLD.awaitOutputs(FIRST.size());
        WORLD.stop(lacking);

        WORLD.feed(ADDED, SECOND);
        requireAllRead(leader, WORLD.startElsewhere(BOTH));
    }

    /** The tasks of the others would lose the topic while they run, at which Kafka Streams 4.3.1 fails. */
    @Test
    void shouldRefuseToStartWithoutAnInputTopicThatOthersRead() throws Exception {
        WORLD.createTopic(ADDED);
        DedupService service = WORLD.start(BOTH);
        WORLD.feed(ADDED, SECOND);
        WORLD.awaitOutputs(SECOND.size());

        WORLD.requireRefused(
                // For so long, and 4 s, it waits for one that may have been killed.
                WORLD.configElsewhere("session.timeout.ms=1000"),
                "topic documents2: expected no instance to read it any more before it is taken out of"
                        + " neardup.input.topics, found instances that do; stop all instances first, or put it back");
        WORLD.feed(FIRST);
        WORLD.awaitOutputs(NEWS.size());
        WORLD.stop(service);
        WORLD.startElsewhere().close();
    }

    private static void requireAllRead(DedupService... services) throws Exception {
        WORLD.awaitOutputs(NEWS.size());
        for (DedupService service : services) {
            await("no word of inputs").atMost(PATIENCE).until(() -> service.alerts().stream()
                    .noneMatch(note -> note.contains(ADDED)));
        }
        for (DedupService service : services) {
            WORLD.stop(service);
        }
        WORLD.requirePromises(NEWS);
    }

    // ---- a new index where another has been, as by a slip in application.id

    private static DedupService start(String applicationId) {
        // So that it has its name again when it is started again.
        return WORLD.startElsewhere("application.id=" + applicationId, "client.id=" + applicationId);
    }

    private static boolean tells(DedupService service) {
        return service.alerts().stream().anyMatch(note -> note.contains(NEW_INDEX));
    }

    /** One that has said nothing when another, started later, has said so, has looked as well. */
    @Test
    void shouldSayThatTheOutputsHoldRecordsOfAnother() throws Exception {
        WORLD.feed(NEWS);
        DedupService first = start("first");
        WORLD.awaitOutputs(NEWS.size());

        DedupService slip = start("slip");
        awaitNote(slip, NEW_INDEX);
        assertThat(slip.alerts())
                .singleElement()
                .asString()
                .startsWith("application.id slip " + NEW_INDEX + ", topics [duplicate-of, unique]: ");
        assertThat(tells(first)).isFalse();
        WORLD.stop(slip);
        // It has the name of the one that made the index.
        DedupService restarted = start("slip");
        awaitReady(restarted);
        assertThat(tells(restarted)).isFalse();
        WORLD.stop(restarted);

        WORLD.outputs().readToEnd(WORLD.admin(), PATIENCE);
        int before = WORLD.outputs().size();
        for (String topic : Outputs.ALL) {
            WORLD.deleteAllRecords(topic);
        }
        DedupService emptied = start("emptied");
        WORLD.awaitOutputs(before + 1);
        DedupService last = start("last");
        awaitNote(last, NEW_INDEX);
        assertThat(tells(emptied)).isFalse();
        assertThat(tells(first)).isFalse();
    }

    // ---- a topic that changed over from JSON to Avro, and a registry that is away

    private static final List<News> MIXED = NewsFeed.generate(300, 39);
    private static final Schema SCHEMA = new Schema.Parser()
            .parse("{\"type\":\"record\",\"name\":\"News\",\"fields\":[{\"name\":\"id\",\"type\":\"string\"},"
                    + "{\"name\":\"text\",\"type\":[\"null\",\"string\"]}]}");

    /** Partition 1 has JSON alone; in partition 0 Avro comes after the first documents. */
    @Test
    void shouldHoldUpNothingButWhatWaitsForASchemaAndLoseNone() throws Exception {
        RegistryServer registry = WORLD.closeLater(new RegistryServer());
        registry.schema("ids/7", SCHEMA.toString());
        registry.failWith(503, "");
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        ApicurioProducer inFront = new ApicurioProducer(7, Map.of());
        ApicurioProducer inHeader = new ApicurioProducer(7, Map.of("apicurio.registry.headers.enabled", "true"));
        int readable = 0;
        for (int i = 0; i < MIXED.size(); i++) {
            News news = MIXED.get(i);
            boolean isJson = i % 2 == 1 || i < 20 || i % 6 == 0;
            readable += i % 2 == 1 || i < 20 ? 1 : 0;
            ProducerRecord<byte[], byte[]> record = isJson
                    ? new ProducerRecord<>(World.DOCUMENTS, i % 2, null, news.json())
                    : avro(i % 4 == 0 ? inFront : inHeader, news, i % 2);
            records.add(record);
        }
        WORLD.send(records);

        String[] settings = {"neardup.document.format=auto", "neardup.registry.url=" + registry.url()};
        DedupService service = WORLD.start(settings);
        awaitRunning(service);
        WORLD.awaitOutputs(readable);
        awaitNote(service, "input waits for a schema, as the registry cannot be reached: " + registry.url());
        WORLD.outputs().readToEnd(WORLD.admin(), PATIENCE);
        assertThat(WORLD.outputs().size()).as("what needs no schema").isEqualTo(readable);
        WORLD.stop(service);

        // Nothing of what waits was committed.
        DedupService another = WORLD.start(settings);
        awaitNote(another, "input waits for a schema");
        registry.failWith(0, "");
        WORLD.awaitOutputs(MIXED.size());
        WORLD.stop(another);

        WORLD.requireOutputs(MIXED.size());
        assertThat(WORLD.outputs().of(Outputs.DEAD_LETTER)).isEmpty();
        assertThat(WORLD.outputs().of(Outputs.DUPLICATE_OF)).isNotEmpty();
        assertThat(WORLD.outputs().of(Outputs.UNIQUE).stream()
                        .map(ConsumerRecord::value)
                        .filter(value -> records.stream()
                                .anyMatch(sent -> sent.value() != null && Arrays.equals(sent.value(), value))))
                .as("byte for byte")
                .hasSameSizeAs(WORLD.outputs().of(Outputs.UNIQUE));
    }

    private static ProducerRecord<byte[], byte[]> avro(ApicurioProducer producer, News news, int partition) {
        GenericRecord value = new GenericData.Record(SCHEMA);
        value.put("id", news.id());
        value.put("text", news.text());
        ProducerRecord<byte[], byte[]> empty = new ProducerRecord<>(World.DOCUMENTS, partition, null, null);
        byte[] bytes = producer.value(value, empty.headers());
        return new ProducerRecord<>(World.DOCUMENTS, partition, null, null, bytes, empty.headers());
    }

    // ---- an input topic that is taken out while documents of it wait behind one that is pending

    private static final String REMOVED = "extra";
    private static final String WITH_REMOVED = "neardup.input.topics=documents,extra";
    private static final Pattern ID = Pattern.compile("extra-([0-9]+)");
    private static final List<Integer> TEXTS = IntStream.range(0, 20).boxed().toList();

    private static void leaveDocumentsBehindOneThatIsPending() throws Exception {
        WORLD.createTopic(REMOVED);
        DedupService service = WORLD.start(configOfTexts(WITH_REMOVED));
        AutoCloseable lookups = WORLD.holdUp(WORLD.applicationId() + "-lookups", 0);
        feedTexts(REMOVED);
        await("an original that has not left").atMost(PATIENCE).until(() -> !heldOriginals()
                .isEmpty());
        // Or it would go on where the transaction ends, and more would leave.
        WORLD.stop(service);
        lookups.close();
    }

    /** A document is looked up in one index partition alone; the seed says in which. */
    private static NeardupConfig configOfTexts(String... more) {
        return WORLD.configElsewhere(Stream.concat(
                        Stream.of("neardup.signature=exact", "neardup.bands.partitions=2", "neardup.hash.seed=1"),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    private static void feedTexts(String topic) throws Exception {
        WORLD.send(TEXTS.stream()
                .map(text -> "{\"id\":\"" + topic + "-" + text + "\",\"text\":\"the text of number " + text + "\"}")
                .map(json -> new ProducerRecord<byte[], byte[]>(topic, 0, null, json.getBytes(UTF_8)))
                .toList());
    }

    /**
     * The texts of originals that have not left. An original is written in the transaction that it may leave in, so
     * what has left is read after it.
     */
    private static Set<Integer> heldOriginals() {
        Set<Integer> held = numbers(WORLD.applicationId() + "-originals-changelog");
        held.removeAll(numbers(Outputs.UNIQUE));
        return held;
    }

    /** What there is committed in the first partition. */
    private static Set<Integer> numbers(String topic) {
        return Records.read(WORLD.servers(), topic).stream()
                .map(record -> new String(record.value(), ISO_8859_1))
                .flatMap(value -> ID.matcher(value).results())
                .map(found -> Integer.valueOf(found.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void requireEveryDuplicateToNameWhatIsOnUnique() {
        Set<String> unique = WORLD.outputs().of(Outputs.UNIQUE).stream()
                .map(record -> new String(record.value(), UTF_8).replaceAll(".*\"id\":\"([^\"]*)\".*", "$1"))
                .collect(Collectors.toSet());
        assertThat(WORLD.outputs().of(Outputs.DUPLICATE_OF))
                .extracting(record -> Outputs.header(record, "neardup.duplicate-of"))
                .allMatch(unique::contains);
    }

    @Test
    void shouldRefuseToForgetWhatHasNotLeftBeforeItHasDrained() throws Exception {
        leaveDocumentsBehindOneThatIsPending();
        WORLD.requireProblems(
                configOfTexts(),
                "topic extra, partition 0: expected all that was read to have left before the topic is taken out of"
                        + " neardup.input.topics, found that at most ",
                "Put the topic back",
                "--input-removed forget");

        WORLD.runUntil(TEXTS.size(), configOfTexts(WITH_REMOVED));
        feedTexts("documents");
        WORLD.runUntil(2 * TEXTS.size(), configOfTexts());

        assertThat(WORLD.outputs().of(Outputs.DUPLICATE_OF)).hasSameSizeAs(TEXTS);
        requireEveryDuplicateToNameWhatIsOnUnique();
    }

    @Test
    void shouldForgetOnRequestWhatHasNotLeft() throws Exception {
        leaveDocumentsBehindOneThatIsPending();
        int left = numbers(Outputs.UNIQUE).size();
        feedTexts("documents");
        WORLD.runUntil(left + TEXTS.size(), configOfTexts().forgettingRemovedInput());
        assertThat(WORLD.outputs().of(Outputs.DUPLICATE_OF)).hasSize(left);
        requireEveryDuplicateToNameWhatIsOnUnique();

        WORLD.start(configOfTexts()).close();
        WORLD.runUntil(2 * TEXTS.size(), configOfTexts(WITH_REMOVED));
        WORLD.requireOutputs(2 * TEXTS.size());
        assertThat(WORLD.outputs().of(Outputs.UNIQUE)).hasSameSizeAs(TEXTS);
        requireEveryDuplicateToNameWhatIsOnUnique();
    }
}
