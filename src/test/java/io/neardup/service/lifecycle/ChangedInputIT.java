package io.neardup.service.lifecycle;

import static io.neardup.testing.World.PATIENCE;
import static io.neardup.testing.World.awaitFailure;
import static io.neardup.testing.World.awaitNote;
import static io.neardup.testing.World.awaitReady;
import static io.neardup.testing.World.awaitRunning;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.config.IndexSettings;
import io.neardup.streams.store.TopicNames;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.OpenTransactions;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.World;
import java.util.List;
import java.util.Map;
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
                "run that release, or make a new index of what it has released, under another application.id with"
                        + " neardup.seed.topics=unique and outputs of other names, as src/docs/changes.md tells.");
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
}
