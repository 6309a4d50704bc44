package io.neardup.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.neardup.faults.Feed.Mix;
import io.neardup.testing.BrokerProcess;
import io.neardup.testing.Feeder;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.Judge;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Promises;
import io.neardup.testing.Records;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The clock of a machine is set by ten minutes while an instance runs there: that of the process is, by libfaketime.
 * The clock that measures time alone goes on, as it does when a clock is set. The broker's is another machine's.
 */
@Tag("slow")
class ClockStepIT {
    private static final int DOCUMENTS_PER_SECOND = 100;
    private static final Duration STARTED = Duration.ofMinutes(2);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Pattern ADDRESS = Pattern.compile("neardup\\.http\\.listen=(\\S+)");

    @TempDir
    private Path folder;

    private Path step;
    private String library;

    @BeforeEach
    void findLibrary() throws Exception {
        Optional<String> found = preloaded();
        assumeThat(found)
                .as("what the command faketime preloads, of Debian's package of this name")
                .isPresent();
        library = found.orElseThrow();
        step = folder.resolve("step");
        stepBy(0);
    }

    private static Optional<String> preloaded() throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder("faketime", "-m", "-f", "+0", "env").start();
        } catch (IOException e) {
            return Optional.empty();
        }
        List<String> environment = process.inputReader(UTF_8).lines().toList();
        process.waitFor();
        String name = "LD_PRELOAD=";
        return environment.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()))
                .findFirst();
    }

    private void stepBy(int seconds) throws IOException {
        Files.writeString(step, String.format("%+d%n", seconds), UTF_8);
    }

    /** The file is looked at once a second. Waits go by the clock that measures time, as without the library. */
    private InstanceProcess start(String servers) throws IOException {
        return InstanceProcess.start(
                folder.resolve("instance"),
                Map.of(
                        "LD_PRELOAD", library,
                        "FAKETIME_TIMESTAMP_FILE", step.toString(),
                        "FAKETIME_CACHE_DURATION", "1",
                        "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                        "FAKETIME_FORCE_MONOTONIC_FIX", "0"),
                List.of(
                        "bootstrap.servers=" + servers,
                        "replication.factor=1",
                        "neardup.hash.seed=1", // Of a hundred duplicates, one missed by chance is too many.
                        "neardup.http.listen=127.0.0.1:0"));
    }

    @Test
    void shouldGoOnUnderLoadWhenTheClockIsSetBack() throws Exception {
        goOnUnderLoad(-600, instance -> {
            awaitNoticed(instance);
            assertTold(instance);
        });
    }

    @Test
    void shouldGoOnUnderLoadWhenTheClockIsSetForward() throws Exception {
        goOnUnderLoad(600, instance -> {});
    }

    private void goOnUnderLoad(int seconds, ThrowingConsumer<InstanceProcess> stepped) throws Exception {
        List<News> news = NewsFeed.generate(40 * DOCUMENTS_PER_SECOND, 1);
        try (BrokerProcess broker = new BrokerProcess(folder.resolve("broker")).start()) {
            String servers = broker.bootstrapServers();
            Records.createTopics(servers, Outputs.WITH_INPUT, Service.PARTITIONS);
            try (InstanceProcess instance = start(servers);
                    OutputWatch watch = new OutputWatch(servers, Service.PARTITIONS);
                    Feed feed = new Feed(
                            servers, Mix.plain(Service.PARTITIONS), news, DOCUMENTS_PER_SECOND, watch::count)) {
                awaitOut(watch, 10 * DOCUMENTS_PER_SECOND, STARTED);

                stepBy(seconds);

                stepped.accept(instance);
                awaitOut(watch, feed.count() + 5 * DOCUMENTS_PER_SECOND, MINUTE);
                awaitOut(watch, news.size(), STARTED);
                Judge judge = new Judge(feed.stop());
                try (Outputs outputs = new Outputs(servers, judge::take)) {
                    outputs.await(news.size(), STARTED);
                    outputs.drain(Duration.ofSeconds(1));
                }
                judge.conclude();
            }
        }
    }

    @Test
    void shouldTakeWhatComesAfterTheClockWasSetBack() throws Exception {
        List<News> news = NewsFeed.generate(2 * DOCUMENTS_PER_SECOND, 2);
        try (BrokerProcess broker = new BrokerProcess(folder.resolve("broker")).start()) {
            String servers = broker.bootstrapServers();
            Records.createTopics(servers, Outputs.WITH_INPUT, Service.PARTITIONS);
            try (InstanceProcess instance = start(servers);
                    OutputWatch watch = new OutputWatch(servers, Service.PARTITIONS);
                    Feeder feeder = new Feeder(servers, "documents", Service.PARTITIONS)) {
                feeder.feed(news.subList(0, DOCUMENTS_PER_SECOND));
                awaitOut(watch, DOCUMENTS_PER_SECOND, STARTED);

                stepBy(-600);

                awaitNoticed(instance);
                feeder.feed(news.subList(DOCUMENTS_PER_SECOND, news.size()));
                awaitOut(watch, news.size(), MINUTE);
                assertTold(instance);
            }
            try (Outputs outputs = new Outputs(servers)) {
                outputs.await(news.size(), STARTED);
                outputs.drain(Duration.ofSeconds(1));
                new Promises(news, outputs).check(Service.PARTITIONS);
            }
        }
    }

    private static void awaitOut(OutputWatch watch, int count, Duration patience) {
        await("documents are out").atMost(patience).until(() -> watch.count() >= count);
    }

    private static void awaitNoticed(InstanceProcess instance) {
        await("the step is noticed").atMost(MINUTE).until(() -> instance.log()
                .contains("the clock of this host is behind that of the service"));
    }

    private static void assertTold(InstanceProcess instance) throws Exception {
        assertThat(instance.log()).containsOnlyOnce("the clock of this host is behind that of the service");
        Matcher address = ADDRESS.matcher(instance.log());
        assertThat(address.find()).isTrue();
        HttpRequest status = HttpRequest.newBuilder(URI.create("http://" + address.group(1) + "/api/status"))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(status, HttpResponse.BodyHandlers.ofString())
                        .body())
                .contains("the clock of this host is behind that of the service");
    }
}
