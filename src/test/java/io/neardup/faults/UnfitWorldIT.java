package io.neardup.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.neardup.testing.BrokerProcess;
import io.neardup.testing.Feeder;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.JavaCommand;
import io.neardup.testing.Judge;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster or a machine that cannot do what the service needs: it ends with exit code 1 and says why, or waits. */
@Tag("slow")
class UnfitWorldIT {
    private static final int PARTITIONS = 2;
    private static final int FIRST = 100;
    private static final int LAST = 100;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String TRANSACTION_COPIES = "transaction.state.log.replication.factor=";

    @TempDir
    private Path folder;

    private InstanceProcess start(String servers, String name) throws Exception {
        return InstanceProcess.start(
                folder.resolve(name),
                List.of(
                        "bootstrap.servers=" + servers,
                        "replication.factor=1",
                        "neardup.hash.seed=1", // Of a hundred duplicates, one missed by chance is too many.
                        "neardup.originals.memory.bytes=1048576")); // So that files are written soon.
    }

    private static void createTopics(String servers) throws Exception {
        Records.createTopics(servers, Outputs.WITH_INPUT, PARTITIONS);
    }

    private static void feed(String servers, List<News> news) throws Exception {
        try (Feeder feeder = new Feeder(servers, "documents", PARTITIONS)) {
            feeder.feed(news);
        }
    }

    /** Waits for the first of the news, which shows that the service runs. */
    private static void feedFirst(String servers, List<News> news, Outputs outputs) throws Exception {
        feed(servers, news.subList(0, FIRST));
        outputs.await(FIRST, PATIENCE);
    }

    private static void assertAllOut(InstanceProcess instance, List<News> news, Outputs outputs) {
        outputs.await(news.size(), PATIENCE);
        outputs.drain(Duration.ofMillis(500));
        assertThat(instance.isAlive()).isTrue();
        Judge.of(news, PARTITIONS).conclude(outputs);
    }

    private void assertAllComesOut(String servers, String name, List<News> news) throws Exception {
        try (InstanceProcess instance = start(servers, name);
                Outputs outputs = new Outputs(servers)) {
            assertAllOut(instance, news, outputs);
        }
    }

    @Test
    void shouldSayThatNoBrokerAnswers() throws Exception {
        try (InstanceProcess instance = start("127.0.0.1:1", "alone")) {
            assertThat(instance.awaitEnd(PATIENCE)).isEqualTo(1);
            assertThat(instance.log())
                    .contains("neardup run: bootstrap.servers 127.0.0.1:1: expected an answer")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void shouldSayThatTheClusterTakesNoTransactions() throws Exception {
        List<News> news = NewsFeed.generate(300, 2);
        try (BrokerProcess broker = new BrokerProcess(folder.resolve("broker"))) {
            setTransactionCopies("1", "3");
            broker.start();
            String servers = broker.bootstrapServers();
            createTopics(servers);
            try (InstanceProcess instance = start(servers, "refused")) {
                assertThat(instance.awaitEnd(PATIENCE)).isEqualTo(1);
                assertThat(instance.log())
                        .contains("neardup run: transactions: expected the cluster to take them within 30 s")
                        .doesNotContain("\tat ");
            }
            broker.stop();
            setTransactionCopies("3", "1");
            broker.start();
            feed(servers, news);
            assertAllComesOut(servers, "mended", news);
        }
    }

    /** Kafka's producers ask for a minute by default, those of the service for less. */
    @Test
    void shouldRunWhereTheClusterTakesShortTransactionsOnly() throws Exception {
        List<News> news = NewsFeed.generate(300, 2);
        try (BrokerProcess broker = new BrokerProcess(folder.resolve("broker"))) {
            broker.start();
            String servers = broker.bootstrapServers();
            createTopics(servers);
            feed(servers, news);
            broker.stop();
            Path settings = folder.resolve("broker").resolve("server.properties");
            Files.writeString(settings, "\ntransaction.max.timeout.ms=30000\n", StandardOpenOption.APPEND);
            broker.start();
            assertAllComesOut(servers, "short", news);
        }
    }

    private void setTransactionCopies(String before, String now) throws IOException {
        Path settings = folder.resolve("broker").resolve("server.properties");
        String text = Files.readString(settings, UTF_8);
        assertThat(text).contains(TRANSACTION_COPIES + before);
        Files.writeString(settings, text.replace(TRANSACTION_COPIES + before, TRANSACTION_COPIES + now));
    }

    /**
     * The broker is killed. One that is asked to stop, and is the only one, leaves out the ends of transactions that
     * are being committed just then (TransactionMarkerChannelManager: "likely deleted already"), and they stay open.
     */
    @Test
    void shouldWaitForABrokerThatIsAwayForAMinute() throws Exception {
        List<News> news = NewsFeed.generate(300, 4);
        try (BrokerProcess broker = new BrokerProcess(folder.resolve("broker")).start()) {
            String servers = broker.bootstrapServers();
            createTopics(servers);
            try (InstanceProcess instance = start(servers, "waiting");
                    Outputs outputs = new Outputs(servers)) {
                feedFirst(servers, news, outputs);
                broker.killHard();
                await("the service goes on")
                        .during(Duration.ofMinutes(1))
                        .atMost(PATIENCE)
                        .until(instance::isAlive);
                broker.start();
                feed(servers, news.subList(FIRST, news.size()));
                assertAllOut(instance, news, outputs);
            }
        }
    }

    /**
     * A limit on the size of files stands for a full disk: it too makes each write fail. The next start has none, and
     * says what it cannot open; the last goes on with what lies there.
     */
    @Test
    void shouldSayThatItsStateCannotBeWritten() throws Exception {
        List<News> news = NewsFeed.generate(2_000, 3);
        try (BrokerProcess broker = new BrokerProcess(folder.resolve("broker")).start()) {
            String servers = broker.bootstrapServers();
            createTopics(servers);
            try (InstanceProcess instance = start(servers, "full");
                    Outputs outputs = new Outputs(servers)) {
                feedFirst(servers, news, outputs);
                assumeThat(JavaCommand.succeeds("prlimit", "--pid=" + instance.pid(), "--fsize=65536"))
                        .isTrue();
                // In many commits: RocksDB writes a file when the next batch finds too much in memory.
                for (int from = FIRST; from < news.size() - LAST; from += LAST) {
                    feed(servers, news.subList(from, from + LAST));
                }
                assertEndsForItsState(instance, ".sst");
            }
            Path inTheWay = lockOfOriginals();
            Files.createDirectory(inTheWay);
            try (InstanceProcess instance = start(servers, "full")) {
                assertEndsForItsState(instance, inTheWay.toString());
            }
            Files.delete(inTheWay);
            feed(servers, news.subList(news.size() - LAST, news.size()));
            assertAllComesOut(servers, "full", news);
        }
    }

    private void assertEndsForItsState(InstanceProcess instance, String what) throws Exception {
        assertThat(instance.awaitEnd(PATIENCE)).isEqualTo(1);
        assertThat(instance.log().lines().reduce((first, second) -> second).orElseThrow())
                .startsWith("neardup run: state.dir " + folder.resolve("full"))
                .contains(": expected to keep the state there, found", what);
        assertThat(instance.log()).doesNotContain("\tat ");
    }

    /** Deletes it; a folder in its place lets no start open them. */
    private Path lockOfOriginals() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("full"))) {
            Path lock = files.filter(
                            file -> file.endsWith("LOCK") && file.toString().contains("originals"))
                    .findFirst()
                    .orElseThrow();
            Files.delete(lock);
            return lock;
        }
    }
}
