package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.Cutover.CutoverStage;
import io.neardup.tools.cli.CutoverRequest.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

@Command(
        name = "cutover",
        description = {
            "Lets an index hand its input over to another one.",
            "Exactly once, to one that follows it: each coordinator of the old index stops at a record of its own,"
                    + " and the new index continues there once everything before has left."
        },
        footer = {
            "Example, with the settings that one of the services runs with:",
            "  java -jar neardup.jar index cutover --from neardup --to neardup-2 \\",
            "      --config config/neardup.properties --bootstrap-server localhost:9092",
            "",
            "It asks for confirmation and waits until the new index has taken over. Ctrl-C",
            "ends only the waiting. A request cannot be taken back: the old service ends by",
            "itself, and does not start again.",
            "",
            "Exit codes: 0 taken over, and with --status; 1 not; 2 wrong usage or settings."
        })
final class CutoverCommand extends ClusterCommand {
    private static final long LOOK_MILLIS = 500;

    @Option(names = "--from", paramLabel = "ID", required = true, description = "The application.id that hands over.")
    private String from = "";

    @Option(names = "--to", paramLabel = "ID", description = "The application.id that takes over.")
    private @Nullable String to;

    @Option(names = "--status", description = "Tell how far it is.")
    private boolean status;

    @Option(names = "--now", description = "Do not wait until the successor has read nearly all of the old index.")
    private boolean now;

    @Option(names = "--yes", description = "Do not ask for confirmation.")
    private boolean yes;

    @Override
    public Integer call() throws Exception {
        requireBeside("--json", "--status");
        check(!parsed().hasMatchedOption("--group"), "--group", "none, as --from and --to name the services", "one");
        check(!status || (to == null && !now && !yes), "--status", "none of --to, --now and --yes beside it", "one");
        check(status || to != null, "--to", "the application.id that takes over", "none");
        quietLog();
        NeardupConfig config = config(from);
        printCluster(config);
        try (ClusterView cluster = new ClusterView(config)) {
            CutoverRequest request = new CutoverRequest(from, cluster);
            cluster.requireIndex();
            if (status) {
                Progress progress = request.look();
                print(() -> new TextTable().asIs(List.of(text(progress))), () -> json(progress));
                return ExitCode.OK;
            }
            return ask(String.valueOf(to), cluster, request);
        }
    }

    private NeardupConfig config(String applicationId) {
        return NeardupConfig.forCluster(options.settings().set("application.id", applicationId, "the command line"));
    }

    private ObjectNode json(Progress progress) {
        Cutover cutover = progress.cutover();
        ObjectNode json = Json.object()
                .put("from", from)
                .put("stage", cutover.stage().name().toLowerCase(Locale.ROOT))
                .put("members", progress.members());
        cutover.request().ifPresent(asked -> json.put("to", asked.successor())
                .put("since", Instant.ofEpochMilli(cutover.sinceMillis()).toString())
                .put("coordinators", asked.coordinators())
                .put("coordinatorsLeft", cutover.coordinatorsLeft())
                .put("successorMembers", progress.successorMembers())
                .put("takenOver", progress.isTakenOver()));
        progress.successorCoordinatorsLeft().ifPresent(left -> json.put("successorCoordinatorsLeft", left));
        return json;
    }

    /** How far it is, and who has still to do what. */
    private String text(Progress progress) {
        Cutover cutover = progress.cutover();
        if (cutover.request().isEmpty()) {
            return from + " keeps its input: no cutover was requested.";
        }
        String to = cutover.request().get().successor();
        boolean isEmpty = cutover.stage() == CutoverStage.EMPTY;
        String text = from + (isEmpty ? " has handed" : " is handing") + " its input over to " + to
                + ", since " + Instant.ofEpochMilli(cutover.sinceMillis())
                + (isEmpty ? "." : "; coordinators not done: " + cutover.coordinatorsLeft() + ".");
        if (progress.isTakenOver()) {
            return text + " " + to + " has taken over.";
        }
        text += isEmpty ? " " + to + " has still to take over." : "";
        text += !isEmpty && progress.members() == 0 ? " No service of " + from + " runs: start it again." : "";
        return text + (progress.successorMembers() == 0 ? " No service of " + to + " runs: start it." : "");
    }

    private int ask(String successor, ClusterView cluster, CutoverRequest request) throws Exception {
        if (cluster.cutover().stage() == CutoverStage.NONE) {
            long left;
            try (ClusterView other = new ClusterView(config(successor))) {
                left = request.check(other, now);
            }
            out().println(from + " is to hand its input over to " + successor + ", which has about " + left
                    + " records of it to read before it goes on.");
            if (!yes && !confirm("Hand over for good?")) {
                err().println("No cutover was requested.");
                return ExitCode.SOFTWARE;
            }
            Cutover unused = request.ask(successor);
        }
        Progress asked = request.look();
        if (!asked.cutover().successor().equals(Optional.of(successor))) {
            err().println("No new request was made: " + text(asked));
            return ExitCode.SOFTWARE;
        }
        return await(request, asked);
    }

    private int await(CutoverRequest request, Progress asked) throws InterruptedException {
        Progress last = asked;
        StopHook stop = new StopHook(
                () -> err().printf("%nIt goes on without this command: --status tells how far it is.%n"),
                Duration.ZERO);
        try (stop;
                ProgressLines lines = progress()) {
            while (last.goesOn()) {
                Thread.sleep(LOOK_MILLIS);
                try {
                    last = request.look();
                    lines.update(text(last));
                } catch (StartupException | KafkaException e) {
                    // It goes on all the same.
                    lines.update("looking again: " + e.getMessage());
                }
            }
        }
        out().println(text(last));
        out().flush();
        return last.isTakenOver() ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}
