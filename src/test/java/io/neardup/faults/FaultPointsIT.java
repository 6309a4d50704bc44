package io.neardup.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.streams.store.StateFolder;
import io.neardup.streams.topology.StateAudit;
import io.neardup.testing.Feeder;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Promises;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A kill at every {@link FaultPoint}: what lies on the disk then is what the changelogs say up to some offset, the next
 * start goes on from it, and the promises are kept.
 *
 * <p>-Dfaults.points takes a pattern of some kills, as in "WRITTEN, hit=2".
 */
@Tag("slow")
class FaultPointsIT {
    private static final int PARTITIONS = 2;
    private static final int BANDS = 20;
    private static final int INDEX_PARTITIONS = 4;
    private static final int SLICE = 100;
    private static final int FIRST = 1_500;
    private static final int KILLED = 128 + 9;
    private static final int STOPPED = 128 + 15;
    private static final String APPLICATION = "points";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final List<Kill> ALL = all();
    private static final Pattern SOME = Pattern.compile(System.getProperty("faults.points", ""));

    @RegisterExtension
    static final SharedBroker BROKER = new SharedBroker();

    @TempDir
    private Path folder;

    private final List<News> news = NewsFeed.generate(2_500, 5);
    private String servers;

    /**
     * A kill.
     *
     * @param hit at which arrival at the point, counted from 1
     * @param isFlushed whether RocksDB has what it was given in files then
     */
    private record Kill(FaultPoint point, int hit, boolean isFlushed) {}

    static Stream<Kill> kills() {
        return ALL.stream().filter(kill -> SOME.matcher(kill.toString()).find());
    }

    /**
     * Two coordinators and four band tables take turns. So 1 and 2 are two coordinators of one commit, 17 the fifth of
     * a table, of several.
     */
    private static List<Kill> all() {
        return Stream.of(
                        of(FaultPoint.BEFORE_COMMIT, true, 2, 12),
                        of(FaultPoint.COMMITTED, true, 2, 12),
                        of(FaultPoint.BEFORE_OFFSET, false, 1),
                        of(FaultPoint.BEFORE_OFFSET, true, 2, 11),
                        of(FaultPoint.BEFORE_WRITE, false, 1),
                        of(FaultPoint.BEFORE_WRITE, true, 2, 11),
                        of(FaultPoint.WRITTEN, false, 11),
                        of(FaultPoint.WRITTEN, true, 1, 2, 11),
                        of(FaultPoint.FLUSH_BEGUN, false, 1, 4),
                        of(FaultPoint.FILE_WRITTEN, false, 1, 2, 5),
                        of(FaultPoint.FLUSHED, false, 1, 2, 5),
                        of(FaultPoint.SEGMENT_BEGUN, false, 1, 77),
                        of(FaultPoint.SEGMENT_WRITTEN, false, 1, 17),
                        of(FaultPoint.SEGMENT_TAKEN, false, 1, 17),
                        of(FaultPoint.BEFORE_RENAME, false, 1, 17),
                        of(FaultPoint.RENAMED, false, 1, 17),
                        of(FaultPoint.SEGMENT_DELETED, false, 1, 5),
                        of(FaultPoint.BEFORE_FLUSH_AT_STOP, false, 1, 2),
                        of(FaultPoint.FLUSHED_AT_STOP, false, 1, 2),
                        of(FaultPoint.BEFORE_RENAME_AT_STOP, false, 1, 4),
                        of(FaultPoint.RENAMED_AT_STOP, false, 1, 4),
                        of(FaultPoint.RESTORED_PART, true, 1),
                        of(FaultPoint.DELETED_PART, false, 1, 3, 6))
                .flatMap(some -> some)
                .toList();
    }

    private static Stream<Kill> of(FaultPoint point, boolean isFlushed, int... hits) {
        return Arrays.stream(hits).mapToObj(hit -> new Kill(point, hit, isFlushed));
    }

    @BeforeEach
    void createTopics() throws Exception {
        servers = BROKER.bootstrapServers();
        Records.createTopics(servers, Outputs.WITH_INPUT, PARTITIONS);
    }

    @AfterEach
    void deleteTopics() throws Exception {
        BROKER.deleteTopics();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kills")
    void shouldGoOnFromWhatAKillLeaves(Kill kill) throws Exception {
        try (Outputs outputs = new Outputs(servers)) {
            int fed = kill(kill, outputs);
            Path copy = copyOfState();
            audit(copy);
            if (kill.point() == FaultPoint.RENAMED || kill.point() == FaultPoint.RENAMED_AT_STOP) {
                assertThat(StateAudit.bucketsFolders(copy)).isNotEmpty();
            }
            try (InstanceProcess next = start(List.of())) {
                feed(fed, news.size());
                outputs.await(news.size(), PATIENCE);
                outputs.drain(Duration.ofMillis(500));
                new Promises(news, outputs).check(PARTITIONS);
                assertThat(next.stop()).isEqualTo(STOPPED);
                assertThat(next.log()).doesNotContain("ERROR");
                if (kill.point().phase != FaultPoint.Phase.START_WITH_DAMAGE) {
                    assertThat(next.log()).doesNotContain("from the whole changelog", "orrupt");
                }
            }
            assertThat(audit(state())).hasSize(PARTITIONS).allMatch(OptionalLong::isPresent);
            assertThat(StateAudit.bucketsFolders(state())).hasSize(INDEX_PARTITIONS);
        }
    }

    @Test
    void shouldKillAtEveryPoint() {
        assertThat(ALL).extracting(Kill::point).contains(FaultPoint.values());
    }

    // ---- the kill

    /** Returns how many news were fed before. */
    private int kill(Kill kill, Outputs outputs) throws Exception {
        List<String> agent = FaultAgent.options(folder, kill.point(), kill.hit(), kill.isFlushed());
        FaultPoint.Phase phase = kill.point().phase;
        boolean isAtStart = phase != FaultPoint.Phase.WORK && phase != FaultPoint.Phase.STOP;
        int fed = FIRST;
        try (InstanceProcess first = start(isAtStart ? List.of() : agent)) {
            if (phase == FaultPoint.Phase.WORK) {
                fed = feedWhileAlive(first, outputs);
                assertKilled(first, kill);
                return fed;
            }
            feed(0, fed);
            outputs.await(fed, PATIENCE);
            assertThat(first.stop()).as(first.log()).isEqualTo(isAtStart ? STOPPED : KILLED);
        }
        if (phase == FaultPoint.Phase.START_WITHOUT_ORIGINALS) {
            Utils.delete(state().resolve("originals").toFile());
        }
        if (phase == FaultPoint.Phase.START_WITH_DAMAGE) {
            damage();
        }
        if (isAtStart) {
            try (InstanceProcess second = start(agent)) {
                assertKilled(second, kill);
            }
        }
        return fed;
    }

    private static void assertKilled(InstanceProcess instance, Kill kill) throws Exception {
        assertThat(instance.awaitEnd(PATIENCE)).as(instance.log()).isEqualTo(KILLED);
        assertThat(instance.log()).contains(FaultAgent.lastWords(kill.point()));
    }

    private InstanceProcess start(List<String> jvmOptions) throws IOException {
        return InstanceProcess.start(
                folder.resolve("instance"),
                jvmOptions,
                List.of(
                        "bootstrap.servers=" + servers,
                        "application.id=" + APPLICATION,
                        "replication.factor=1",
                        "neardup.banding=" + BANDS + "x5",
                        "neardup.bands.partitions=" + INDEX_PARTITIONS,
                        "neardup.originals.memory.bytes=1048576", // So that files are written soon.
                        "neardup.hash.seed=1"));
    }

    /** Slice by slice, each when the one before is out, so that many commits come; returns how many were fed. */
    private int feedWhileAlive(InstanceProcess instance, Outputs outputs) throws Exception {
        int fed = 0;
        while (fed < FIRST && instance.isAlive()) {
            feed(fed, fed + SLICE);
            fed += SLICE;
            int due = fed;
            await("out, or killed").atMost(PATIENCE).until(() -> {
                outputs.drain(Duration.ofMillis(20));
                return outputs.size() >= due || !instance.isAlive();
            });
        }
        return fed;
    }

    private void feed(int from, int to) throws Exception {
        try (Feeder feeder = new Feeder(servers, "documents", PARTITIONS)) {
            feeder.feed(news.subList(from, to));
        }
    }

    // ---- what lies on the disk

    /** Below the folder of the index. */
    private Path state() throws IOException {
        try (Stream<Path> indexes = Files.list(folder.resolve("instance").resolve("state"))) {
            return indexes.map(index -> index.resolve(APPLICATION))
                    .filter(Files::isDirectory)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** To look at: whoever opens originals changes them. */
    private Path copyOfState() throws IOException {
        Path copy = folder.resolve("copy");
        Path state = state();
        try (Stream<Path> files = Files.walk(state)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(state.relativize(file)));
            }
        }
        return copy;
    }

    /** Returns up to where the originals of each coordinator reach. */
    private List<OptionalLong> audit(Path state) throws IOException {
        StateAudit audit = new StateAudit(servers, APPLICATION, BANDS);
        for (Path buckets : StateAudit.bucketsFolders(state)) {
            audit.checkBuckets(buckets);
        }
        List<OptionalLong> reached = new ArrayList<>();
        for (Path originals : StateFolder.all(StateFolder.ORIGINALS, state)) {
            reached.add(audit.checkOriginals(originals));
        }
        return reached;
    }

    /** The second half of each file of originals. */
    private void damage() throws IOException {
        try (Stream<Path> files = Files.walk(state().resolve("originals"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".sst")).toList()) {
                byte[] content = Files.readAllBytes(file);
                Arrays.fill(content, content.length / 2, content.length, (byte) 7);
                Files.write(file, content);
            }
        }
    }
}
