package io.neardup.service.lifecycle;

import static io.neardup.testing.World.PATIENCE;
import static io.neardup.testing.World.askToHandOver;
import static io.neardup.testing.World.awaitEnd;
import static io.neardup.testing.World.awaitFollowing;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.SettingsTopic;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.Cutover.CutoverStage;
import io.neardup.testing.Feeder;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.VerdictStories;
import io.neardup.testing.World;
import io.neardup.tools.cli.CutoverRequest;
import io.neardup.tools.cli.IndexReset;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What one index refuses, keeps and ends by when it hands its input over to another; FaultsIT kills both meanwhile. */
class CutoverIT {
    private static final int GROWN = 5;

    @RegisterExtension
    static final World WORLD = new World();

    private static String before() {
        return WORLD.applicationId();
    }

    private static String after() {
        return "after-" + WORLD.applicationId();
    }

    private static String[] withStories(String... more) {
        return Stream.concat(
                        Stream.of("neardup.outputs=records,verdicts,stories", "neardup.stories.every=1s"),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    /** That it takes over from the index before. */
    private static String follows() {
        return "neardup.successor.of=" + before();
    }

    private static NeardupConfig config(String applicationId, String... more) {
        return WORLD.configOf(applicationId, more);
    }

    private static DedupService start(String applicationId, String... more) {
        return WORLD.start(config(applicationId, more));
    }

    private static void awaitAlert(DedupService service, String alert) {
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(service.alerts()).singleElement().asString().contains(alert));
    }

    @Test
    void shouldRefuseASeedOrPredecessorOfAnIndexBegunWithoutAndWhatCannotBeMadeFromThePredecessor() throws Exception {
        WORLD.createTopics(1);
        WORLD.requireProblems(config(after(), follows()), "neardup.successor.of");
        start(before()).close();
        WORLD.createTopic("corpus");
        WORLD.requireRefused(config(before(), "neardup.seed.topics=corpus"), "neardup.seed.topics", "expected none");

        WORLD.requireProblems(
                config(after(), follows(), "neardup.text.case=keep"),
                "neardup.text.case: the predecessor was made with lower, now keep");
        Records.createTopic(WORLD.servers(), "stories", 1, Map.of("cleanup.policy", "compact"));
        WORLD.send(List.of(new ProducerRecord<>("stories", "documents-0-0".getBytes(UTF_8), new byte[] {'{', '}'})));
        WORLD.requireProblems(
                config(after(), follows(), "neardup.outputs=records,stories"),
                "neardup.stories.topic: expected a topic without stories, as " + before()
                        + " has none to be taken over");
        try (DedupService follower = start(after(), follows(), "neardup.shingle=word:3")) {
            awaitFollowing(follower);
        }
        WORLD.requireProblems(config(after(), "neardup.shingle=word:3"), "expected " + before());
        WORLD.requireProblems(config(before(), "neardup.successor.of=" + after()), "expected none");
    }

    @Test
    void shouldEndWhereAnotherIndexTakesOver() throws Exception {
        WORLD.createTopics(1);
        try (DedupService old = start(before());
                DedupService follower = start(after(), follows())) {
            askToHandOver(old.config(), "other");

            awaitEnd(old);
            awaitEnd(follower);
            assertThat(follower.ended()).isCompletedExceptionally();
            awaitAlert(follower, "hands it over to other");
        }
        WORLD.requireRefused(config(after(), follows()), "hands it over to other, for good");
        WORLD.requireRefused(config(before()), "handed it over to application.id other on ");
    }

    /** The way back before that: what was asked counts for good, but not which settings the successor has. */
    @Tag("slow")
    @Test
    void shouldBeTakenOverByASuccessorThatIsMadeAnewAfterItsEnd() throws Exception {
        WORLD.createTopics(1);
        List<News> news = NewsFeed.generateShort(40, 3);
        Outputs outputs = WORLD.outputs();
        try (DedupService old = start(before())) {
            WORLD.feed(news.subList(0, 20));
            WORLD.awaitOutputs(20);
            start(after(), follows(), "neardup.similarity.threshold=0.8").close();
            askToHandOver(old.config(), after());
            awaitEnd(old);
            WORLD.feed(news.subList(20, 40));
        }
        reset(after());
        try (DedupService successor = start(after(), follows())) {
            WORLD.awaitOutputs(40);
            World.awaitReady(successor);
            Set<String> unique = keys(outputs.of(Outputs.UNIQUE));
            WORLD.feed(again(news, unique));
            WORLD.awaitOutputs(40 + unique.size());
            assertThat(again(outputs, Outputs.UNIQUE)).isEmpty();
        }
    }

    /** So no place of the new index is that of another document of the old one. */
    @Test
    void shouldCountTheGenerationsOfTheInputOnFromThePredecessor() throws Exception {
        WORLD.createTopics(1);
        start(before()).close();
        WORLD.deleteTopic("documents");
        WORLD.createTopic("documents");
        WORLD.start(config(before()).skippingDeletedInput()).close();

        start(after(), follows()).close();

        assertThat(generations(after())).hasSize(2).isEqualTo(generations(before()));
    }

    private static List<String> generations(String applicationId) {
        try (ClusterView cluster = new ClusterView(config(applicationId))) {
            return Objects.requireNonNull(cluster.requireIndex().topics().ids().get("documents"));
        }
    }

    private static void reset(String applicationId) throws IOException {
        try (ClusterView cluster = new ClusterView(config(applicationId))) {
            new IndexReset(cluster).run();
        }
    }

    /** As after a stop of days: what was removed meanwhile may have left no trace. */
    @Test
    void shouldEndWhereItMayHaveMissedWhatThePredecessorRemoved() throws Exception {
        WORLD.createTopics(1);
        try (DedupService old = start(before())) {
            start(after(), follows()).close();
            new SettingsTopic(config(after()), WORLD.cluster())
                    .note(
                            SettingsTopic.FOLLOWED,
                            System.currentTimeMillis() - Duration.ofDays(3).toMillis());

            try (DedupService follower = start(after(), follows())) {
                awaitEnd(follower);
                awaitAlert(follower, "expected to read within 2 days which originals " + before() + " has removed");
            }
            assertThat(old.ended()).isNotDone();
        }
    }

    /**
     * Keys are on other coordinators than their originals then, and tombstones are told to all. Stories are those of
     * all three, whatever partitions each has for them.
     */
    @Test
    void shouldHandOverAnIndexThatHasGrown() throws Exception {
        WORLD.createTopics(2);
        List<News> news = NewsFeed.generateShort(60, 3);
        List<News> takenBack = news.subList(0, 30);
        String third = "third-" + before();
        Outputs outputs = WORLD.outputs();
        Records.createTopic(WORLD.servers(), "verdicts", GROWN);
        Records.createTopic(WORLD.servers(), "stories", 2, Map.of("cleanup.policy", "compact"));
        DedupService old = start(before(), withStories("neardup.bands.partitions=2"));
        send(news, News::json);
        WORLD.awaitOutputs(60);
        Set<String> unique = keys(outputs.of(Outputs.UNIQUE));
        WORLD.grow("documents", GROWN);
        DedupService grown = follow(before(), after(), 3);
        handOver(before(), after());
        end(before(), old, grown);
        DedupService last = follow(after(), third, 1);
        List<AutoCloseable> heldUp = new ArrayList<>();
        for (int coordinator = 0; coordinator < GROWN; coordinator++) {
            // Coordinators hear nothing of each other.
            heldUp.add(WORLD.holdUp(after() + "-replies", coordinator));
        }
        send(takenBack, one -> null);
        handOver(after(), third);
        await().atMost(PATIENCE).until(() -> {
            nudge();
            return areAllEmpty(after());
        });
        assertThat(cutover(after()).stage()).isEqualTo(CutoverStage.ASKED);
        for (AutoCloseable one : heldUp) {
            one.close();
        }
        end(after(), grown, last);

        send(again(news, unique), News::json);
        await().atMost(PATIENCE).until(() -> {
            outputs.drain(Duration.ofMillis(200));
            return again(outputs, Outputs.UNIQUE).size()
                            + again(outputs, Outputs.DUPLICATE_OF).size()
                    == unique.size();
        });
        assertThat(last.status().isReady()).isTrue();
        outputs.readToEnd(WORLD.admin(), PATIENCE);
        VerdictStories stories = VerdictStories.awaitVerdicts(WORLD.servers(), outputs.size());
        stories.awaitTold(WORLD.servers());
        assertThat(stories.stories().values())
                .as("with copies of before and of now")
                .anyMatch(story -> story.get("copies").asInt() > 1
                        && story.get("latest").toString().contains("again-"));
        assertThat(again(outputs, Outputs.UNIQUE))
                .containsExactlyInAnyOrderElementsOf(
                        again(takenBack, unique).stream().map(News::id).toList());
    }

    /** The same documents under other ids. */
    private static List<News> again(List<News> news, Set<String> ids) {
        return news.stream()
                .filter(one -> ids.contains(one.id()))
                .map(one -> new News("again-" + one.id(), one.text()))
                .toList();
    }

    private static Set<String> again(Outputs outputs, String topic) {
        return keys(outputs.of(topic)).stream()
                .filter(key -> key.startsWith("again-"))
                .collect(Collectors.toSet());
    }

    /** A coordinator that gets no message applies a cutover when it takes a record. */
    private static void nudge() throws Exception {
        WORLD.send(IntStream.range(0, GROWN)
                .mapToObj(coordinator ->
                        new ProducerRecord<byte[], byte[]>("documents", coordinator, "nobody".getBytes(UTF_8), null))
                .toList());
    }

    private static Cutover cutover(String from) {
        try (ClusterView cluster = new ClusterView(config(from))) {
            return cluster.cutover();
        }
    }

    private static Set<String> keys(List<ConsumerRecord<byte[], byte[]>> records) {
        return records.stream().map(CutoverIT::key).collect(Collectors.toSet());
    }

    private static String key(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.key(), UTF_8);
    }

    /** To the partition of its key. */
    private static void send(List<News> news, Function<News, byte[]> value) throws Exception {
        WORLD.send(news.stream()
                .map(one -> new ProducerRecord<>("documents", one.id().getBytes(UTF_8), value.apply(one)))
                .toList());
    }

    /** Starts a successor. */
    private static DedupService follow(String from, String to, int storyPartitions) {
        DedupService successor = start(
                to,
                withStories(
                        "neardup.successor.of=" + from,
                        "neardup.bands.partitions=" + storyPartitions,
                        "neardup.similarity.threshold=0.8"));
        awaitFollowing(successor);
        return successor;
    }

    private static void handOver(String from, String to) {
        try (ClusterView cluster = new ClusterView(config(from));
                ClusterView other = new ClusterView(config(to))) {
            CutoverRequest request = new CutoverRequest(from, cluster);
            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(StartupException.class)
                    .until(() -> request.check(other, true) >= 0);
            request.ask(to);
        }
    }

    /** Stops the old one where all is empty; if it has more to do then, it does that after another start. */
    private static void end(String from, DedupService old, DedupService successor) {
        await().atMost(PATIENCE).until(() -> areAllEmpty(from));
        old.close();
        while (cutover(from).stage() != CutoverStage.EMPTY) {
            try (DedupService again = WORLD.start(old.config())) {
                awaitEnd(again);
            }
        }
        World.awaitReady(successor);
    }

    private static boolean areAllEmpty(String from) {
        Cutover now = cutover(from);
        return now.request().isPresent()
                && now.empty().size() == now.request().get().coordinators();
    }

    /** Kafka Streams would share out the work of the two again and again. */
    @Test
    void shouldRefuseToRunBesideInstancesThatStillReadThePredecessor() throws Exception {
        WORLD.createTopics(1);
        // For so long, and 4 s, a start waits for one that may have been killed.
        String folder = "state.dir=" + WORLD.folder().resolve("second");
        String session = "session.timeout.ms=1000";
        try (DedupService with = WORLD.takeOver(start(before()), config(after(), follows()))) {
            WORLD.requireRefused(
                    config(after(), folder, session),
                    "neardup.successor.of: expected it as before",
                    "stop all instances");
            WORLD.feed(NewsFeed.generateShort(20, 3));
            WORLD.awaitOutputs(20);
            assertThat(with.status().isReady()).isTrue();
        }
    }

    // ---- an input that grows

    private static final int PARTITIONS = 3;
    private static final List<News> NEWS = NewsFeed.generate(600, 5);

    private static void feed(int partitions, List<News> news) throws Exception {
        try (Feeder feeder = new Feeder(WORLD.servers(), World.DOCUMENTS, partitions)) {
            feeder.feed(news);
        }
    }

    private static List<String> keysThatLeft() {
        WORLD.outputs().drain(Duration.ofSeconds(1));
        return Outputs.ALL.stream()
                .flatMap(topic -> WORLD.outputs().of(topic).stream())
                .map(CutoverIT::key)
                .toList();
    }

    @Test
    void shouldGoOnWithItsPartitionsWhereTheInputGrows() throws Exception {
        WORLD.createTopics(PARTITIONS);
        DedupService service = WORLD.start();
        feed(PARTITIONS, NEWS.subList(0, 60));
        WORLD.awaitOutputs(60);
        WORLD.grow(World.DOCUMENTS, PARTITIONS + 2);
        World.awaitNote(service, "has 5 partitions");
        try (Feeder beyond = new Feeder(WORLD.servers(), World.DOCUMENTS, PARTITIONS + 2)) {
            beyond.feed(NEWS.get(599), PARTITIONS + 1);
        }
        feed(PARTITIONS, NEWS.subList(60, 120));
        WORLD.awaitOutputs(120);
        WORLD.stop(service);

        DedupService again = WORLD.start();

        feed(PARTITIONS, NEWS.subList(120, 180));
        WORLD.awaitOutputs(180);
        assertThat(keysThatLeft()).hasSize(180).doesNotContain(NEWS.get(599).id());
        World.awaitNote(again, "has 5 partitions");
        World.awaitReady(again);
    }
}
