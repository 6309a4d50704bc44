package io.neardup.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.faults.FaultPoint.Kill;
import io.neardup.streams.store.NodeNames;
import io.neardup.streams.store.StateFolder;
import io.neardup.streams.topology.StateAudit;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
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

    private static final Predicate<String> SOME =
            Pattern.compile(System.getProperty("faults.points", "")).asPredicate();

    @RegisterExtension
    static final World WORLD = new World();

    private final List<News> news = NewsFeed.generate(2_500, 5);

    static Stream<Kill> kills() {
        return Stream.of(FaultPoint.values()).flatMap(FaultPoint::kills).filter(kill -> SOME.test(kill.toString()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kills")
    void shouldGoOnFromWhatAKillLeaves(Kill kill) throws Exception {
        WORLD.createTopics(PARTITIONS);
        int fed = kill(kill);
        Path copy = copyOfState();
        audit(copy);
        if (kill.point() == FaultPoint.RENAMED || kill.point() == FaultPoint.RENAMED_AT_STOP) {
            assertThat(StateAudit.bucketsFolders(copy)).isNotEmpty();
        }

        InstanceProcess next = start(List.of());
        WORLD.feed(news.subList(fed, news.size()));
        WORLD.awaitOutputs(news.size());

        assertThat(next.stop()).isEqualTo(STOPPED);
        WORLD.requirePromises(news);
        assertThat(next.log()).doesNotContain("ERROR");
        if (kill.point().phase != FaultPoint.Phase.START_WITH_DAMAGE) {
            assertThat(next.log()).doesNotContain("from the whole changelog", "orrupt");
        }
        assertThat(audit(state())).hasSize(PARTITIONS).allMatch(OptionalLong::isPresent);
        assertThat(StateAudit.bucketsFolders(state())).hasSize(INDEX_PARTITIONS);
    }

    // ---- the kill

    /** Returns how many news were fed before. */
    private int kill(Kill kill) throws Exception {
        List<String> agent = FaultAgent.options(WORLD.folder(), kill.point(), kill.hit(), kill.isFlushed());
        FaultPoint.Phase phase = kill.point().phase;
        boolean isAtStart = phase != FaultPoint.Phase.WORK && phase != FaultPoint.Phase.STOP;
        InstanceProcess first = start(isAtStart ? List.of() : agent);
        if (phase == FaultPoint.Phase.WORK) {
            int fed = feedWhileAlive(first);
            assertKilled(first, kill);
            return fed;
        }
        WORLD.feed(news.subList(0, FIRST));
        WORLD.awaitOutputs(FIRST);
        assertThat(first.stop()).as(first.log()).isEqualTo(isAtStart ? STOPPED : KILLED);
        if (phase == FaultPoint.Phase.START_WITHOUT_ORIGINALS) {
            Utils.delete(state().resolve("originals").toFile());
        }
        if (phase == FaultPoint.Phase.START_WITH_DAMAGE) {
            damage();
        }
        if (isAtStart) {
            assertKilled(start(agent), kill);
        }
        return FIRST;
    }

    private static void assertKilled(InstanceProcess instance, Kill kill) throws Exception {
        assertThat(instance.awaitEnd(World.PATIENCE)).as(instance.log()).isEqualTo(KILLED);
        assertThat(instance.log()).contains(FaultAgent.lastWords(kill.point()));
    }

    private static InstanceProcess start(List<String> jvmOptions) throws IOException {
        return WORLD.closeLater(InstanceProcess.start(
                WORLD.folder().resolve("instance"),
                jvmOptions,
                WORLD.settings(
                        "num.stream.threads=2", // As a user's service has.
                        "neardup.banding=" + BANDS + "x5",
                        "neardup.bands.partitions=" + INDEX_PARTITIONS,
                        "neardup.originals.memory.bytes=1048576"))); // So that files are written soon.
    }

    /** Slice by slice, each when the one before is out, so that many commits come; returns how many were fed. */
    private int feedWhileAlive(InstanceProcess instance) throws Exception {
        int fed = 0;
        while (fed < FIRST && instance.isAlive()) {
            WORLD.feed(news.subList(fed, fed + SLICE));
            fed += SLICE;
            int due = fed;
            await("out, or killed").atMost(World.PATIENCE).until(() -> {
                WORLD.outputs().drain(Duration.ofMillis(20));
                return WORLD.outputs().size() >= due || !instance.isAlive();
            });
        }
        return fed;
    }

    // ---- what lies on the disk

    /** Below the folder of the index. */
    private static Path state() throws IOException {
        try (Stream<Path> indexes =
                Files.list(WORLD.folder().resolve("instance").resolve("state"))) {
            return indexes.map(index -> index.resolve(WORLD.applicationId()))
                    .filter(Files::isDirectory)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** To look at: whoever opens originals changes them. */
    private static Path copyOfState() throws IOException {
        Path copy = WORLD.folder().resolve("copy");
        Path state = state();
        try (Stream<Path> files = Files.walk(state)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(state.relativize(file)));
            }
        }
        return copy;
    }

    /** Returns up to where the originals of each coordinator reach. */
    private static List<OptionalLong> audit(Path state) throws IOException {
        StateAudit audit = new StateAudit(WORLD.servers(), WORLD.applicationId(), BANDS);
        for (Path buckets : StateAudit.bucketsFolders(state)) {
            audit.checkBuckets(buckets);
        }
        List<OptionalLong> reached = new ArrayList<>();
        for (Path originals : StateFolder.all(NodeNames.ORIGINALS, state)) {
            reached.add(audit.checkOriginals(originals));
        }
        return reached;
    }

    /** The second half of each file of originals. */
    private static void damage() throws IOException {
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
