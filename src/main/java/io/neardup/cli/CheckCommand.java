package io.neardup.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.document.Printable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Asks a running service whether documents would be duplicates. */
@Command(
        name = "check",
        description =
                "Asks a running service whether documents would be duplicates, and of what. It leaves no trace: the"
                        + " documents are not published, and later ones are not compared with them.",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        footer = {
            "",
            "Examples:",
            "  java -jar neardup.jar check documents.jsonl",
            "  echo '{\"id\":\"a\",\"text\":\"the red cat\"}' | java -jar neardup.jar check -",
            "",
            "Exit codes: 0 all were checked, whatever the answers are; 1 some were not."
        })
final class CheckCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int ATTEMPTS = 3;
    private static final Set<Integer> LATER = Set.of(429, 503, 504);

    @Parameters(
            index = "0",
            paramLabel = "FILE",
            description = "A file of documents, one a line, as they would be published; - for the standard input.")
    private String file = "";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Where the service answers, by neardup.http.listen (default: ${DEFAULT-VALUE}).",
            defaultValue = "http://127.0.0.1:8080")
    private String url = "";

    @Option(names = "--token-file", paramLabel = "FILE", description = "The file of the token that the service wants.")
    private @Nullable Path tokenFile;

    @Option(names = "--json", description = "Print the answers as they are, a JSON object a line.")
    private boolean json;

    @Mixin
    private CommandTalk talk = new CommandTalk();

    @Override
    public Integer call() throws IOException, InterruptedException {
        URI address = talk.valid(() -> URI.create(url + "/api/check"));
        String token = tokenFile == null ? "" : Files.readString(tokenFile).strip();
        HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
        int failed = 0;
        int number = 0;
        try (BufferedReader lines = open()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank()) {
                    failed += check(client, request(address, token, line), number) ? 0 : 1;
                }
            }
        }
        if (failed > 0) {
            talk.err().println("check: " + failed + " of the documents were not checked");
        }
        return failed == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private BufferedReader open() throws IOException {
        InputStream bytes = file.equals("-") ? System.in : Files.newInputStream(Path.of(file));
        return new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8));
    }

    private HttpRequest request(URI address, String token, String document) {
        HttpRequest.Builder request = talk.valid(() -> HttpRequest.newBuilder(address))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(document));
        return (token.isEmpty() ? request : request.header("Authorization", "Bearer " + token)).build();
    }

    private boolean check(HttpClient client, HttpRequest request, int number) throws IOException, InterruptedException {
        HttpResponse<String> answer = send(client, request);
        // A task that moves, or much to do: what is asked again may be answered.
        for (int attempt = 1; attempt < ATTEMPTS && LATER.contains(answer.statusCode()); attempt++) {
            answer = send(client, request);
        }
        PrintWriter out = talk.out();
        boolean isAnswered = answer.statusCode() == 200;
        if (!isAnswered && answer.statusCode() == 401) {
            throw new IOException(url + ": expected the token that it wants, found another or none; give --token-file");
        }
        if (json) {
            out.println(answer.body().strip());
        } else if (isAnswered) {
            print(JSON.readTree(answer.body()), out);
        } else {
            out.println("line " + number + "  not checked: " + Printable.of(error(answer)));
        }
        out.flush();
        return isAnswered;
    }

    private HttpResponse<String> send(HttpClient client, HttpRequest request) throws IOException, InterruptedException {
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (ConnectException e) {
            throw new IOException(
                    url + ": expected a service that answers over HTTP, found none; start it with neardup.http.listen,"
                            + " or name its address by --url",
                    e);
        }
    }

    private static String error(HttpResponse<String> answer) {
        try {
            JsonNode body = JSON.readTree(answer.body());
            String reason = body.path("reason").asText();
            String said = body.path("error").asText();
            return reason.isEmpty() ? said : reason + ", " + said;
        } catch (IOException e) {
            return answer.statusCode() + " " + answer.body().strip();
        }
    }

    private static void print(JsonNode answer, PrintWriter out) {
        String id = Printable.of(answer.path("id").asText());
        double above = answer.path("uniqueAbove").asDouble();
        if (answer.path("outcome").asText().equals("duplicate")) {
            out.printf(
                    Locale.ROOT,
                    "%s  duplicate of %s, %.3f alike; unique with a threshold above that%n",
                    id,
                    Printable.of(answer.path("duplicateOf").asText()),
                    answer.path("similarity").asDouble());
        } else if (above > 0) {
            out.printf(
                    Locale.ROOT,
                    "%s  unique; nearest %s, %.3f alike; a duplicate with a threshold up to that%n",
                    id,
                    nearest(answer),
                    above);
        } else {
            out.println(id + "  unique; nothing like it shares a bucket");
        }
        answer.path("nearest").forEach(near -> {
            if (near.path("pending").asBoolean()) {
                out.printf(
                        Locale.ROOT,
                        "  pending: %s, %.3f alike, is not decided yet%n",
                        Printable.of(near.path("id").asText()),
                        near.path("similarity").asDouble());
            }
        });
        if (answer.path("leftOut").asInt() > 0 || answer.path("fullBuckets").asInt() > 0) {
            out.printf(
                    "  bounded: %d candidates were left out, %d buckets were full%n",
                    answer.path("leftOut").asInt(), answer.path("fullBuckets").asInt());
        }
    }

    private static String nearest(JsonNode answer) {
        for (JsonNode near : answer.path("nearest")) {
            if (!near.path("pending").asBoolean()) {
                return Printable.of(near.path("id").asText());
            }
        }
        return "";
    }
}
