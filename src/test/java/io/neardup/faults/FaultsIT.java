package io.neardup.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.faults.FaultRun.Report;
import io.neardup.faults.FaultSchedule.Fault;
import io.neardup.faults.FaultSchedule.Kind;
import io.neardup.faults.Feed.Mix;
import io.neardup.testing.BrokerCluster;
import io.neardup.testing.Fed;
import io.neardup.testing.NewsFeed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The promises under faults. A seed that fails goes in here for good; -Dfaults.seed, -Dfaults.count and
 * -Dfaults.documents make another run of it, and -Dfaults.kills, -Dfaults.kills.documents and -Dfaults.kills.rate of
 * the one with kills alone, -Dfaults.rate of the one with stories, -Dfaults.cutovers says how many cutovers.
 */
class FaultsIT {
    private static final long SEED = Long.getLong("faults.seed", 1);

    /**
     * Tasks move at once, so that each instance has some when it is hit; else they wait until it has nearly all state.
     */
    private static final String MOVES_AT_ONCE = "acceptable.recovery.lag=1000000000";

    private static final Pattern GOING_ON = Pattern.compile("opened originals folder=\\S+ offset=\\d+");

    /** So that less time goes by between a kill and what it leads to. */
    private static final List<String> SHORT_SESSION = List.of("session.timeout.ms=2500");

    /** Partitions of the input at first, and when the successor begins. */
    private static final int[][] CUTOVER_SIZES = {{4, 12}, {2, 2}, {3, 5}, {1, 1}, {4, 12}, {1, 4}, {4, 4}, {2, 3}};

    /** More than is fed in any time that a cutover may take. */
    private static final int CUTOVER_DOCUMENTS = 20_000;

    /** 8 s are measured where nothing else runs; a busy machine takes longer to start what the others did. */
    private static final Duration RECOVERY_MAX = Duration.ofSeconds(12);

    @TempDir
    private Path folder;

    @Test
    void shouldKeepThePromisesUnderAStopADoubleKillAndALostBroker() throws Exception {
        runAny(1, 1, 3, 4_500, 300);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldKeepThePromisesUnderManyFaults(int brokers) throws Exception {
        runAny(
                brokers,
                SEED,
                Integer.getInteger("faults.count", 35),
                Integer.getInteger("faults.documents", 300_000),
                500);
    }

    private void runAny(int brokers, long seed, int faults, int documents, int documentsPerSecond) throws Exception {
        List<Fault> schedule = FaultSchedule.draw(seed, faults, documents, brokers);
        try (BrokerCluster cluster = BrokerCluster.start(folder.resolve("brokers"), brokers);
                Service service = new Service(cluster, folder, List.of(MOVES_AT_ONCE))) {
            run(service, documents, seed, schedule, documentsPerSecond);
        }
    }

    private static Report run(Service service, int documents, long seed, List<Fault> schedule, int documentsPerSecond)
            throws Exception {
        return new FaultRun(service, NewsFeed.generateShort(documents, seed), schedule)
                .run(FaultSchedule.INSTANCES_MIN, documentsPerSecond);
    }

    /** Half of the kills come within a second of another. */
    @Tag("slow")
    @Test
    void shouldKeepThePromisesUnderAHundredKills() throws Exception {
        int documents = Integer.getInteger("faults.kills.documents", 2_000_000);
        List<Fault> kills = FaultSchedule.drawKills(
                SEED, Integer.getInteger("faults.kills", 100), FaultSchedule.INSTANCES_MIN, documents);
        try (BrokerCluster cluster = BrokerCluster.start(folder.resolve("brokers"), 1);
                // All of an index of over a million documents, where the other instance has been killed.
                Service service = new Service(cluster, folder, List.of(MOVES_AT_ONCE)).withHeap("1g")) {
            Report report = run(service, documents, SEED, kills, Integer.getInteger("faults.kills.rate", 1_250));

            assertThat(report.apart()).allMatch(time -> time.compareTo(Duration.ofSeconds(1)) < 0);
        }
    }

    /** Each partition of stories has some of every input partition. An instance joins in between, and one leaves. */
    @Tag("slow")
    @Test
    void shouldTellStoriesAsVerdictsDoUnderTwentyKills() throws Exception {
        int documents = Integer.getInteger("faults.documents", 60_000);
        int instances = 3;
        List<Fault> faults = new ArrayList<>(
                FaultSchedule.drawKills(SEED, Integer.getInteger("faults.kills", 20), instances, documents));
        faults.add(new Fault(documents / 3, Kind.ADD, 0, 0));
        faults.add(new Fault(documents * 2 / 3, Kind.REMOVE, 0, 0));
        faults.sort(Comparator.comparing(Fault::afterDocuments));
        List<String> settings = new ArrayList<>(SHORT_SESSION);
        settings.addAll(List.of(
                MOVES_AT_ONCE,
                "neardup.outputs=records,verdicts,stories",
                "neardup.stories.every=1s",
                "neardup.source=header:" + Fed.NAME,
                "neardup.bands.partitions=3"));
        try (BrokerCluster cluster = BrokerCluster.start(folder.resolve("brokers"), 1);
                Service service = new Service(cluster, folder, Mix.plain(8), settings)) {
            new FaultRun(service, NewsFeed.generateShort(documents, SEED), faults)
                    .run(instances, Integer.getInteger("faults.rate", 300));
        }
    }

    /** How long nothing comes out of an input partition, as one who reads the outputs sees it. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldGoOnSoonAfterAKill(int standbys) throws Exception {
        int between = 18_000;
        List<Fault> kills = IntStream.rangeClosed(1, 6)
                .mapToObj(kill -> new Fault(kill * between, Kind.KILL, kill % 2, 15_000))
                .toList();
        try (BrokerCluster cluster = BrokerCluster.start(folder.resolve("brokers"), 1);
                Service service =
                        new Service(cluster, folder, List.of(MOVES_AT_ONCE, "num.standby.replicas=" + standbys))) {
            Report report = run(service, 7 * between, 1, kills, 400);

            assertThat(report.gaps().get(Kind.KILL)).hasSize(6).allMatch(gap -> gap.compareTo(RECOVERY_MAX) < 0);
        }
    }

    /** Whoever is cut off for longer than its session has been replaced when it comes back, and is fenced. */
    @Tag("slow")
    @Test
    void shouldFenceAnInstanceThatTheNetworkHadCutOff() throws Exception {
        int documents = Integer.getInteger("faults.documents", 60_000);
        List<Fault> cuts = FaultSchedule.drawCutOffs(SEED, Integer.getInteger("faults.count", 8), documents);
        try (BrokerCluster cluster = BrokerCluster.startLinked(folder.resolve("brokers"), FaultSchedule.INSTANCES_MIN);
                Service service = new Service(cluster, folder, List.of(MOVES_AT_ONCE))) {
            run(service, documents, SEED, cuts, 300);

            assertThat(service.warnings())
                    .filteredOn(line -> line.contains("a thread lost its tasks to others"))
                    .hasSizeGreaterThanOrEqualTo((int)
                            cuts.stream().filter(Fault::isLongerThanASession).count());
        }
    }

    /** What an instance has on disk is used again after a kill, and where it has lost its tasks. */
    @Tag("slow")
    @Test
    void shouldGoOnFromItsOriginals() throws Exception {
        List<Fault> faults = List.of(new Fault(30_000, Kind.KILL, 0, 0), new Fault(40_000, Kind.PAUSE, 0, 12_000));
        try (BrokerCluster cluster = BrokerCluster.start(folder.resolve("brokers"), 1);
                Service service = new Service(
                        // So that files are written soon.
                        cluster, folder, List.of("neardup.originals.memory.bytes=1048576"))) {
            new FaultRun(service, NewsFeed.generate(50_000, 5), faults).run(1, 500);

            assertThat(GOING_ON.matcher(service.logs()).results().count())
                    .isGreaterThanOrEqualTo(2 * Service.PARTITIONS);
            assertThat(service.logs()).doesNotContain("from the whole changelog", "orrupt");
        }
    }

    @Test
    void shouldKeepThePromisesAcrossACutoverWithKills() throws Exception {
        runCutover(new Mix(2, List.of("documents"), 2, 4, false, false), SHORT_SESSION);
    }

    static List<Mix> cutovers() {
        return LongStream.range(SEED, SEED + Integer.getInteger("faults.cutovers", 20))
                .mapToObj(seed -> {
                    Random random = new Random((2 * seed + 1) * 0x9E3779B97F4A7C15L);
                    int[] sizes = CUTOVER_SIZES[(int) (seed % CUTOVER_SIZES.length)];
                    List<String> topics = random.nextBoolean() ? List.of("documents") : List.of("documents", "more");
                    return new Mix(seed, topics, sizes[0], sizes[1], random.nextInt(3) > 0, random.nextBoolean());
                })
                .toList();
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("cutovers")
    void shouldKeepThePromisesAcrossACutoverWhateverIsFed(Mix mix) throws Exception {
        runCutover(mix, List.of());
    }

    private void runCutover(Mix mix, List<String> session) throws Exception {
        System.out.println(mix);
        List<String> settings = new ArrayList<>(session);
        settings.addAll(List.of(
                "num.stream.threads=1",
                "neardup.outputs=records,verdicts,stories",
                "neardup.stories.every=1s",
                "neardup.source=header:" + Fed.NAME,
                "neardup.versions=" + (mix.hasVersions() ? "replace" : "compare"),
                // Equal, so that whatever one of them is told of is what the other would be told of.
                "neardup.hash.seed=5"));
        try (BrokerCluster cluster = BrokerCluster.start(folder.resolve("brokers"), 1);
                Service service = new Service(cluster, folder, mix, settings)) {
            new FaultRun(
                            service,
                            NewsFeed.generate(CUTOVER_DOCUMENTS, mix.seed()),
                            FaultSchedule.drawCutover(mix.seed()))
                    .run(1, FaultSchedule.CUTOVER_DOCUMENTS_PER_SECOND);
        }
    }
}
