package io.neardup.service.http;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.testing.OwnThread;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;

/** Asks both probes of an instance all the while, and keeps what they answered. */
final class ProbeWatch implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long PAUSE_MILLIS = 2;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Set<Integer> live = new ConcurrentSkipListSet<>();
    private final Queue<Ready> ready = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> asking;
    private volatile boolean closed;

    /** An answer of the ready probe. */
    record Ready(int status, JsonNode body) {
        String state() {
            return body.get("state").asText();
        }
    }

    ProbeWatch(int port) {
        asking = CompletableFuture.runAsync(() -> ask(port), OwnThread.named("probes"));
    }

    private void ask(int port) {
        try {
            while (!closed) {
                live.add(RawRequest.get(port, HttpEndpoints.LIVE).status());
                RawRequest.Answer answer = RawRequest.get(port, HttpEndpoints.READY);
                ready.add(new Ready(answer.status(), JSON.readTree(answer.body())));
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
