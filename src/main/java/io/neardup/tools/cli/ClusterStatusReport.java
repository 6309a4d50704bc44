package io.neardup.tools.cli;

import static io.neardup.tools.cli.FigureText.text;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.record.Printable;
import io.neardup.service.cluster.StoredIndex;
import io.neardup.tools.cli.ClusterStatus.InputStatus;
import io.neardup.tools.cli.ClusterStatus.Member;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/** How a service stands, as the cluster tells it. */
record ClusterStatusReport(String applicationId, ClusterStatus status) implements CommandReport {

    @Override
    public void print(PrintWriter output) {
        status.problems().forEach(problem -> line(output, "look at", problem));
        line(output, "application.id", applicationId);
        line(
                output,
                "group",
                text(
                        "%s, instances %d, members %d",
                        status.groupState(),
                        status.instances().size(),
                        status.members().size()));
        status.members().forEach(member -> print(member, output));
        output.println(
                "  The cluster knows who is a member now, a dead one for its session more, and not who should be.");
        if (!status.members().isEmpty()) {
            output.println(
                    "  If these are fewer than you run, one of them tells who has gone: status --url, or its log.");
        }
        output.printf(Locale.ROOT, "%n%-30s %14s %14s %14s %14s%n", "input", "end", "read", "lag", "in flight");
        status.inputs().forEach(input -> print(input, output));
        output.println();
        status.index()
                .ifPresentOrElse(
                        index -> print(index, output),
                        () -> line(output, "index", "none: no service of this application.id has started"));
    }

    private static void line(PrintWriter output, String name, String value) {
        output.println(FigureText.named(name, value));
    }

    private static void print(Member member, PrintWriter output) {
        output.printf(
                Locale.ROOT,
                "  %s at %s: %s; index partitions %d%n",
                Printable.of(member.clientId()),
                Printable.of(member.host()),
                member.inputs().isEmpty()
                        ? "no input"
                        : member.inputs().stream().map(TopicPartition::toString).collect(Collectors.joining(" ")),
                member.indexPartitions());
    }

    private static void print(InputStatus input, PrintWriter output) {
        output.printf(
                Locale.ROOT,
                "%-30s %,14d %14s %,14d %,14d%n",
                input.partition(),
                input.end(),
                input.read().isPresent() ? text("%,d", input.read().getAsLong()) : "never",
                input.lag(),
                input.heldMax());
    }

    private static void print(StoredIndex index, PrintWriter output) {
        line(output, "index", index.id() + ", made by release " + index.release());
        new TreeMap<>(index.settings().entries())
                .forEach((key, value) -> output.println("  " + key + " = " + Printable.of(value)));
    }

    @Override
    public ObjectNode json() {
        ObjectNode all = JsonNodeFactory.instance
                .objectNode()
                .put("applicationId", applicationId)
                .put("groupState", status.groupState())
                .put("instances", status.instances().size());
        ArrayNode members = all.putArray("members");
        for (Member member : status.members()) {
            ArrayNode inputs = members.addObject()
                    .put("clientId", member.clientId())
                    .put("host", member.host())
                    .put("indexPartitions", member.indexPartitions())
                    .putArray("inputs");
            member.inputs().forEach(partition -> inputs.add(partition.toString()));
        }
        ArrayNode inputs = all.putArray("inputs");
        for (InputStatus input : status.inputs()) {
            ObjectNode one = inputs.addObject()
                    .put("topic", input.partition().topic())
                    .put("partition", input.partition().partition())
                    .put("end", input.end());
            input.read().ifPresent(read -> one.put("read", read));
            one.put("lag", input.lag()).put("heldMax", input.heldMax());
        }
        ArrayNode problems = all.putArray("problems");
        status.problems().forEach(problems::add);
        status.index().ifPresent(index -> {
            ObjectNode made = all.putObject("index").put("id", index.id()).put("release", index.release());
            ObjectNode settings = made.putObject("settings");
            new TreeMap<>(index.settings().entries()).forEach(settings::put);
        });
        return all;
    }
}
