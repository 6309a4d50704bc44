package io.neardup.service.http;

import static io.neardup.testing.World.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.config.NeardupConfig;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.lifecycle.DocumentChecks;
import io.neardup.service.lifecycle.WatchfulService;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.testing.BrokerProcess;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.OwnThread;
import io.neardup.testing.Records;
import io.neardup.testing.World;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a service that works tells over HTTP. */
class HttpIT {
    private static final int PARTITIONS = 2;
    /** A client that is never idle sends more often. */
    private static final HttpEndpoints.Waits SHORT = new HttpEndpoints.Waits(4_000, 1_000, 8_000);

    @RegisterExtension
    static final World WORLD = new World();

    private final AtomicInteger trickling = new AtomicInteger();

    @Test
    void shouldTellWhatTheServiceHasCommitted() throws Exception {
        WORLD.createTopics(PARTITIONS);
        Records.createTopic(WORLD.servers(), "stories", PARTITIONS, Map.of("cleanup.policy", "compact"));
        List<News> news = new ArrayList<>(NewsFeed.generate(200, 11));
        news.add(new News("blank", " "));
        NeardupConfig config = WORLD.config(
                "neardup.document.bytes.max=50000",
                "neardup.http.listen=127.0.0.1:0",
                "neardup.outputs=records,stories",
                "neardup.stories.every=1s",
                "neardup.source=/id");
        try (HttpEndpoints http = HttpEndpoints.open(config, SHORT)) {
            DedupService service = WORLD.start(config);
            Outputs outputs = WORLD.outputs();
            int port = http.ports().get(0);
            http.serve(service);
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(
                            RawRequest.get(port, "/health/ready").status())
                    .isEqualTo(200));
            WORLD.feed(news);
            WORLD.awaitOutputs(news.size());

            // What a reader sees is committed a moment before it counts.
            await().atMost(PATIENCE).untilAsserted(() -> assertCounts(scrape(port), outputs));
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(scrape(port).sum("neardup_input_lag_records"))
                    .isZero());
            assertStories(port);
            await().atMost(PATIENCE).untilAsserted(() -> {
                assertThat(scrape(port).sum("neardup_story_events_total"))
                        .isEqualTo(outputs.of(Outputs.DUPLICATE_OF).size());
                assertThat(scrape(port).sum("neardup_story_lag_records")).isZero();
            });
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(scrape(port).metrics())
                    .filteredOn(name -> name.startsWith("neardup_"))
                    .containsExactlyInAnyOrderElementsOf(Stream.of(ServiceMetric.values())
                            .filter(metric -> metric != ServiceMetric.RECALL) // There are too few duplicates to tell.
                            .map(ServiceMetric::title)
                            .toList()));
            await().atMost(PATIENCE).untilAsserted(() -> assertStatus(RawRequest.get(port, "/api/status"), outputs));
            assertSources(RawRequest.get(port, "/api/sources"), news.size() - 1);
            assertShownOnThePage(port);
            // The first document may have become a duplicate of one that came beside it.
            String text = new ObjectMapper()
                    .readTree(outputs.of(Outputs.UNIQUE).get(0).value())
                    .get("text")
                    .asText();
            List<CompletableFuture<RawRequest.Answer>> trickled =
                    atOnce(DocumentChecks.OPEN_MAX, () -> askByteByByte(port));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(trickling.get()).isEqualTo(DocumentChecks.OPEN_MAX));
            assertChecks(port, text);
            assertThat(answers(trickled)).allMatch(answer -> answer.body().contains("late-body"));
            // Of so many and so long ones that they are more than 64 of the longest.
            List<CompletableFuture<RawRequest.Answer>> halfSent =
                    atOnce(DocumentChecks.OPEN_MAX + 10, () -> post(port, 65_536, " ".repeat(65_000)));
            assertThat(answers(halfSent))
                    .extracting(RawRequest.Answer::status)
                    .containsOnly(408, 429)
                    .contains(408, 429);
            // Far fewer bytes, in pieces of one, each of which takes memory of its own.
            assertThat(RawRequest.send(port, """
                            POST /api/check HTTP/1.1\r
                            Host: localhost\r
                            Content-Type: application/json\r
                            Transfer-Encoding: chunked\r
                            \r
                            """ + "1\r\n \r\n".repeat(32_000) + "0\r\n\r\n")
                            .status())
                    .isEqualTo(429);
        }
    }

    private static List<CompletableFuture<RawRequest.Answer>> atOnce(int times, Callable<RawRequest.Answer> asked) {
        Supplier<RawRequest.Answer> client = () -> {
            try {
                return asked.call();
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        };
        return Stream.generate(() -> CompletableFuture.supplyAsync(client, OwnThread.named("client")))
                .limit(times)
                .toList();
    }

    private static List<RawRequest.Answer> answers(List<CompletableFuture<RawRequest.Answer>> asked) throws Exception {
        List<RawRequest.Answer> answers = new ArrayList<>();
        for (CompletableFuture<RawRequest.Answer> one : asked) {
            answers.add(one.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
        return answers;
    }

    /** A client that is never idle, and never ends. */
    private RawRequest.Answer askByteByByte(int port) throws IOException {
        try (Socket socket = RawRequest.connect(port)) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            + "Content-Length: 1000\r\n\r\n{")
                    .getBytes(StandardCharsets.US_ASCII));
            trickling.incrementAndGet();
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).until(() -> {
                if (socket.getInputStream().available() == 0) {
                    out.write(' ');
                }
                return socket.getInputStream().available() > 0;
            });
            return RawRequest.answer(socket);
        }
    }

    private static void assertChecks(int port, String text) throws IOException {
        JsonNode copy =
                ask(port, "{\"id\":\"asked\",\"text\":\"" + text + "\"}").json();
        assertThat(copy.at("/id").asText()).isEqualTo("asked");
        assertThat(copy.at("/outcome").asText()).isEqualTo("duplicate");
        assertThat(copy.at("/similarity").asDouble()).isEqualTo(1);
        assertThat(copy.at("/uniqueAbove").asDouble()).isEqualTo(1);
        assertThat(copy.at("/duplicateOf").asText())
                .isEqualTo(copy.at("/nearest/0/id").asText());

        JsonNode other = ask(port, "{\"id\":\"asked\",\"text\":\"never said before by anybody\"}")
                .json();
        assertThat(other.at("/outcome").asText()).isEqualTo("unique");
        assertThat(other.at("/compared").asInt()).isZero();
        assertThat(other.at("/nearest").isArray()).isTrue();

        assertThat(ask(port, "{\"id\":\"asked\"}").status()).isEqualTo(400);
        assertThat(ask(port, "{\"id\":\"asked\"}").body()).contains("\"code\":\"no-text\"");
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(scrape(port).sum("neardup_checks_total", "outcome=\"answered\""))
                    .isEqualTo(2);
            assertThat(scrape(port).sum("neardup_checks_total", "outcome=\"rejected\""))
                    .isEqualTo(2);
        });
    }

    private static RawRequest.Answer ask(int port, String body) throws IOException {
        return post(port, body.getBytes(StandardCharsets.UTF_8).length, body);
    }

    private static RawRequest.Answer post(int port, int bytes, String body) throws IOException {
        return RawRequest.send(
                port,
                "POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                        + bytes + "\r\n\r\n" + body);
    }

    private static void assertStatus(RawRequest.Answer answer, Outputs outputs) throws IOException {
        JsonNode status = answer.json();

        assertThat(status.at("/instance/state").asText()).isEqualTo("running");
        assertThat(status.at("/instance/documents/unique").asInt())
                .isEqualTo(outputs.of(Outputs.UNIQUE).size());
        assertThat(status.at("/instance/documents/deadLettersByReason/blank-text")
                        .asInt())
                .isOne();
        assertThat(status.at("/instance/alerts").isArray()).isTrue();
        assertThat(status.at("/instance/alerts")).isEmpty();
        assertThat(status.at("/group/members").asInt()).isPositive();
        assertThat(status.at("/group/lagByPartition")).hasSize(PARTITIONS);
    }

    /** Each document is a source of its own. */
    private static void assertSources(RawRequest.Answer answer, int documents) throws IOException {
        JsonNode sources = answer.json().get("sources");

        assertThat(sources).hasSize(documents).allSatisfy(source -> {
            assertThat(source.get("documents").asInt()).isOne();
            assertThat(source.get("repeats")).hasSize(source.get("ofOthers").asInt());
            assertThat(source.get("vanishes").isNull()).isTrue();
        });
        assertThat(sources.findValues("afterSeconds"))
                .anyMatch(JsonNode::isNumber)
                .anyMatch(JsonNode::isNull);
    }

    private static void assertShownOnThePage(int port) throws IOException {
        JsonNode shown = RawRequest.get(port, "/api/events").json();
        assertThat(shown.at("/state").asText()).isEqualTo("running");
        assertThat(shown.at("/history")).isNotEmpty();
        assertThat(shown.at("/latest")).isNotEmpty();
        assertThat(shown.has("byWord")).isFalse();
    }

    /** All of the input would be its lag, as if it were slow. */
    @Test
    void shouldTellNoLagOfASuccessorBeforeItsCutover() throws Exception {
        WORLD.createTopics(PARTITIONS);
        List<News> news = NewsFeed.generateShort(20, 3);
        NeardupConfig follower = WORLD.configOf(
                "after-" + WORLD.applicationId(),
                "neardup.successor.of=" + WORLD.applicationId(),
                "neardup.http.listen=127.0.0.1:0");
        try (DedupService old = WORLD.start(WORLD.config())) {
            WORLD.feed(news);
            WORLD.awaitOutputs(news.size());
            assertThat(old.status().isReady()).isTrue();
            try (HttpEndpoints http = HttpEndpoints.open(follower, SHORT);
                    DedupService service = WORLD.start(follower)) {
                http.serve(service);
                int port = http.ports().get(0);
                await().atMost(PATIENCE).untilAsserted(() -> {
                    JsonNode status = RawRequest.get(port, "/api/status").json();
                    assertThat(status.at("/instance/state").asText()).isEqualTo("following");
                    assertThat(status.at("/group/lagByPartition")).hasSize(PARTITIONS);
                });

                assertThat(scrape(port).metrics())
                        .contains("neardup_ready")
                        .doesNotContain("neardup_input_lag_records");
            }
        }
    }

    private static PrometheusText scrape(int port) throws IOException {
        RawRequest.Answer answer = RawRequest.get(port, "/metrics");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.head()).contains("content-type: text/plain; version=0.0.4");
        return PrometheusText.read(answer.body());
    }

    private static void assertCounts(PrometheusText scrape, Outputs outputs) {
        int duplicates = outputs.of(Outputs.DUPLICATE_OF).size();
        assertThat(scrape.sum("neardup_documents_total", "outcome=\"unique\""))
                .isEqualTo(outputs.of(Outputs.UNIQUE).size());
        assertThat(scrape.sum("neardup_documents_total", "outcome=\"duplicate\""))
                .isEqualTo(duplicates);
        assertThat(scrape.sum("neardup_documents_total", "outcome=\"dead-letter\"", "reason=\"blank-text\""))
                .isOne();
        assertThat(scrape.sum("neardup_duplicate_similarity_count")).isEqualTo(duplicates);
        int judged = outputs.of(Outputs.UNIQUE).size() + duplicates;
        assertThat(scrape.sum("neardup_candidates_count")).isEqualTo(judged);
        assertThat(scrape.sum("neardup_candidates_sum")).isGreaterThanOrEqualTo(duplicates);
        assertThat(scrape.sum("neardup_verifications_count")).isEqualTo(judged);
        assertThat(scrape.sum("neardup_verifications_sum")).isGreaterThanOrEqualTo(duplicates);
        assertThat(scrape.sum("neardup_candidate_similarity_count")).isGreaterThanOrEqualTo(duplicates);
        assertThat(scrape.sum("neardup_pending_documents")).isZero();
        assertThat(scrape.sum("neardup_index_bytes")).isPositive();
        assertThat(scrape.sum("neardup_broker_connections")).isPositive();
        assertThat(scrape.sum("neardup_source_documents_total")).isEqualTo(50);
        assertThat(scrape.sum("neardup_ready")).isOne();
        assertThat(scrape.sum("jvm_memory_max_bytes")).isPositive();
    }

    private static void assertStories(int port) throws IOException {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(listed(port)).isNotEmpty());
        JsonNode story = listed(port).get(0);

        JsonNode opened = RawRequest.get(
                        port, "/api/stories/" + story.get("story").asText())
                .json();

        assertThat(opened.at("/story/id")).isEqualTo(story.get("id"));
        assertThat(RawRequest.get(port, "/api/stories/documents-9-9").status()).isEqualTo(404);
    }

    private static JsonNode listed(int port) throws IOException {
        return RawRequest.get(port, "/api/stories").json().get("day");
    }

    // ---- probes, where an instance cannot decide for a while: that it lives, that it is not ready, and why

    /** It restores a record at a time, so that there is time to look. */
    private static final String[] SLOWLY = {
        "restore.consumer.max.poll.records=1", "acceptable.recovery.lag=1000000000", "neardup.http.listen=127.0.0.1:0"
    };

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
        try (BrokerProcess broker = new BrokerProcess(WORLD.folder().resolve("broker")).start()) {
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
            await().atMost(PATIENCE).until(() -> {
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
