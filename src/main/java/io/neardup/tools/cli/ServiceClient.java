package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.neardup.record.Printable;
import io.neardup.service.http.EncodedHeader;
import io.neardup.tools.analysis.TextFile;
import io.neardup.tools.feed.UnusableFileException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Asks an instance over HTTP. Every question is answered within {@value #PATIENCE_SECONDS} s, or ends in an
 * {@link IOException} that says what was found in place of a service.
 */
final class ServiceClient {
    /** Where {@code local --serve} answers. */
    static final String DEFAULT_URL = "http://127.0.0.1:8080";

    private static final int PATIENCE_SECONDS = 10;
    /** A document that is none, or is too large; a task that moves, or much to do. */
    private static final Set<Integer> NOT_CHECKED = Set.of(400, 413, 429, 503, 504);

    private static final Pattern URL = Pattern.compile("https?://[^\\s/?#@]+(/[^\\s?#]*)?");

    private final String url;
    private final Optional<String> token;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(PATIENCE_SECONDS))
            .build();

    /** @param url one that {@link #isUrl} */
    ServiceClient(String url, Optional<String> token) {
        this.url = url.replaceAll("/+$", "");
        this.token = token;
    }

    /** Whether it is the address of a service: no token, and nothing else, goes into an address. */
    static boolean isUrl(String written) {
        try {
            return URL.matcher(written).matches() && URI.create(written).getHost() != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    String url() {
        return url;
    }

    /**
     * @param body as the service wrote it
     * @param json the same; missing where it is no JSON
     */
    record Answer(int status, String body, JsonNode json) {
        boolean isGood() {
            return status == 200;
        }

        /** Why it is not, for programs. */
        String code() {
            return json.path("code").asText();
        }

        /** The same for people. */
        String error() {
            return Printable.of(json.path("error").asText());
        }
    }

    JsonNode status() throws IOException, InterruptedException {
        Answer answer = answer(request("/api/status").GET());
        return require(answer.isGood() && answer.json.path("instance").isObject(), answer).json;
    }

    /**
     * @param document as the value of its record would be
     * @param headers of that record, each as {@link EncodedHeader} writes it
     */
    Answer check(byte[] document, List<String> headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = request("/api/check")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(document));
        headers.forEach(header -> request.header(EncodedHeader.HTTP_HEADER, header));
        Answer answer = answer(request);
        return require(
                answer.isGood()
                        ? answer.json.path("outcome").isTextual()
                        : answer.json.path("code").isTextual() && NOT_CHECKED.contains(answer.status),
                answer);
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
        token.ifPresent(value -> request.header("Authorization", "Bearer " + value));
        return request;
    }

    /** The time is that of the whole answer, however slowly it comes. */
    private Answer answer(HttpRequest.Builder request) throws IOException, InterruptedException {
        try {
            HttpResponse<String> response =
                    client.sendAsync(request.build(), BodyHandlers.ofString()).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return new Answer(response.statusCode(), response.body(), json(response.body()));
        } catch (TimeoutException | ExecutionException e) {
            String found = e instanceof TimeoutException ? "none" : Printable.of(String.valueOf(e.getCause()));
            throw new IOException(
                    url + ": expected a service that answers over HTTP within " + PATIENCE_SECONDS + " s, found "
                            + found + "; look at the end of its log if it should run there, else start it with"
                            + " neardup.http.listen, or name its address by --url",
                    e);
        }
    }

    private Answer require(boolean isOurs, Answer answer) throws IOException {
        if (!isOurs) {
            throw new IOException(url + ": expected an answer of neardup, found status " + answer.status + " "
                    + answer.code() + " " + answer.error() + "; give by --url what the service has as"
                    + " neardup.http.listen, and by --token-file its token");
        }
        return answer;
    }

    private static JsonNode json(String body) {
        try {
            return Json.read(body.getBytes(UTF_8));
        } catch (IOException e) {
            return MissingNode.getInstance();
        }
    }

    /** Where a running service answers over HTTP, and how it lets one in. */
    static final class Options {
        @Option(
                names = "--url",
                paramLabel = "URL",
                description = "Where an instance answers over HTTP:%n  http://host:port, of its setting%n"
                        + "  neardup.http.listen.")
        private String url = DEFAULT_URL;

        @Option(
                names = "--token-file",
                paramLabel = "FILE",
                description = "The file of the token that the instance wants, by neardup.http.token.file.")
        private @Nullable Path tokenFile;

        /** Refuses an address that is none, and a file without a token. */
        ServiceClient client(ToolCommand command) throws IOException {
            command.check(isUrl(url), "--url", "http://host:port of a service", url);
            if (tokenFile == null) {
                return new ServiceClient(url, Optional.empty());
            }
            String token = TextFile.read(tokenFile).strip();
            if (!token.matches("[!-~]{1,512}")) {
                throw new UnusableFileException(
                        tokenFile + ": expected a token of visible ASCII characters, found another content");
            }
            return new ServiceClient(url, Optional.of(token));
        }
    }
}
