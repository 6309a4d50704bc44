package io.neardup.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.config.ConfigurationException;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.record.Reason;
import io.swagger.v3.parser.OpenAPIV3Parser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is answered, and how, before there is a service. */
class HttpEndpointsTest {
    private static final String TOKEN = "a-token-of-24-characters";

    @TempDir
    private Path folder;

    private NeardupConfig settings;
    private HttpEndpoints endpoints;
    private int main;
    private int health;

    @BeforeEach
    void open() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), TOKEN + "\n");
        settings = config(
                "neardup.http.listen=127.0.0.1:0",
                "neardup.http.health.listen=127.0.0.1:0",
                "neardup.http.token.file=" + file,
                "neardup.outputs=records,stories",
                "neardup.http.hosts=neardup.example.org");
        endpoints = HttpEndpoints.open(settings);
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

    /** Else nothing alerts of a service that never comes to its start. */
    @Test
    void shouldExportThatItIsNotReadyWhileTheServiceStarts() throws IOException {
        RawRequest.Answer scrape = RawRequest.get(main, "/metrics", "Authorization: Bearer " + TOKEN);

        assertThat(scrape.status()).isEqualTo(200);
        assertThat(scrape.body()).contains("neardup_ready 0.0\n", "jvm_").doesNotContain("neardup_tasks");
    }

    @Test
    void shouldTellNothingButHealthWithoutTheToken() throws IOException {
        RawRequest.Answer missing = RawRequest.get(main, "/unknown");
        RawRequest.Answer wrong = RawRequest.get(main, "/unknown", "Authorization: Bearer " + TOKEN + "x");
        RawRequest.Answer right = RawRequest.get(main, "/unknown", "Authorization: Bearer " + TOKEN);

        assertThat(missing.status()).isEqualTo(401);
        assertThat(missing.head()).contains("www-authenticate: bearer");
        assertThat(missing.body()).contains("no-token");
        assertThat(wrong.body()).isEqualTo(missing.body());
        assertThat(right.status()).isEqualTo(404);
        assertThat(right.body()).contains("not-found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/unknown?token=" + TOKEN, "/health/live?access_token=" + TOKEN})
    void shouldRefuseATokenInAnAddress(String path) throws IOException {
        RawRequest.Answer answer = RawRequest.get(main, path, "Authorization: Bearer " + TOKEN);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("Authorization").doesNotContain(TOKEN);
    }

    /** A method and headers, in which @ is the port and # are 9,000 letters; and the status. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET | Host: localhost | 200",
                "GET | Host: 127.0.0.1:9 | 200",
                "GET | Host: [::1]:8080 | 200",
                "GET | Host: neardup.example.org | 200",
                "GET | Host: NEARDUP.example.org:80 | 200",
                "GET | Host: evil.example.org | 421",
                "GET | Host: localhost.evil.example.org | 421",
                "GET | Host: 127.0.0.1.evil.example.org | 421",
                "GET | Host: | 400",
                "GET | Host: localhost; Origin: http://evil.example.org | 403",
                "GET | Host: localhost; Origin: null | 403",
                "GET | Host: localhost:@; Origin: http://localhost:@ | 200",
                "DELETE | Host: localhost | 405",
                "POST | Host: localhost; Content-Length: 99999999 | 413",
                "GET | Host: localhost; X: # | 431"
            })
    void shouldAnswerItsOwnNamesAndTakeNoMoreThanItMust(String method, String headers, int status) throws IOException {
        for (int port : List.of(main, health)) {
            String sent = headers.replace("; ", "\r\n").replace("@", "" + port).replace("#", "x".repeat(9_000));

            assertThat(RawRequest.send(port, method + " /health/live HTTP/1.1\r\n" + sent + "\r\n\r\n")
                            .status())
                    .isEqualTo(status);
        }
    }

    /** What a check refuses before it has read the body. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Content-Length: 2 | 415 | content-type",
                "Content-Type: text/plain | 415 | content-type",
                "Content-Type: application/json; Content-Encoding: gzip | 415 | content-encoding",
                "Content-Type: application/json; Content-Length: 99999999 | 413 | too-large",
                "Content-Type: application/json; Content-Length: 2 | 503 | starting"
            })
    void shouldSayWhatItTakesToCheck(String headers, int status, String code) throws IOException {
        RawRequest.Answer answer = RawRequest.send(
                main,
                "POST /api/check HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + TOKEN + "\r\n"
                        + headers.replace("; ", "\r\n") + "\r\n\r\n");

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.body()).contains("\"code\":\"" + code + "\"");
        if (status == 413) {
            assertThat(answer.body()).contains("1000000 bytes", "neardup.document.bytes.max", "found 99999999");
        }
    }

    @Test
    void shouldBlameTheRequestForAVersionThatIsNone() throws IOException {
        RawRequest.Answer answer = RawRequest.send(main, "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n");

        assertThat(answer.status()).isEqualTo(505);
        assertThat(answer.body()).contains("\"code\":\"bad-request\"");
    }

    @Test
    void shouldServeItsDescriptionWithoutTheToken() throws IOException {
        assertThat(RawRequest.get(main, "/api/openapi.yaml").body()).isEqualTo(OpenApi.TEXT);
        assertThat(new OpenAPIV3Parser().readContents(OpenApi.TEXT).getMessages())
                .isEmpty();
    }

    @Test
    void shouldDescribeWhatItAnswersAndNothingElse() throws IOException {
        // What is mapped with all below it is described as both.
        assertThat(OpenApi.paths().keySet().stream()
                        .map(path -> path.replace("/{place}", ""))
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(endpoints.all(settings).keySet().stream()
                        .filter(path -> path.startsWith("/api/"))
                        .map(path -> path.replace("/*", ""))
                        .toList());
        for (Map.Entry<String, JsonNode> path : OpenApi.paths().entrySet()) {
            for (String method : List.of("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS")) {
                boolean isDescribed =
                        path.getValue().has(method.equals("HEAD") ? "get" : method.toLowerCase(Locale.ROOT));
                int status = RawRequest.send(
                                main,
                                method + " " + path.getKey().replace("{place}", "documents-0-17")
                                        + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                        .status();
                assertThat(status != 405).as(method + " " + path.getKey()).isEqualTo(isDescribed);
            }
        }
    }

    @Test
    void shouldDescribeEveryCode() {
        Stream<String> codes = Stream.of(HttpError.values())
                .filter(error -> error != HttpError.REJECTED) // Answered with what is wrong.
                .map(HttpError::code);
        assertThat(OpenApi.FILE.at("/components/schemas/Error/properties/code/enum"))
                .extracting(JsonNode::asText)
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                Stream.concat(codes, Stream.of("record-header")),
                                Stream.of(Reason.values()).map(Reason::code))
                        .distinct()
                        .toList());
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
