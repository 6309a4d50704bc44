package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.FailureCause;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.http.HttpEndpoints;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.lifecycle.StartChecks;
import io.neardup.service.lifecycle.StartChecks.Finding;
import io.neardup.service.lifecycle.StartChecks.Result;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

@Command(
        name = "run",
        description = {"Runs the service against a Kafka cluster.", "It ends when it is stopped, or fails."},
        footer = {
            "Example:",
            "  java -jar neardup.jar run --config config/neardup.properties \\",
            "      --bootstrap-server localhost:9092 --create-topics",
            "The same with --check before the first start, or where one fails:",
            "  java -jar neardup.jar run --config config/neardup.properties --check",
            "",
            "Ctrl-C and SIGTERM stop it cleanly: what is done is committed, and other",
            "instances take over at once. The exit code is then 130 or 143, as usual for a",
            "signal; 1 if the service failed, or --check found something wrong; 2 for wrong",
            "usage or settings."
        })
final class RunCommand extends ClusterCommand {
    private static final String PARTITIONS_DEFAULT = "4";
    private static final String STOP = "stop";
    private static final String SKIP = "skip";
    private static final String FORGET = "forget";

    @Option(
            names = "--create-topics",
            arity = "0..1",
            fallbackValue = PARTITIONS_DEFAULT,
            paramLabel = "N",
            description = "Create the input and output topics that do not exist, with N partitions (default: "
                    + PARTITIONS_DEFAULT + ").")
    private @Nullable Integer topicPartitions;

    @Option(
            names = "--input-deleted",
            paramLabel = STOP + "|" + SKIP,
            description = "Where records of the input were deleted before they had left, or an input topic was made"
                    + " again: stop (the default), or skip what is gone and go on with what is there.")
    private String deletedInput = STOP;

    @Option(
            names = "--input-removed",
            paramLabel = STOP + "|" + FORGET,
            description = "Where a topic was taken out of neardup.input.topics while documents of it had not left:"
                    + " stop (the default), or forget these, so that no later document repeats them.")
    private String removedInput = STOP;

    @Option(
            names = "--check",
            description = "Start nothing and change nothing: run every check of a start and print"
                    + " each result, with a fix where something is wrong.")
    private boolean checks;

    @Override
    public Integer call() throws IOException, InterruptedException {
        requireBeside("--json", "--check");
        NeardupConfig config = config();
        Integer partitions = topicPartitions;
        if (partitions != null) {
            check(partitions >= 1, "--create-topics", "at least 1 partition", partitions);
        }
        if (checks) {
            return tell(config, Optional.ofNullable(partitions));
        }
        // Probes are answered from the beginning on, also while no broker is there.
        try (HttpEndpoints http = HttpEndpoints.open(config)) {
            if (partitions != null) {
                DedupService.createTopics(config, partitions);
            }
            return serve(http, config);
        }
    }

    private NeardupConfig config() {
        check("--input-deleted", deletedInput, SKIP);
        check("--input-removed", removedInput, FORGET);
        NeardupConfig config = NeardupConfig.forCluster(options.settings());
        config = deletedInput.equals(SKIP) ? config.skippingDeletedInput() : config;
        return removedInput.equals(FORGET) ? config.forgettingRemovedInput() : config;
    }

    private void check(String option, String value, String other) {
        check(value.equals(STOP) || value.equals(other), option, STOP + " or " + other, value);
    }

    private int tell(NeardupConfig config, Optional<Integer> partitions) {
        quietLog();
        printCluster(config);
        List<Finding> findings = StartChecks.report(
                config, partitions, () -> HttpEndpoints.open(config).close());
        boolean isReady = findings.stream().noneMatch(finding -> finding.result() == Result.WRONG);
        print(
                () -> text(isReady, findings),
                () -> Json.object().put("ready", isReady).putPOJO("checks", findings));
        return isReady ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    /** @param isReady whether nothing keeps the service from its start */
    private static TextTable text(boolean isReady, List<Finding> checks) {
        TextTable text = new TextTable();
        for (Finding finding : checks) {
            String found = finding.found();
            text.row(finding.result(), found.startsWith(finding.check()) ? found : finding.check() + ": " + found);
        }
        long wrong = count(Result.WRONG, checks);
        long advised = count(Result.ADVICE, checks);
        String ofChecks = " of " + checks.size() + " checks ";
        String advice = advised == 0 ? "none" : String.valueOf(advised);
        return text.blank()
                .text((isReady
                                ? "Ready to start: " + advice + ofChecks
                                : "Not ready: " + wrong + ofChecks + "wrong, " + advice + " ")
                        + "with advice. Nothing was changed.");
    }

    private static long count(Result result, List<Finding> checks) {
        return checks.stream().filter(finding -> finding.result() == result).count();
    }

    private static int serve(HttpEndpoints http, NeardupConfig config) throws IOException, InterruptedException {
        try (DedupService service = DedupService.start(config)) {
            http.serve(service);
            Runtime.getRuntime().addShutdownHook(new Thread(service::close, "neardup-shutdown"));
            service.ended().get();
            return ExitCode.OK;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StartupException changed) {
                throw changed;
            }
            throw new IOException("the service failed: " + FailureCause.root(e) + "; the log says more", e);
        }
    }
}
