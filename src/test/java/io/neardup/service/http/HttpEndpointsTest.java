package io.neardup.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.config.ConfigurationException;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is answered, and how, before there is a service. */
class HttpEndpointsTest {
    private static final String TOKEN = "a-token-of-24-characters";

    @TempDir
    private Path folder;

    private HttpEndpoints endpoints;
    private int main;
    private int health;

    @BeforeEach
    void open() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), TOKEN + "\n");
        endpoints = HttpEndpoints.open(config(
                "neardup.http.listen=127.0.0.1:0",
                "neardup.http.health.listen=127.0.0.1:0",
                "neardup.http.token.file=" + file,
                "neardup.http.hosts=neardup.example.org"));
        main = endpoints.ports().get(0);
        health = endpoints.ports().get(1);
    }

    private static NeardupConfig config(String... pairs) {
        return NeardupConfig.of(new Settings().pairs(List.of(pairs)));
    }

    @AfterEach
    void close() {
        endpoints.close();
    }

    @Test
    void shouldBeLiveButNotReadyWhileTheServiceStarts() throws IOException {
        for (int port : List.of(main, health)) {
            assertThat(RawRequest.get(port, "/health/live").status()).isEqualTo(200);

            RawRequest.Answer ready = RawRequest.get(port, "/health/ready");

            assertThat(ready.status()).isEqualTo(503);
            assertThat(ready.body()).contains("\"state\":\"starting\"", "\"tasks\":0");
        }
    }

    @Test
    void shouldTellNothingButHealthWithoutTheToken() throws IOException {
        RawRequest.Answer missing = RawRequest.get(main, "/unknown");
        RawRequest.Answer wrong = RawRequest.get(main, "/unknown", "Authorization: Bearer " + TOKEN + "x");
        RawRequest.Answer right = RawRequest.get(main, "/unknown", "Authorization: Bearer " + TOKEN);

        assertThat(missing.status()).isEqualTo(401);
        assertThat(missing.head()).contains("www-authenticate: bearer");
        assertThat(missing.body()).isEqualTo("Unauthorized\n");
        assertThat(wrong.body()).isEqualTo(missing.body());
        assertThat(right.status()).isEqualTo(404);
        assertThat(right.body()).isEqualTo("Not Found\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/unknown?token=" + TOKEN, "/health/live?access_token=" + TOKEN})
    void shouldRefuseATokenInAnAddress(String path) throws IOException {
        RawRequest.Answer answer = RawRequest.get(main, path, "Authorization: Bearer " + TOKEN);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("Authorization").doesNotContain(TOKEN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1:9", "[::1]:8080", "neardup.example.org", "NEARDUP.example.org:80"})
    void shouldAnswerUnderItsOwnNames(String host) throws IOException {
        for (int port : List.of(main, health)) {
            assertThat(RawRequest.send(port, "GET /health/live HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
                            .status())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example.org", "localhost.evil.example.org", "127.0.0.1.evil.example.org", ""})
    void shouldRefuseOtherHosts(String host) throws IOException {
        for (int port : List.of(main, health)) {
            assertThat(RawRequest.send(port, "GET /health/live HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
                            .status())
                    .isIn(400, 421);
        }
    }

    @Test
    void shouldRefusePagesFromElsewhere() throws IOException {
        assertThat(RawRequest.get(main, "/health/live", "Origin: http://evil.example.org")
                        .status())
                .isEqualTo(403);
        assertThat(RawRequest.get(main, "/health/live", "Origin: null").status())
                .isEqualTo(403);
        assertThat(RawRequest.get(main, "/health/live", "Origin: http://localhost:" + main)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void shouldTakeNoOtherMethodsAndNoLargeBodies() throws IOException {
        String host = "Host: localhost\r\n";

        assertThat(RawRequest.send(main, "DELETE /health/live HTTP/1.1\r\n" + host + "\r\n")
                        .status())
                .isEqualTo(405);
        assertThat(RawRequest.send(main, "POST /health/live HTTP/1.1\r\n" + host + "Content-Length: 99999999\r\n\r\n")
                        .status())
                .isEqualTo(413);
        assertThat(RawRequest.get(main, "/health/live", "X: " + "x".repeat(9_000))
                        .status())
                .isEqualTo(431);
    }

    /** Browsers are told to load nothing from elsewhere, and nobody is told what runs here. */
    @Test
    void shouldSendAStrictContentPolicyWithEveryAnswer() throws IOException {
        List<RawRequest.Answer> answers = List.of(
                RawRequest.get(health, "/health/live"),
                RawRequest.get(main, "/unknown"),
                RawRequest.get(health, "/unknown"),
                RawRequest.send(main, "garbage\r\n\r\n"));

        assertThat(answers).allSatisfy(answer -> assertThat(answer.head())
                .contains("content-security-policy: default-src 'none'", "x-content-type-options: nosniff")
                .doesNotContain("jetty"));
    }

    @Test
    void shouldNameThePortThatIsInUse() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();

            assertThatThrownBy(() -> HttpEndpoints.open(config("neardup.http.listen=" + address)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("neardup.http.listen = " + address + ": expected a free port");
        }
    }

    @Test
    void shouldRefuseAFileWithoutAToken() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty"), "short");

        assertThatThrownBy(() -> HttpEndpoints.open(
                        config("neardup.http.listen=127.0.0.1:0", "neardup.http.token.file=" + empty)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("expected a token of 16 to 512 visible ASCII characters")
                .hasMessageNotContaining("short");
    }

    @Test
    void shouldListenNowhereUnlessToldTo() {
        try (HttpEndpoints none = HttpEndpoints.open(config())) {
            assertThat(none.ports()).isEmpty();
        }
    }
}
