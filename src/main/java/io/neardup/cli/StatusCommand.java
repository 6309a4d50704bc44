package io.neardup.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.app.ClusterStatus;
import io.neardup.app.ClusterStatus.InputStatus;
import io.neardup.app.ClusterStatus.Member;
import io.neardup.app.ClusterView;
import io.neardup.app.StoredIndex;
import io.neardup.config.NeardupConfig;
import io.neardup.document.Printable;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a service stands, as the cluster tells it. */
@Command(
        name = "status",
        description =
                "Tells how a service stands, running or not, by what the cluster knows: members, lag of each input"
                        + " partition, what has not left, and what the index was made with.",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        footer = {
            "",
            "Example, with the settings that the service runs with:",
            "  java -jar neardup.jar status --config config/neardup.properties \\",
            "      --set bootstrap.servers=localhost:9092",
            "",
            "It changes nothing. Exit code 0 whether the service runs or not."
        })
final class StatusCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Option(names = "--json", description = "Print it as a JSON object.")
    private boolean json;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Mixin
    private CommandTalk talk = new CommandTalk();

    @Override
    public Integer call() {
        NeardupConfig config = NeardupConfig.forCluster(options.settings());
        QuietLog.prepare();
        ClusterStatus status;
        try (ClusterView cluster = new ClusterView(config)) {
            status = ClusterStatus.of(config, cluster);
        }
        PrintWriter output = talk.out();
        if (json) {
            output.println(json(status, config));
        } else {
            print(status, config, output);
        }
        output.flush();
        return ExitCode.OK;
    }

    private static void print(ClusterStatus status, NeardupConfig config, PrintWriter output) {
        output.printf(Locale.ROOT, "application.id  %s%n", config.applicationId());
        output.printf(
                Locale.ROOT,
                "group           %s, members %d%n",
                status.groupState(),
                status.members().size());
        for (Member member : status.members()) {
            output.printf(
                    Locale.ROOT,
                    "  %s at %s: %s; band partitions %d%n",
                    Printable.of(member.clientId()),
                    Printable.of(member.host()),
                    member.inputs().isEmpty()
                            ? "no input"
                            : member.inputs().stream()
                                    .map(TopicPartition::toString)
                                    .collect(Collectors.joining(" ")),
                    member.bandPartitions());
        }
        output.printf(Locale.ROOT, "%n%-30s %14s %14s %14s %14s%n", "input", "end", "read", "lag", "held at most");
        for (InputStatus input : status.inputs()) {
            output.printf(
                    Locale.ROOT,
                    "%-30s %,14d %14s %,14d %,14d%n",
                    input.partition(),
                    input.end(),
                    input.read().isPresent()
                            ? String.format(Locale.ROOT, "%,d", input.read().getAsLong())
                            : "never",
                    input.lag(),
                    input.heldMax());
        }
        output.println();
        status.index().ifPresentOrElse(index -> print(index, output), () -> output.println("index           none"));
    }

    private static void print(StoredIndex index, PrintWriter output) {
        output.printf(Locale.ROOT, "index           %s, made by release %s%n", index.id(), index.release());
        new TreeMap<>(index.settings().entries())
                .forEach((key, value) -> output.println("  " + key + " = " + Printable.of(value)));
    }

    private static ObjectNode json(ClusterStatus status, NeardupConfig config) {
        ObjectNode all = JSON.createObjectNode()
                .put("applicationId", config.applicationId())
                .put("groupState", status.groupState());
        ArrayNode members = all.putArray("members");
        for (Member member : status.members()) {
            ArrayNode inputs = members.addObject()
                    .put("clientId", member.clientId())
                    .put("host", member.host())
                    .put("bandPartitions", member.bandPartitions())
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
        status.index().ifPresent(index -> {
            ObjectNode made = all.putObject("index").put("id", index.id()).put("release", index.release());
            ObjectNode settings = made.putObject("settings");
            new TreeMap<>(index.settings().entries()).forEach(settings::put);
        });
        return all;
    }
}
