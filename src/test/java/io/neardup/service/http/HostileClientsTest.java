package io.neardup.service.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.ListenAddress;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.lifecycle.ServiceStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever others send, a probe is answered while they are at it, and all of it ends by itself. */
class HostileClientsTest {
    private static final int CONNECTIONS = 500;
    private static final int GARBAGE_REQUESTS = 100;
    private static final int ENDLESS_BODIES = 20;
    private static final int PROBES = 30;
    private static final int PATIENCE_MILLIS = 120_000;
    /** Longer than a probe waits for its answer: only what hinders no probe lets one be answered before. */
    private static final long HELD_MILLIS = 5L * PATIENCE_MILLIS;

    private static final HttpEndpoints.Waits HELD = new HttpEndpoints.Waits(HELD_MILLIS, HELD_MILLIS, HELD_MILLIS);
    private static final HttpEndpoints.Waits SHORT = new HttpEndpoints.Waits(1_250, 500, 2_500);

    private static final byte[] CHUNK = ("400\r\n" + "x".repeat(0x400) + "\r\n").getBytes(ISO_8859_1);

    private final List<Socket> open = new ArrayList<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private final ExecutorService clients = Executors.newFixedThreadPool(4);
    private final AtomicInteger garbageSent = new AtomicInteger();
    private final AtomicInteger bodiesSent = new AtomicInteger();
    private HttpPort mainPort;
    private HttpPort healthPort;
    private int main;
    private int health;

    @BeforeEach
    void listen() {
        mainPort = open(HttpEndpoints.mainBounds(HELD, HttpEndpoints.BODY_BYTES));
        healthPort = open(HttpEndpoints.healthBounds(HELD));
        main = mainPort.port();
        health = healthPort.port();
    }

    /** As of a service, but with more time for those that send slowly. */
    private static HttpPort open(HttpPort.PortBounds bounds) {
        return HttpPort.open(
                new ListenAddress("127.0.0.1", 0),
                bounds,
                HttpEndpoints.probe(() -> ServiceStatus.STARTING, ServiceStatus::isLive));
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        over.set(true);
        for (Socket socket : open) {
            socket.close();
        }
        clients.shutdown();
        assertThat(clients.awaitTermination(120, TimeUnit.SECONDS)).isTrue();
        mainPort.close();
        healthPort.close();
    }

    @Test
    void shouldAnswerProbesBesideHalfSentRequestsGarbageAndEndlessBodies() throws IOException {
        keepHalfSent(main, CONNECTIONS);
        clients.execute(this::sendGarbage);
        clients.execute(this::sendEndlessBodies);
        clients.execute(this::sendEndlessBodies);

        for (int i = 0;
                i < PROBES || garbageSent.get() < GARBAGE_REQUESTS || bodiesSent.get() < 2 * ENDLESS_BODIES;
                i++) {
            assertAnswered(health);
        }
        assertAnswered(main);
        assertThat(open).allMatch(socket -> isHeld(socket, 1));
    }

    @Test
    void shouldAnswerProbesWhereTheHealthPortItselfIsFlooded() throws IOException {
        keepHalfSent(health, CONNECTIONS);

        for (int i = 0; i < PROBES; i++) {
            assertAnswered(health);
        }
        assertThat(open).allMatch(socket -> isHeld(socket, 1));
    }

    @Test
    void shouldCloseWhatSendsHalfARequest() throws IOException {
        NeardupConfig config = NeardupConfig.of(new Settings()
                .pairs(List.of("neardup.http.listen=127.0.0.1:0", "neardup.http.health.listen=127.0.0.1:0")));
        try (HttpEndpoints endpoints = HttpEndpoints.open(config, SHORT)) {
            for (int port : endpoints.ports()) {
                keepHalfSent(port, CONNECTIONS);
            }
            assertThat(open).noneMatch(socket -> isHeld(socket, PATIENCE_MILLIS));
        }
    }

    private void keepHalfSent(int port, int connections) throws IOException {
        for (int i = 0; i < connections; i++) {
            Socket socket = RawRequest.connect(port);
            open.add(socket);
            socket.getOutputStream().write("GET /health/live HTTP/1.1\r\nHost: loc".getBytes(ISO_8859_1));
        }
    }

    private static void assertAnswered(int port) throws IOException {
        assertThat(RawRequest.get(port, "/health/live").status()).isEqualTo(200);
    }

    /** Whether the other side neither answers nor closes it within so many milliseconds. */
    private static boolean isHeld(Socket socket, int millis) {
        try {
            socket.setSoTimeout(millis);
            socket.getInputStream().read();
            return false;
        } catch (SocketTimeoutException open) {
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    private void sendGarbage() {
        Random random = new Random(42);
        byte[] garbage = new byte[200];
        for (int i = 0; i < GARBAGE_REQUESTS && !over.get(); i++) {
            random.nextBytes(garbage);
            sendUntilClosed(i % 2 == 0 ? main : health, garbage, 1);
            garbageSent.incrementAndGet();
        }
    }

    private void sendEndlessBodies() {
        for (int i = 0; i < ENDLESS_BODIES && !over.get(); i++) {
            sendUntilClosed(
                    main,
                    "POST /health/live HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                            .getBytes(ISO_8859_1),
                    Integer.MAX_VALUE);
            bodiesSent.incrementAndGet();
        }
    }

    /** What the other side does not want any more fails; that is what it is for. */
    private void sendUntilClosed(int port, byte[] head, int chunks) {
        try (Socket socket = RawRequest.connect(port)) {
            socket.setSoTimeout(1_000);
            OutputStream out = socket.getOutputStream();
            out.write(head);
            for (int i = 0; i < chunks && !over.get(); i++) {
                out.write(CHUNK);
            }
        } catch (IOException closed) {
            return;
        }
    }
}
