package io.neardup.service.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.config.Signing;
import io.neardup.engine.protocol.Check.CheckResult;
import io.neardup.engine.text.HtmlText;
import io.neardup.service.lifecycle.DocumentChecks.CheckException;
import io.neardup.testing.OwnThread;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks of a service whose cluster does not answer. */
class DocumentChecksTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private ServerSocket silent;
    private DocumentChecks checks;

    private static final byte[] DOCUMENT = "{\"id\":\"1\",\"text\":\"some words\"}".getBytes(UTF_8);

    @BeforeEach
    void open() throws IOException {
        silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        String address = "127.0.0.1:" + silent.getLocalPort();
        NeardupConfig config = NeardupConfig.of(
                new Settings().pairs(List.of("bootstrap.servers=" + address, "neardup.document.html=true")));
        checks = new DocumentChecks(config, Signing.of(config, 1));
    }

    @AfterEach
    void close() throws IOException {
        silent.close();
    }

    /** Clients of the cluster wait for a minute, which is longer than a service is given to stop. */
    @Test
    void shouldCloseWhileTheClusterDoesNotAnswer() {
        CompletableFuture<CheckException.Kind> asked =
                CompletableFuture.supplyAsync(this::ask, OwnThread.named("asks"));
        await().atMost(PATIENCE).until(() -> checks.open() == 1 && isAwaitingTheEnd());

        CompletableFuture<Void> closed = CompletableFuture.runAsync(checks::close, OwnThread.named("closes"));

        assertThat(closed).succeedsWithin(PATIENCE);
        assertThat(asked).succeedsWithin(PATIENCE).isEqualTo(CheckException.Kind.FAILED);
        await().atMost(PATIENCE).until(() -> checks.open() == 0);
    }

    /** They wait for each other where the first makes the clients, so all have asked before one is open. */
    @Test
    void shouldRefuseAllButSoManyOfThoseThatAskAtOnce() throws Exception {
        int more = 20;
        CyclicBarrier all = new CyclicBarrier(DocumentChecks.OPEN_MAX + more);
        ExecutorService callers = Executors.newFixedThreadPool(all.getParties());
        AtomicInteger refused = new AtomicInteger();
        for (int i = 0; i < all.getParties(); i++) {
            callers.execute(() -> {
                try {
                    all.await();
                    var unused = checks.ask(DOCUMENT, List.of(), Duration.ofMinutes(2));
                } catch (CheckException e) {
                    refused.addAndGet(e.kind() == CheckException.Kind.BUSY ? 1 : 0);
                } catch (InterruptedException | BrokenBarrierException e) {
                    throw new AssertionError(e);
                }
            });
        }
        callers.shutdown();

        assertThat(callers.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        assertThat(refused).hasValue(more);
        assertThat(checks.open()).isEqualTo(DocumentChecks.OPEN_MAX);
        checks.close();
        await().atMost(PATIENCE).until(() -> checks.open() == 0);
        assertThatThrownBy(() -> check(checks, DOCUMENT, PATIENCE)).hasMessageContaining("the service ends");
    }

    /** A page of many tags takes 100 MB of the heap while it is read. */
    @Test
    void shouldReadOnePageAtATime() {
        byte[] page = ("{\"id\":\"1\",\"text\":\"words" + "<p>".repeat(100_000) + "\"}").getBytes(UTF_8);
        List<CompletableFuture<CheckException.Kind>> asked = Stream.generate(
                        () -> CompletableFuture.supplyAsync(() -> ask(page), OwnThread.named("asks")))
                .limit(3)
                .toList();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(() -> reading() > 0);

        assertThatThrownBy(() -> check(checks, DOCUMENT, Duration.ofMillis(1)))
                .isInstanceOfSatisfying(
                        CheckException.class, e -> assertThat(e.kind()).isEqualTo(CheckException.Kind.BUSY));

        long most = 0;
        while (checks.open() < asked.size() && asked.stream().noneMatch(CompletableFuture::isDone)) {
            most = Math.max(most, reading());
        }
        assertThat(most).isOne();
        checks.close();
        assertThat(asked).allSatisfy(one -> assertThat(one).succeedsWithin(PATIENCE));
    }

    private static long reading() {
        return Thread.getAllStackTraces().values().stream()
                .filter(frames ->
                        Stream.of(frames).anyMatch(frame -> frame.getClassName().equals(HtmlText.class.getName())))
                .count();
    }

    private CheckException.Kind ask() {
        return ask(DOCUMENT);
    }

    private CheckException.Kind ask(byte[] document) {
        try {
            check(checks, document, Duration.ofMinutes(2));
            throw new AssertionError("expected no answer");
        } catch (CheckException e) {
            return e.kind();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static CheckResult check(DocumentChecks checks, byte[] value, Duration timeout)
            throws CheckException, InterruptedException {
        try {
            return checks.ask(value, List.of(), timeout).get();
        } catch (ExecutionException e) {
            throw CheckException.of(e);
        }
    }

    private static boolean isAwaitingTheEnd() {
        return Thread.getAllStackTraces().values().stream()
                .flatMap(Stream::of)
                .anyMatch(frame -> frame.getClassName().equals(KafkaConsumer.class.getName())
                        && frame.getMethodName().equals("position"));
    }
}
