package io.neardup.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.config.NeardupConfig;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.lifecycle.WatchfulService;
import io.neardup.testing.BrokerProcess;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.Outputs;
import io.neardup.testing.OwnThread;
import io.neardup.testing.Records;
import io.neardup.testing.World;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
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

    /** An answer of the ready probe. */
    private record Ready(int status, JsonNode body) {
        String state() {
            return body.get("state").asText();
        }
    }

    /** Asks both probes of an instance all the while, and keeps what they answered. */
    private static final class ProbeWatch implements AutoCloseable {
        private static final long PAUSE_MILLIS = 2;

        private final Set<Integer> live = new ConcurrentSkipListSet<>();
        private final Queue<Ready> ready = new ConcurrentLinkedQueue<>();
        private final CompletableFuture<Void> asking;
        private volatile boolean closed;

        ProbeWatch(int port) {
            asking = CompletableFuture.runAsync(() -> ask(port), OwnThread.named("probes"));
        }

        private void ask(int port) {
            try {
                while (!closed) {
                    live.add(RawRequest.get(port, HttpEndpoints.LIVE).status());
                    RawRequest.Answer answer = RawRequest.get(port, HttpEndpoints.READY);
                    ready.add(new Ready(answer.status(), answer.json()));
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Waits for an answer of the ready probe, which may have come since {@link #forget}. */
        void awaitReady(int status) {
            await().atMost(World.PATIENCE).until(() -> {
                if (asking.isCompletedExceptionally()) {
                    asking.join();
                }
                return ready.stream().anyMatch(answer -> answer.status() == status);
            });
        }

        /** What the ready probe answered with 503 since {@link #forget}. */
        List<Ready> notReady() {
            return ready.stream().filter(answer -> answer.status() == 503).toList();
        }

        /** Forgets what the ready probe has answered so far. */
        void forget() {
            ready.clear();
        }

        /** All that the live probe ever answered. */
        Set<Integer> live() {
            return live;
        }

        @Override
        public void close() {
            closed = true;
            asking.join();
        }
    }
}
