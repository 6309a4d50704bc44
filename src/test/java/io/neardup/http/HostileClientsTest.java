package io.neardup.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever others send, a probe is answered at once, and all of it ends by itself. */
class HostileClientsTest {
    private static final int CONNECTIONS = 500;
    private static final int GARBAGE_REQUESTS = 10_000;
    private static final int PROBES = 60;
    private static final byte[] CHUNK = ("400\r\n" + "x".repeat(0x400) + "\r\n").getBytes(ISO_8859_1);

    private final List<Socket> open = new ArrayList<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private final ExecutorService clients = Executors.newFixedThreadPool(4);
    private HttpEndpoints endpoints;
    private int main;
    private int health;

    @BeforeEach
    void listen() throws IOException {
        endpoints = HttpEndpoints.open(NeardupConfig.of(new Settings()
                .pairs(List.of("neardup.http.listen=127.0.0.1:0", "neardup.http.health.listen=127.0.0.1:0"))));
        main = endpoints.ports().get(0);
        health = endpoints.ports().get(1);
        // As in a service that has been probed before: its classes are loaded.
        assertThat(RawRequest.get(health, "/health/live").status()).isEqualTo(200);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        over.set(true);
        for (Socket socket : open) {
            socket.close();
        }
        clients.shutdown();
        assertThat(clients.awaitTermination(120, TimeUnit.SECONDS)).isTrue();
        endpoints.close();
    }

    @Test
    void shouldAnswerProbesBesideHalfSentRequestsGarbageAndEndlessBodies() throws IOException, InterruptedException {
        keepHalfSent(main, CONNECTIONS);
        clients.execute(this::sendGarbage);
        clients.execute(this::sendEndlessBodies);
        clients.execute(this::sendEndlessBodies);

        probeHealth();
        over.set(true);
        // Those that sent half a request are closed; nobody has to do that.
        await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> assertThat(
                        RawRequest.get(main, "/health/live").status())
                .isEqualTo(200));
    }

    @Test
    void shouldAnswerProbesWhereTheHealthPortItselfIsFlooded() throws IOException, InterruptedException {
        keepHalfSent(health, CONNECTIONS);

        probeHealth();
    }

    private void keepHalfSent(int port, int connections) throws IOException {
        for (int i = 0; i < connections; i++) {
            open.add(sendHalf(port));
        }
    }

    private static Socket sendHalf(int port) throws IOException {
        Socket socket = RawRequest.connect(port);
        socket.getOutputStream().write("GET /health/live HTTP/1.1\r\nHost: loc".getBytes(ISO_8859_1));
        return socket;
    }

    /** Each probe is answered before a request that came before it, and has half of it to come, is given up. */
    private void probeHealth() throws IOException, InterruptedException {
        for (int i = 0; i < PROBES; i++) {
            try (Socket half = sendHalf(health)) {
                assertThat(RawRequest.get(health, "/health/live").status()).isEqualTo(200);
                half.setSoTimeout(1);
                assertThatThrownBy(() -> half.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private void sendGarbage() {
        Random random = new Random(42);
        byte[] garbage = new byte[200];
        for (int i = 0; i < GARBAGE_REQUESTS && !over.get(); i++) {
            random.nextBytes(garbage);
            sendUntilClosed(i % 2 == 0 ? main : health, garbage, 1);
        }
    }

    private void sendEndlessBodies() {
        while (!over.get()) {
            sendUntilClosed(
                    main,
                    "POST /health/live HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                            .getBytes(ISO_8859_1),
                    Integer.MAX_VALUE);
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
