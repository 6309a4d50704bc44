package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.format;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.record.Reason;
import io.neardup.service.migration.ClusterView;
import io.neardup.tools.feed.Redrive;
import io.neardup.tools.feed.Redrive.LetterOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

@Command(
        name = "redrive",
        description = {"Sends dead letters to the input again, as they came in.", "Those of a reason that was mended."},
        footer = {
            "Examples, with the settings that the service runs with:",
            "  java -jar neardup.jar redrive --dry-run --config config/neardup.properties",
            "  java -jar neardup.jar redrive --reason too-large --reason no-text \\",
            "      --config config/neardup.properties",
            "",
            "Each is sent once: with the records the cluster commits up to where each reason",
            "is dealt with. It forgets that a week later (offsets.retention.minutes); then all",
            "are sent again.",
            "What becomes a dead letter meanwhile is left for the next time.",
            "The header neardup.redriven says how often a record was sent back.",
            "",
            "By reason it counts what is sent (whole), and what is left for good: what was",
            "too large for the dead-letter topic (valueLeftOut), or sent back --times before",
            "(tooOften), or of no input topic (noInput), or too large for the input with one",
            "header more, or above 32 MB (tooLarge). A timestamp that the input does not take",
            "becomes the present."
        })
final class RedriveCommand extends ClusterCommand {
    private static final int TIMES_MAX = 1_000;

    @Option(
            names = "--reason",
            paramLabel = "R",
            converter = ReasonConverter.class,
            description = "Dead letters of this reason, such as too-large; may be repeated.")
    private List<Reason> reasons = new ArrayList<>();

    @Option(names = "--all", description = "Those of every reason.")
    private boolean all;

    @Option(
            names = "--times",
            paramLabel = "N",
            description = "Leave what was sent back so often before (default: ${DEFAULT-VALUE}).")
    private int times = 3;

    @Option(names = "--dry-run", description = "Count what would be sent, by reason; without --reason that of all.")
    private boolean dryRun;

    /** By the codes that stand in headers. */
    static final class ReasonConverter implements ITypeConverter<Reason> {
        @Override
        public Reason convert(String code) {
            return Reason.ofCode(code)
                    .orElseThrow(() -> new TypeConversionException("expected "
                            + Reason.ofDeadLetters().stream().map(Reason::code).collect(Collectors.joining(", "))
                            + ", found " + code));
        }
    }

    @Override
    public Integer call() throws IOException {
        check(
                reasons.isEmpty() ? all || dryRun : !all,
                "--reason",
                "it or --all, and not both",
                all ? "both" : "neither; --dry-run counts what is there");
        check("--times", times, 1, TIMES_MAX);
        NeardupConfig config =
                clusterConfig(options).requireRecords("dead letters are sent from neardup.dead-letter.topic");
        try (ClusterView cluster = new ClusterView(config)) {
            boolean areInputsAssumed = !options.settings().isGiven("neardup.input.topics");
            Set<Reason> chosen = reasons.isEmpty() ? EnumSet.allOf(Reason.class) : EnumSet.copyOf(reasons);
            Redrive redrive = new Redrive(cluster, areInputsAssumed, chosen, times);
            StopHook stop = new StopHook(redrive::stop, StopHook.SUMMARY_PATIENCE);
            try (stop) {
                Redrive.Summary summary = run(redrive, config.deadLetterTopic());
                print(() -> text(summary), () -> json(summary));
            }
        }
        return ExitCode.OK;
    }

    private Redrive.Summary run(Redrive redrive, String deadLetterTopic) throws IOException {
        try (ProgressLines progress = progress()) {
            progress.phase("reading " + deadLetterTopic);
            LongConsumer shown = read -> progress.update(format("%,d dead letters read", read));
            return redrive.run(!dryRun, shown);
        }
    }

    private TextTable text(Redrive.Summary summary) {
        TextTable text = new TextTable().fields(json(summary));
        return summary.isStopped() ? text.text("Stopped before the end. Call the same again to go on.") : text;
    }

    private ObjectNode json(Redrive.Summary summary) {
        return Json.object()
                .put("dryRun", dryRun)
                .putPOJO("reasons", summary.counts())
                .put("sent", dryRun ? 0 : summary.of(LetterOutcome.SENT))
                .put("foreign", summary.foreign())
                .put("stopped", summary.isStopped());
    }
}
