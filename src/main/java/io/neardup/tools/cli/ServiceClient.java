package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.neardup.record.Printable;
import io.neardup.service.http.EncodedHeader;
import io.neardup.tools.analysis.TextFile;
import io.neardup.tools.feed.UnusableFileException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Asks an instance over HTTP. Every question is answered within {@value #PATIENCE_SECONDS} s an attempt, or ends in an
 * {@link IOException} that says what was found in place of a service.
 */
final class ServiceClient {
    /** Where {@code local --serve} answers. */
    static final String DEFAULT_URL = "http://127.0.0.1:8080";

    private static final int PATIENCE_SECONDS = 10;
    private static final int ATTEMPTS = 3;
    /** A task that moves, or much to do: what is asked again may be answered. */
    private static final Set<Integer> LATER = Set.of(429, 503, 504);
    /** A document that is none, or is too large. */
    private static final Set<Integer> NOT_CHECKED = Set.of(400, 413);

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

    /** @param body as the service wrote it */
    record CheckReply(boolean isChecked, String body, JsonNode json) {
        /** Why it was not checked, for programs. */
        String code() {
            return json.path("code").asText();
        }

        /** The same for people. */
        String error() {
            return Printable.of(json.path("error").asText());
        }
    }

    JsonNode status() throws IOException, InterruptedException {
        HttpResponse<String> answer = send(request("/api/status").GET());
        JsonNode json = json(answer.body());
        if (answer.statusCode() != 200 || !json.path("instance").isObject()) {
            throw refused(answer);
        }
        return json;
    }

    /**
     * @param document as the value of its record would be
     * @param headers of that record, each as {@link EncodedHeader} writes it
     */
    CheckReply check(byte[] document, List<String> headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = request("/api/check")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(document));
        headers.forEach(header -> request.header(EncodedHeader.HTTP_HEADER, header));
        HttpResponse<String> response = send(request);
        for (int attempt = 1; attempt < ATTEMPTS && LATER.contains(response.statusCode()); attempt++) {
            response = send(request);
        }
        int status = response.statusCode();
        CheckReply answer = new CheckReply(status == 200, response.body(), json(response.body()));
        boolean isOurs = answer.isChecked()
                ? answer.json.path("outcome").isTextual()
                : answer.json.path("code").isTextual() && (NOT_CHECKED.contains(status) || LATER.contains(status));
        if (!isOurs) {
            throw refused(response);
        }
        return answer;
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
        token.ifPresent(value -> request.header("Authorization", "Bearer " + value));
        return request;
    }

    /** The time is that of the whole answer, however slowly it comes. */
    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        try {
            return client.sendAsync(request.build(), BodyHandlers.ofString()).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw unanswered("none within " + PATIENCE_SECONDS + " s", e);
        } catch (ExecutionException e) {
            Throwable failure = Objects.requireNonNullElse(e.getCause(), e);
            boolean isNone = failure instanceof ConnectException || failure instanceof HttpTimeoutException;
            String said = Printable.of(String.valueOf(failure.getMessage()));
            throw unanswered(isNone ? "none" : "something else (" + said + ")", e);
        }
    }

    private IOException unanswered(String found, Exception e) {
        return new IOException(
                url + ": expected a service that answers over HTTP, found " + found
                        + "; if it should run there, the end of its log tells why it stopped, and `status --config"
                        + " FILE` asks the cluster which topic is missing; else start it with neardup.http.listen, or"
                        + " name its address by --url",
                e);
    }

    private IOException refused(HttpResponse<String> answer) {
        if (answer.statusCode() == 401) {
            return new IOException(url + ": expected the token that it wants, found "
                    + (token.isPresent() ? "another" : "none") + "; give --token-file");
        }
        JsonNode json = json(answer.body());
        String error = json.path("code").asText() + ": " + json.path("error").asText();
        return new IOException(url + ": expected an answer of neardup, found status " + answer.statusCode()
                + (json.has("code") ? " (" + Printable.of(error) + ")" : "")
                + "; give by --url what the service has as neardup.http.listen");
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
                description = "Where an instance answers over HTTP, by neardup.http.listen: http://host:port.")
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
