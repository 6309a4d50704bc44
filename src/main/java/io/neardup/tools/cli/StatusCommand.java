package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.config.NeardupConfig;
import io.neardup.service.migration.ClusterView;
import java.io.IOException;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

/** How a service stands, as the cluster tells it, or an instance itself. */
@Command(
        name = "status",
        description = {
            "Tells how a service stands, running or not.",
            "It goes by what the cluster knows: members, lag of each input partition, what has not"
                    + " left, and what the index was made with. With --url it asks an instance instead: its"
                    + " state and figures, and members and lag of the whole group."
        },
        footer = {
            "",
            "Examples, with the settings that the service runs with; and over HTTP, without:",
            "  java -jar neardup.jar status --config config/neardup.properties \\",
            "      --bootstrap-server localhost:9092",
            "  java -jar neardup.jar status --url " + ServiceOptions.DEFAULT_URL,
            "",
            "It changes nothing. Exit code 0 whether the service runs or not; with --url 1",
            "where none answers."
        })
final class StatusCommand extends ReportingCommand {
    @Mixin
    private ServiceOptions service = new ServiceOptions();

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        print(service.url().isPresent() ? ofInstance(service.url().get()) : ofCluster());
        return ExitCode.OK;
    }

    private Report ofInstance(String url) throws IOException, InterruptedException {
        if (options.isGiven()) {
            throw wrong("--config and --set: of no effect beside --url; an instance tells of itself");
        }
        service.check(this);
        ServiceClient client = service.clientOr(url);
        return new InstanceStatus(client.url(), client.status());
    }

    private Report ofCluster() {
        if (service.isTokenGiven()) {
            throw wrong("--token-file: expected --url beside it, found none");
        }
        NeardupConfig config = asking(options);
        try (ClusterView cluster = new ClusterView(config)) {
            return ClusterStatus.of(config, cluster);
        }
    }

    /** How an instance stands, as it says itself: all that it tells, a line for each field. */
    record InstanceStatus(String url, JsonNode status) implements Report {
        @Override
        public TextTable text() {
            TextTable text = new TextTable();
            text.row("application.id", status.path("applicationId").asText("not known yet"));
            text.row("url", url);
            JsonNode instance = status.path("instance");
            instance.path("alerts").forEach(note -> text.row("look at", note.asText()));
            if (status.has("parting")) {
                text.row("threshold", status.get("parting").asText());
            }
            instance.properties().stream()
                    .filter(field -> !field.getValue().isArray())
                    .forEach(field -> text.row(words(field.getKey()), shown(field.getValue())));
            JsonNode group = status.path("group");
            text.row("group", group.isObject() ? shown(group) : "not known: the cluster has not answered yet");
            text.blank();
            if (group.isObject()) {
                text.row("input", "lag");
            }
            group.path("lagByPartition")
                    .forEach(lag -> text.row(
                            lag.path("topic").asText() + "-"
                                    + lag.path("partition").asInt(),
                            lag.path("records").asLong()));
            return text;
        }

        private static String words(String field) {
            return field.replaceAll("(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
        }

        /** The fields of an object in one sentence, figures with commas. */
        private static String shown(JsonNode value) {
            if (value.isIntegralNumber()) {
                return TextTable.format("%,d", value.asLong());
            }
            return value.isObject()
                    ? value.properties().stream()
                            .filter(field -> !field.getValue().isArray())
                            .filter(field -> !(field.getValue().isObject()
                                    && field.getValue().isEmpty()))
                            .map(field -> words(field.getKey()) + " " + inside(field.getValue()))
                            .collect(Collectors.joining(", "))
                    : value.asText();
        }

        private static String inside(JsonNode value) {
            return value.isObject() ? "(" + shown(value) + ")" : shown(value);
        }

        @Override
        public Object json() {
            return status;
        }
    }
}
