package io.neardup.faults;

import io.neardup.faults.FaultSchedule.Fault;
import io.neardup.testing.BrokerCluster;
import io.neardup.testing.NewsFeed;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A seed that fails goes in here for good; -Dfaults.seed, -Dfaults.count and -Dfaults.documents make another run of it,
 * and -Dfaults.kills, -Dfaults.kills.documents and -Dfaults.kills.rate of the one with kills alone.
 */
class FaultsIT {
    /**
     * Tasks move at once, so that each instance has some when it is hit; else they wait until it has nearly all state.
     */
    private static final List<String> SETTINGS = List.of("acceptable.recovery.lag=1000000000");

    /** All of an index of over a million documents, where the other instance has been killed. */
    private static final List<String> LARGE = List.of("-Xmx1g");

    @TempDir
    private Path folder;

    @Test
    void shouldKeepThePromisesUnderFiveFaults() throws Exception {
        run(1, 1, 5, 10_000, 400);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldKeepThePromisesUnderManyFaults(int brokers) throws Exception {
        run(
                brokers,
                Long.getLong("faults.seed", 1),
                Integer.getInteger("faults.count", 35),
                Integer.getInteger("faults.documents", 300_000),
                500);
    }

    /** Half of the kills come within a second of another. */
    @Tag("slow")
    @Test
    void shouldKeepThePromisesUnderAHundredKills() throws Exception {
        long seed = Long.getLong("faults.seed", 1);
        int documents = Integer.getInteger("faults.kills.documents", 2_000_000);
        List<Fault> kills = FaultSchedule.drawKills(seed, Integer.getInteger("faults.kills", 100), documents);
        try (BrokerCluster cluster = BrokerCluster.start(folder.resolve("brokers"), 1);
                Service service = new Service(cluster, folder, LARGE, SETTINGS)) {
            new FaultRun(service, NewsFeed.generateShort(documents, seed), kills)
                    .run(FaultSchedule.INSTANCES_MIN, Integer.getInteger("faults.kills.rate", 1_250));
        }
    }

    private void run(int brokers, long seed, int faults, int documents, int documentsPerSecond) throws Exception {
        try (BrokerCluster cluster = BrokerCluster.start(folder.resolve("brokers"), brokers);
                Service service = new Service(cluster, folder, SETTINGS)) {
            new FaultRun(
                            service,
                            NewsFeed.generateShort(documents, seed),
                            FaultSchedule.draw(seed, faults, documents, brokers))
                    .run(FaultSchedule.INSTANCES_MIN, documentsPerSecond);
        }
    }
}
