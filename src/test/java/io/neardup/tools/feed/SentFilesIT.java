package io.neardup.tools.feed;

import static io.neardup.testing.World.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.StartupException;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** How far each file was sent to a broker is kept file by file. */
@Timeout(120)
class SentFilesIT {
    @RegisterExtension
    private static final SharedBroker BROKER = new SharedBroker();

    private static final int MORE_THAN_A_TRANSACTION = 2_000;

    @TempDir
    private Path folder;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private String topic = "";

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @BeforeEach
    void createTopic(TestInfo test) throws Exception {
        topic = test.getTestMethod().orElseThrow().getName();
        Records.createTopic(BROKER.bootstrapServers(), topic, 1);
    }

    @Test
    void shouldSendWhatIsNewInAFolderAlsoWhereAFileIsGone() throws Exception {
        Path gone = write("a/2.jsonl", "b1", "b2");
        write("c/1.jsonl", "c1");
        feed(folder);
        Files.delete(gone);
        write("a/1.jsonl", "a1", "a2");
        write("c/2.jsonl", "b3");

        Publication.Summary second = feed(folder);

        assertThat(sent()).containsExactlyInAnyOrder("b1", "b2", "c1", "a1", "a2", "b3");
        assertThat(second.sent()).isEqualTo(3);
        assertThat(second.before()).isEqualTo(1);
        assertThat(feed(folder).sent()).isZero();
    }

    @Test
    void shouldRefuseAFileThatHasChangedBeforeAnythingIsSent() throws Exception {
        write("a.jsonl", "a1");
        write("b.jsonl", "b1");
        feed(folder);
        Path changed = write("b.jsonl", "b1", "b2");
        write("a0.jsonl", "a0");

        assertThatThrownBy(() -> feed(folder))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining(changed + " has changed since 1 of its records were sent")
                .hasMessageContaining("--from-start");
        assertThat(sent()).containsExactly("a1", "b1");

        run(true, 0, records -> {}, changed);
        feed(folder);
        assertThat(sent()).containsExactlyInAnyOrder("a1", "b1", "b1", "b2", "a0");
    }

    @Test
    void shouldGoOnInTheMiddleOfAFileAlsoWhereOthersHaveCome() throws Exception {
        write("b.jsonl", "b1");
        String[] lines = large("c", MORE_THAN_A_TRANSACTION);
        write("c.jsonl", lines);
        Publication.Summary stopped = runUntilTheFirstCommit(false, 0);
        write("a.jsonl", "a1");

        Publication.Summary rest = feed(folder);

        assertThat(stopped.sent()).isBetween(2L, MORE_THAN_A_TRANSACTION - 1L);
        assertThat(rest.before()).isEqualTo(stopped.sent());
        assertThat(rest.sent()).isEqualTo(MORE_THAN_A_TRANSACTION + 2 - stopped.sent());
        List<String> sent = sent();
        assertThat(sent).hasSize(MORE_THAN_A_TRANSACTION + 2).contains("a1", "b1");
        assertThat(sent.stream().filter(value -> value.startsWith("c")).toList())
                .isEqualTo(List.of(lines));
    }

    @Test
    void shouldKnowAFileHoweverItIsNamed() throws Exception {
        Path file = write("a/1.jsonl", "a1");
        write("a/2.jsonl", "a2");

        feed(file);
        feed(folder.resolve("a/../a"), file, folder);
        feed(Path.of("").toAbsolutePath().relativize(file.toAbsolutePath()));

        assertThat(sent()).containsExactly("a1", "a2");
    }

    @Test
    void shouldKnowWhatALinkOfAFolderLeadsTo() throws Exception {
        Path file = write("outside/1.jsonl", "o1");
        write("outside/more/2.jsonl", "o2");
        Path in = Objects.requireNonNull(write("in/a.jsonl", "a1").getParent());
        Files.createSymbolicLink(in.resolve("link.jsonl"), file);
        Files.createSymbolicLink(in.resolve("more"), folder.resolve("outside/more"));
        feed(in);

        Publication.Summary second = feed(in);

        assertThat(second.sent()).isZero();
        assertThat(second.before()).isEqualTo(3);
        assertThat(sent()).containsExactly("a1", "o1", "o2");
    }

    /** As where another feed has just made the topic of positions. */
    @Test
    void shouldAskABrokerAgainThatDoesNotKnowTheTopicYet() throws Exception {
        Publication.Options options =
                new Publication.Options(clients(), topic, topic, List.of(), InputStream.nullInputStream(), 0, false);
        SentPositions positions = new SentPositions(options);
        AtomicBoolean isThere = new AtomicBoolean();
        try (ClusterAdmin admin = new ClusterAdmin(Admin.create(clients()), BROKER.bootstrapServers())) {
            Future<Boolean> looked = threads.submit(() -> {
                positions.readCommitted(admin);
                return isThere.get();
            });
            assertThatThrownBy(() -> looked.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            isThere.set(true);
            positions.prepare(admin);

            assertThat(looked.get(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Also more files than a transaction takes. */
    @Test
    void shouldSendEachOfManyFilesOnce() throws Exception {
        int files = MORE_THAN_A_TRANSACTION;
        String[] lines = large("r", files);
        for (int i = 0; i < files; i++) {
            write(i % 100 + "/" + i + ".jsonl", lines[i]);
        }

        Publication.Summary stopped = runUntilTheFirstCommit(false, 0);
        Publication.Summary rest = feed(folder);

        assertThat(stopped.sent()).isBetween(1L, files - 1L);
        assertThat(rest.before()).isEqualTo(stopped.sent());
        assertThat(sent()).hasSize(files).doesNotHaveDuplicates();
    }

    @Test
    void shouldSendAllAgainFromTheStartAlsoAfterAStop() throws Exception {
        String[] lines = large("a", MORE_THAN_A_TRANSACTION);
        write("a.jsonl", lines);
        write("b.jsonl", "b1");
        feed(folder);

        runUntilTheFirstCommit(true, 0);
        feed(folder);

        List<String> all = Stream.concat(Stream.of(lines), Stream.of("b1")).toList();
        assertThat(sent()).isEqualTo(Stream.of(all, all).flatMap(List::stream).toList());
    }

    @Test
    void shouldNotShutOutAFeedWhereItIsRefusedItself() throws Exception {
        Path file = write("a.jsonl", numbered("a", 100));
        Path later = write("b.jsonl", "b");
        Path changed = write("c.jsonl", "c");
        feed(changed);
        write("c.jsonl", "c1", "c2");
        AtomicLong committed = new AtomicLong();
        Future<Publication.Summary> first = threads.submit(() -> run(false, 20, committed::set, file, later));
        await().atMost(PATIENCE).until(() -> committed.get() > 0);

        assertThatThrownBy(() -> runInVain(false, later)).hasMessage("none is wanted");
        assertThatThrownBy(() -> runInVain(true, file, later)).hasMessage("none is wanted");
        assertThatThrownBy(() -> feed(file, changed)).hasMessageContaining("c.jsonl has changed");

        assertThat(first.get().sent()).isEqualTo(101);
    }

    /** What an earlier run sent is read before: until then, less is read than is sent. */
    @Test
    void shouldNotGoBackWhereItIsStoppedBeforeItIsBehindTheLastCommit() throws Exception {
        Path file = write("a.jsonl", "a1", "a2", "a3");
        feed(file);
        Publication stopped = new Publication(options(false, 0, file), records -> {});
        stopped.stop();

        assertThat(stopped.run(Feed.Kind.LINES, 1_000_000).sent()).isZero();
        Publication.Summary next = feed(file);

        assertThat(next.before()).isEqualTo(3);
        assertThat(next.sent()).isZero();
        assertThat(sent()).hasSize(3);
    }

    /** A transaction that waits for the next record would be given up by the cluster. */
    @Test
    void shouldCommitWhatIsSentAndStopHoweverSlowTheRateIs() throws Exception {
        write("a.jsonl", "a1", "a2");

        assertThat(runUntilTheFirstCommit(false, 0.001).sent()).isEqualTo(1);
        assertThat(sent()).containsExactly("a1");
        assertThat(feed(folder).sent()).isEqualTo(1);
        assertThat(sent()).containsExactly("a1", "a2");
    }

    /** Who writes to it may wait for longer than the cluster waits for the end of a transaction. */
    @Test
    void shouldCommitWhatIsSentAlsoWhereTheNextRecordIsLate() throws Exception {
        PipedOutputStream writer = new PipedOutputStream();
        Publication.Options what = new Publication.Options(
                clients(), "neardup", topic, List.of("-"), new PipedInputStream(writer), 0, false);
        Future<Publication.Summary> summary =
                threads.submit(() -> new Publication(what, records -> {}).run(Feed.Kind.LINES, 1_000_000));
        writer.write("p1\np2\n".getBytes(UTF_8));
        writer.flush();
        await().atMost(Duration.ofMinutes(1)).until(() -> sent().size() == 2);
        writer.write("p3\n".getBytes(UTF_8));
        writer.close();

        assertThat(summary.get().sent()).isEqualTo(3);
        assertThat(sent()).containsExactly("p1", "p2", "p3");
    }

    @Test
    void shouldSendAllOfAPipeEachTime() throws Exception {
        Path pipe = pipe();
        Path file = write("a.jsonl", "a1");

        writeLater(pipe, "p1");
        assertThat(feed(pipe, file).sent()).isEqualTo(2);
        writeLater(pipe, "p1", "p2");
        assertThat(feed(pipe, file).sent()).isEqualTo(2);

        assertThat(sent()).containsExactly("p1", "a1", "p1", "p2");
    }

    /** Whoever begins later takes over what the earlier one has committed. Names of files may have several lines. */
    @Test
    void shouldShutOutAnEarlierFeedOfTheSameFilesAndNoOther() throws Exception {
        Path shared = write("a\ncrawl/a.jsonl", numbered("a", 400));
        Path other = write("other.jsonl", numbered("o", 40));
        AtomicLong committed = new AtomicLong();
        Future<Publication.Summary> first = threads.submit(() -> run(false, 40, committed::set, shared));
        Future<Publication.Summary> apart = threads.submit(() -> run(false, 10, records -> {}, other));
        await().atMost(PATIENCE).until(() -> committed.get() > 0);

        Publication.Summary second = feed(folder.resolve("a\ncrawl"));

        assertThatThrownBy(first::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("another one has started since");
        assertThat(second.before()).isPositive();
        assertThat(apart.get().sent()).isEqualTo(40);
        assertThat(sent())
                .containsExactlyInAnyOrder(Stream.of(numbered("a", 400), numbered("o", 40))
                        .flatMap(Arrays::stream)
                        .toArray(String[]::new));
    }

    /** Else a slow line does not carry it before its time is over, nor the same in the next call. */
    @Test
    void shouldSendFewBytesInEachTransaction() throws Exception {
        Path file = write("a.jsonl", large("a", 3 * MORE_THAN_A_TRANSACTION));
        List<Long> commits = new ArrayList<>(List.of(0L));

        run(false, 0, commits::add, file);

        assertThat(commits.get(commits.size() - 1)).isEqualTo(3 * MORE_THAN_A_TRANSACTION);
        for (int i = 1; i < commits.size(); i++) {
            assertThat(commits.get(i) - commits.get(i - 1)).isLessThan(MORE_THAN_A_TRANSACTION);
        }
    }

    /** So many of them are more than a transaction takes. */
    private static String[] large(String name, int count) {
        String padding = "x".repeat(2 * Publication.TRANSACTION_BYTES / MORE_THAN_A_TRANSACTION);
        return IntStream.range(0, count).mapToObj(i -> name + i + padding).toArray(String[]::new);
    }

    private static String[] numbered(String name, int count) {
        return IntStream.range(0, count).mapToObj(i -> name + i).toArray(String[]::new);
    }

    private Path write(String name, String... lines) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        return Files.write(file, List.of(lines));
    }

    private Path pipe() throws IOException, InterruptedException {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        return pipe;
    }

    /** Who writes to a pipe waits for who reads it. */
    private static void writeLater(Path pipe, String... lines) {
        Thread thread = new Thread(() -> {
            try {
                Files.write(pipe, List.of(lines));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private Publication.Summary feed(Path... files) throws Exception {
        return run(false, 0, records -> {}, files);
    }

    private Publication.Summary run(boolean fromStart, double rate, LongConsumer progress, Path... files)
            throws Exception {
        return new Publication(options(fromStart, rate, files), progress).run(Feed.Kind.LINES, 1_000_000);
    }

    private void runInVain(boolean fromStart, Path... files) throws Exception {
        Publication publication = new Publication(options(fromStart, 0, files), records -> {});
        publication.requireAny(record -> false, () -> new IOException("none is wanted"));
        publication.run(Feed.Kind.LINES, 1_000_000);
    }

    private Publication.Summary runUntilTheFirstCommit(boolean fromStart, double rate) throws Exception {
        AtomicReference<Publication> running = new AtomicReference<>();
        Publication publication =
                new Publication(options(fromStart, rate, folder), records -> Objects.requireNonNull(running.get())
                        .stop());
        running.set(publication);
        return publication.run(Feed.Kind.LINES, 1_000_000);
    }

    private Publication.Options options(boolean fromStart, double rate, Path... files) {
        return new Publication.Options(
                clients(),
                "neardup",
                topic,
                Arrays.stream(files).map(Path::toString).toList(),
                InputStream.nullInputStream(),
                rate,
                fromStart);
    }

    private static Map<String, Object> clients() {
        return Map.of("bootstrap.servers", BROKER.bootstrapServers());
    }

    /** All that is committed, in the order of the topic. */
    private List<String> sent() {
        return Records.readSettled(BROKER.bootstrapServers(), topic).stream()
                .map(record -> new String(record.value(), UTF_8))
                .toList();
    }
}
