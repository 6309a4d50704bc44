package io.neardup.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.faults.FaultSchedule.Fault;
import io.neardup.faults.FaultSchedule.Kind;
import io.neardup.service.lifecycle.StartChecks;
import io.neardup.service.lifecycle.StartChecks.Finding;
import io.neardup.service.lifecycle.StartChecks.Result;
import io.neardup.testing.BrokerCluster;
import io.neardup.testing.BrokerJars;
import io.neardup.testing.NewsFeed;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The service on brokers of other versions: the only instance is killed in the middle of a feed. The profile brokers
 * brings their jars; the operations chapter has the versions in a table.
 */
@Tag("brokers")
class BrokerVersionsIT {
    private static final Path JARS = Path.of("target", "brokers");
    private static final int DOCUMENTS = Integer.getInteger("brokers.documents", 20_000);
    private static final int DOCUMENTS_PER_SECOND = 1_000;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "3.6.2, true, true",
        "3.7.2, true, true",
        "3.8.1, false, true",
        "3.9.1, false, true",
        "4.0.2, false, false",
        "4.1.2, false, false",
        "4.2.2, false, false",
        "own, false, false",
        "4.4.0, false, false"
    })
    void shouldLoseNothingWhenTheOnlyInstanceIsKilled(String version, boolean withoutAge, boolean withoutFence)
            throws Exception {
        BrokerJars jars = version.equals("own") ? BrokerJars.own() : BrokerJars.in(JARS.resolve(version));
        System.out.println("broker " + version);
        try (BrokerCluster cluster = BrokerCluster.start(folder.resolve("brokers"), 1, jars);
                Service service = new Service(cluster, folder, List.of())) {
            assertReady(cluster);
            List<Fault> kill = List.of(new Fault(DOCUMENTS / 2, Kind.KILL, 0, 0));
            new FaultRun(service, NewsFeed.generateShort(DOCUMENTS, 1), kill).run(1, DOCUMENTS_PER_SECOND);

            assertToldOnce(service.instance(0).log(), "cannot list transactions by age", withoutAge);
            assertToldOnce(service.instance(0).log(), "do not use transaction.version 2", withoutFence);
        }
    }

    /** What a start looks at is there. */
    private void assertReady(BrokerCluster cluster) {
        NeardupConfig config = NeardupConfig.forCluster(new Settings()
                .pairs(List.of(
                        "bootstrap.servers=" + cluster.bootstrapServers(), "state.dir=" + folder.resolve("none"))));

        List<Finding> findings = StartChecks.report(config, Optional.empty(), () -> {});

        assertThat(findings).extracting(Finding::result).doesNotContain(Result.WRONG, Result.SKIPPED);
    }

    /** In each of both starts. */
    private static void assertToldOnce(String log, String lack, boolean told) {
        assertThat(log.lines().filter(line -> line.contains(lack)))
                .hasSize(told ? 2 : 0)
                .allSatisfy(line -> assertThat(line).contains("the service goes on without what the brokers lack"));
    }
}
