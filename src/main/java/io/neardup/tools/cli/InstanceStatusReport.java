package io.neardup.tools.cli;

import static io.neardup.tools.cli.FigureText.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.record.Printable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * How an instance stands, as it says itself over HTTP.
 *
 * @param status of {@code /api/status}
 */
record InstanceStatusReport(String url, ObjectNode status) implements CommandReport {

    @Override
    public void print(PrintWriter output) {
        JsonNode instance = status.path("instance");
        line(output, "application.id", status.path("applicationId").asText("not known yet"));
        line(output, "instance", url + ", " + state(instance));
        if (instance.has("id")) {
            line(output, "", instance.path("id").asText());
        }
        instance.path("alerts").forEach(note -> line(output, "look at", note.asText()));
        line(output, "restoring", instance.path("restoring"), InstanceStatusReport::restoring);
        line(output, "seeding", instance.path("seeding"), InstanceStatusReport::seeding);
        line(output, "following", instance.path("following"), InstanceStatusReport::following);
        line(output, "handing over", instance.path("handingOver"), InstanceStatusReport::handingOver);
        if (instance.has("documents")) {
            printFigures(instance, output);
        }
        printGroup(status.path("group"), output);
    }

    private static void line(PrintWriter output, String name, String value) {
        output.println(FigureText.named(name, value));
    }

    /** Where the instance tells of it. */
    private static void line(PrintWriter output, String name, JsonNode status, Function<JsonNode, String> text) {
        if (status.isObject()) {
            line(output, name, text.apply(status));
        }
    }

    private static String state(JsonNode instance) {
        String state = instance.path("state").asText() + ", tasks "
                + instance.path("tasks").asInt();
        return instance.path("brokersAnswer").asBoolean(true) ? state : state + "; no broker answers";
    }

    private static String restoring(JsonNode restoring) {
        String left = text(
                "%,d records of %,d changelog partitions",
                restoring.path("recordsLeft").asLong(),
                restoring.path("partitions").asLong());
        return restoring.has("secondsLeft")
                ? left
                        + text(
                                ", about %,d s at %,d a second",
                                restoring.path("secondsLeft").asLong(),
                                restoring.path("recordsPerSecond").asLong())
                : left;
    }

    private static String seeding(JsonNode seeding) {
        return text(
                "%,d of %,d records of %s are read; coordinators left %d",
                seeding.path("recordsRead").asLong(),
                seeding.path("records").asLong(),
                seeding.path("topic").asText(),
                seeding.path("coordinatorsLeft").asInt());
    }

    private static String following(JsonNode following) {
        String left = text(
                "%s, %,d records of it left to read",
                following.path("predecessor").asText(),
                following.path("recordsLeft").asLong());
        return following.path("handedOver").asBoolean()
                ? left
                        + text(
                                "; it has handed over, coordinators left %d",
                                following.path("coordinatorsLeft").asInt())
                : left + ", until it has handed over";
    }

    private static String handingOver(JsonNode handingOver) {
        int coordinators = handingOver.path("coordinators").asInt();
        return text(
                "to %s: of %d coordinators %d are empty",
                handingOver.path("successor").asText(),
                coordinators,
                coordinators - handingOver.path("coordinatorsLeft").asInt());
    }

    private static void printFigures(JsonNode instance, PrintWriter output) {
        line(output, "since its start", documents(instance.path("documents")));
        line(
                output,
                "pending",
                text(
                        "%,d, the oldest for %.1f s; asked again %,d",
                        instance.path("pending").asLong(),
                        instance.path("oldestPendingSeconds").asDouble(),
                        instance.path("askedAgain").asLong()));
        line(
                output,
                "index",
                text(
                        "%,d documents, %,.1f MB of heap; bounded %,d",
                        instance.path("indexedDocuments").asLong(),
                        instance.path("indexBytes").asLong() / 1e6,
                        instance.path("boundedDocuments").asLong()));
    }

    private static String documents(JsonNode documents) {
        List<String> reasons = new ArrayList<>();
        documents
                .path("deadLettersByReason")
                .properties()
                .forEach(reason -> reasons.add(
                        text("%s %,d", reason.getKey(), reason.getValue().asLong())));
        String counted = text(
                "unique %,d, duplicates %,d, dead letters %,d",
                documents.path("unique").asLong(),
                documents.path("duplicates").asLong(),
                documents.path("deadLetters").asLong());
        return reasons.isEmpty() ? counted : counted + " (" + String.join(", ", reasons) + ")";
    }

    private static void printGroup(JsonNode group, PrintWriter output) {
        if (!group.isObject()) {
            line(output, "group", "not known: the cluster has not answered yet");
            return;
        }
        line(
                output,
                "group",
                text(
                        "%s, members %d, asked %,d s ago",
                        group.path("state").asText(),
                        group.path("members").asInt(),
                        group.path("secondsAgo").asLong()));
        output.printf(Locale.ROOT, "%n%-30s %14s%n", "input", "lag");
        group.path("lagByPartition")
                .forEach(lag -> output.printf(
                        Locale.ROOT,
                        "%-30s %,14d%n",
                        Printable.of(lag.path("topic").asText()) + "-"
                                + lag.path("partition").asInt(),
                        lag.path("records").asLong()));
    }

    @Override
    public ObjectNode json() {
        return status;
    }
}
