package io.neardup.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.http.ProbeWatch.Ready;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.testing.BrokerProcess;
import io.neardup.testing.Feeder;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What probes are told where an instance cannot decide for a while: that it lives, that it is not ready, and why. */
class ProbesIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int PARTITIONS = 2;

    @RegisterExtension
    static final SharedBroker BROKER = new SharedBroker();

    @TempDir
    private Path folder;

    /** An instance with its own state. It restores a record at a time, so that there is time to look. */
    private NeardupConfig config(String servers, String state) {
        return NeardupConfig.forCluster(new Settings()
                .pairs(List.of(
                        "bootstrap.servers=" + servers,
                        "state.dir=" + folder.resolve(state),
                        "replication.factor=1",
                        "restore.consumer.max.poll.records=1",
                        "acceptable.recovery.lag=1000000000",
                        "neardup.http.listen=127.0.0.1:0")));
    }

    private static void createTopics(String servers) throws Exception {
        Records.createTopics(servers, Outputs.WITH_INPUT, PARTITIONS);
    }

    private void makeIndex(String servers) throws Exception {
        List<News> news = NewsFeed.generate(500, 3);
        try (DedupService service = DedupService.start(config(servers, "first"));
                Outputs outputs = new Outputs(servers);
                Feeder feeder = new Feeder(servers, "documents", PARTITIONS)) {
            feeder.feed(news);
            outputs.await(news.size(), PATIENCE);
            assertThat(service.ended()).isNotDone();
        }
    }

    @Test
    void shouldStayLiveAndTellOfRestoringAndRebalancing() throws Exception {
        String servers = BROKER.bootstrapServers();
        createTopics(servers);
        makeIndex(servers);
        NeardupConfig config = config(servers, "second");

        try (HttpEndpoints http = HttpEndpoints.open(config);
                ProbeWatch probes = new ProbeWatch(http.ports().get(0));
                DedupService service = DedupService.start(config)) {
            http.serve(service);
            probes.awaitReady(200);
            assertThat(probes.notReady()).extracting(Ready::state).contains("starting", "restoring");
            assertThat(probes.notReady())
                    .filteredOn(answer -> answer.state().equals("restoring"))
                    .anySatisfy(answer -> assertThat(
                                    answer.body().at("/restoring/recordsLeft").asInt())
                            .isPositive());

            probes.forget();
            try (DedupService other = DedupService.start(config(servers, "third"))) {
                probes.awaitReady(503);
                assertThat(probes.notReady()).extracting(Ready::state).contains("rebalancing");
                probes.forget();
                probes.awaitReady(200);
                assertThat(other.ended()).isNotDone();
            }
            assertThat(probes.live()).containsExactly(200);
        }
    }

    @Test
    @Tag("slow")
    void shouldStayLiveAndTellThatNoBrokerAnswers() throws Exception {
        try (BrokerProcess broker = new BrokerProcess(folder.resolve("broker")).start()) {
            createTopics(broker.bootstrapServers());
            NeardupConfig config = config(broker.bootstrapServers(), "state");
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
