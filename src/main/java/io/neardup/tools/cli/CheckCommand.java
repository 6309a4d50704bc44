package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.format;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.record.Printable;
import io.neardup.service.http.EncodedHeader;
import io.neardup.tools.cli.ServiceClient.Answer;
import io.neardup.tools.feed.Feed;
import io.neardup.tools.feed.FeedRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "check",
        description = {
            "Asks a running service which documents are duplicates.",
            "It tells whether they would be, and of what, and leaves no trace: the documents are not"
                    + " published, and later ones are not compared with them."
        },
        footer = {
            "Examples:",
            "  java -jar neardup.jar check documents.jsonl",
            "  echo '{\"id\":\"a\",\"text\":\"the red cat\"}' | java -jar neardup.jar check -",
            "",
            "Without --url it asks at " + ServiceClient.DEFAULT_URL + ".",
            "",
            "Exit codes: 0 all were checked, whatever the answers are; 1 some were not."
        })
final class CheckCommand extends ReportingCommand {
    /** The longest that a service can be set to take. */
    private static final int LINE_BYTES_MAX = 12_000_000;

    @Parameters(
            index = "0",
            paramLabel = "FILE",
            description = FeedCommand.FILES + " Each record is asked about as it would be published.")
    private String file = "";

    @Option(
            names = "--lines",
            description = "For a service with neardup.document.format=text: each line is%n  a document. One that reads"
                    + " JSON refuses them.")
    private boolean isLines;

    @Option(
            names = "--header",
            paramLabel = "NAME=VALUE",
            description = "A header of the records, such as that of%n  neardup.scope=header:NAME; may be repeated.")
    private List<String> headers = new ArrayList<>();

    @Mixin
    private ServiceClient.Options service = new ServiceClient.Options();

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<String> asked = headers.stream().map(this::encoded).toList();
        ServiceClient client = service.client(this);
        int read = 0;
        int failed = 0;
        Feed.Kind kind = isLines ? Feed.Kind.LINES : Feed.Kind.ANY;
        try (Feed lines = new Feed(List.of(file), System.in, kind, LINE_BYTES_MAX)) {
            // Stops when the reader of the output has closed it, as head does.
            for (FeedRecord line = lines.next(); line != null && !out().checkError(); line = lines.next()) {
                read++;
                failed += check(client, line, asked) ? 0 : 1;
            }
            SkippedText.lines(lines.skippedTotals()).forEach(err()::println);
        }
        out().flush();
        if (read == 0) {
            err().println("check: " + file + " has no documents");
        }
        if (failed > 0) {
            err().println("check: " + failed + " of " + read + " documents were not checked");
        }
        return failed == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private String encoded(String header) {
        int equals = header.indexOf('=');
        check(equals > 0, "--header", "NAME=VALUE", header);
        return EncodedHeader.encode(
                header.substring(0, equals), header.substring(equals + 1).getBytes(UTF_8));
    }

    private boolean check(ServiceClient client, FeedRecord line, List<String> asked)
            throws IOException, InterruptedException {
        if (line.isOversized()) {
            String expected = "expected a line of at most " + LINE_BYTES_MAX + " bytes, found ";
            notChecked(line, "too-large", expected + line.length());
            return false;
        }
        Answer answer = client.check(line.bytes(), asked);
        if (!answer.isGood()) {
            notChecked(line, answer.code(), answer.error());
        } else if (isJson()) {
            out().println(answer.body().strip());
        } else {
            JsonNode json = answer.json();
            // A line for a document, however long.
            out().println(Printable.of(json.path("id").asText() + "  " + said(json)));
        }
        return answer.isGood();
    }

    private void notChecked(FeedRecord line, String code, String error) {
        if (isJson()) {
            out().println(Json.object()
                    .put("file", line.source())
                    .put("line", line.number())
                    .put("code", code)
                    .put("error", error));
        } else {
            String place = "line " + line.number() + " of " + line.source();
            out().println(Printable.of(place + "  not checked: " + code + ", " + error));
        }
    }

    private static String said(JsonNode answer) {
        if (answer.path("outcome").asText().equals("duplicate")) {
            return "duplicate of " + answer.path("duplicateOf").asText() + similarity(answer);
        }
        JsonNode nearest = answer.path("nearest").path(0);
        return nearest.isMissingNode()
                ? "unique; no candidate was compared"
                : "unique; nearest " + nearest.path("id").asText() + similarity(nearest)
                        + (nearest.path("pending").asBoolean() ? ", not decided yet" : "");
    }

    private static String similarity(JsonNode answer) {
        return format(", similarity %.3f", answer.path("similarity").asDouble());
    }
}
