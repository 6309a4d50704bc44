package io.neardup.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.service.http.ProbeWatch.Ready;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.lifecycle.WatchfulService;
import io.neardup.testing.BrokerProcess;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.World;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What probes are told where an instance cannot decide for a while: that it lives, that it is not ready, and why. */
class ProbesIT {
    private static final int PARTITIONS = 2;
    /** It restores a record at a time, so that there is time to look. */
    private static final String[] SLOWLY = {
        "restore.consumer.max.poll.records=1", "acceptable.recovery.lag=1000000000", "neardup.http.listen=127.0.0.1:0"
    };

    @RegisterExtension
    static final World WORLD = new World();

    @TempDir
    private Path folder;

    @Test
    void shouldStayLiveAndTellOfRestoringAndRebalancing() throws Exception {
        WORLD.createTopics(PARTITIONS);
        WORLD.runWith(NewsFeed.generate(500, 3), WORLD.configElsewhere());
        NeardupConfig config = WORLD.configElsewhere(SLOWLY);

        try (HttpEndpoints http = HttpEndpoints.open(config);
                ProbeWatch probes = new ProbeWatch(http.ports().get(0))) {
            probes.awaitReady(503); // Nothing runs yet.
            try (DedupService service = WatchfulService.start(config)) {
                http.serve(service);
                probes.awaitReady(200);
                assertThat(probes.notReady()).extracting(Ready::state).contains("starting", "restoring");
                assertThat(probes.notReady())
                        .filteredOn(answer -> answer.state().equals("restoring"))
                        .anySatisfy(answer -> assertThat(answer.body()
                                        .at("/restoring/recordsLeft")
                                        .asInt())
                                .isPositive());

                probes.forget();
                DedupService other = WORLD.startElsewhere(SLOWLY);
                probes.awaitReady(503);
                assertThat(probes.notReady()).extracting(Ready::state).contains("rebalancing");
                probes.forget();
                probes.awaitReady(200);
                WORLD.stop(other);
                assertThat(probes.live()).containsExactly(200);
            }
        }
    }

    @Test
    @Tag("slow")
    void shouldStayLiveAndTellThatNoBrokerAnswers() throws Exception {
        try (BrokerProcess broker = new BrokerProcess(folder.resolve("broker")).start()) {
            Records.createTopics(broker.bootstrapServers(), Outputs.WITH_INPUT, PARTITIONS);
            NeardupConfig config =
                    WORLD.config("bootstrap.servers=" + broker.bootstrapServers(), "neardup.http.listen=127.0.0.1:0");
            try (HttpEndpoints http = HttpEndpoints.open(config);
                    ProbeWatch probes = new ProbeWatch(http.ports().get(0));
                    DedupService service = DedupService.start(config)) {
                http.serve(service);
                probes.awaitReady(200);

                probes.forget();
                broker.killHard();

                probes.awaitReady(503);
                assertThat(probes.notReady()).allSatisfy(answer -> {
                    assertThat(answer.state()).isEqualTo("running");
                    assertThat(answer.body().get("brokersAnswer").asBoolean()).isFalse();
                });
                assertThat(ready(http)).isZero();
                broker.start();
                probes.forget();
                probes.awaitReady(200);
                assertThat(probes.live()).containsExactly(200);
            }
        }
    }

    /** As Prometheus is told. */
    private static double ready(HttpEndpoints http) throws Exception {
        return PrometheusText.read(
                        RawRequest.get(http.ports().get(0), "/metrics").body())
                .sum("neardup_ready");
    }
}
