package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.tools.analysis.TuningTargets;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Proposes settings for a file of documents. */
@Command(
        name = "tune",
        description = {
            "Proposes settings for a file of documents.",
            "It measures by several shingles how similar the documents are, finds where copies part"
                    + " from the unrelated, and proposes shingle, threshold, bands and rows."
        },
        subcommands = {TuneBoilerplateCommand.class, TuneWeightsCommand.class},
        footer = {
            "",
            "Examples: what suits an index of 5 million documents like these",
            "  java -jar neardup.jar tune news.jsonl.gz --index-size 5m --write my.properties",
            "",
            "Answer 40 questions about pairs, stop with q or Ctrl-C, and go on another day",
            "  java -jar neardup.jar tune news.jsonl.gz --ask",
            "Answers by a script: a line s, o or ? for each question on the standard input,",
            "  java -jar neardup.jar tune news.jsonl.gz --ask 10 < replies.txt",
            "or in the file: at the end of the input the next pairs stand there with ? behind",
            "the ids; put same or other in its place and call again",
            "  java -jar neardup.jar tune news.jsonl.gz --ask --answers a.tsv < /dev/null",
            "",
            "Exit code 130 after Ctrl-C, with what was answered so far kept."
        })
final class TuneCommand extends ReportingCommand {
    /** Optional for the parser alone, as the commands below this one have a file of their own. */
    @Parameters(arity = "0..1", paramLabel = "FILE", description = FeedCommand.FILES)
    private @Nullable String file;

    @Option(names = "--documents", paramLabel = "N", description = "Take the first N documents of FILE (default: all).")
    private int documents = Integer.MAX_VALUE;

    @Option(
            names = "--index-size",
            paramLabel = "N",
            description =
                    "As the setting neardup.index.size, over it; 100k and 5m are understood (default: as many as the"
                            + " file has).")
    private @Nullable String indexSize;

    @Option(names = "--write", paramLabel = "FILE", description = "Write the proposed settings there.")
    private @Nullable Path write;

    @Option(
            names = "--ask",
            paramLabel = "N",
            arity = "0..1",
            fallbackValue = "40",
            description =
                    "Show up to N pairs where an answer tells most (without N: 40), ask whether they are the same or"
                            + " other documents, and propose from the answers. Answers that are kept count among the"
                            + " N. They come from the terminal, or as lines s, o, ? or q from the standard input.")
    private @Nullable Integer ask;

    @Option(
            names = "--answers",
            paramLabel = "OUT",
            description = "Keep the answers there, and go on with those that are there (default: FILE.answers.tsv)."
                    + " evaluate --labels reads it.")
    private @Nullable Path answers;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Override
    public Integer call() throws IOException {
        String sampled = file;
        if (sampled == null) {
            throw wrong("expected a FILE to measure, found none");
        }
        check("--documents", documents, 1, Integer.MAX_VALUE);
        if (write != null) {
            OutputFile.checked("--write", write, sampled);
        }
        if (ask != null) {
            return ask(sampled, ask);
        }
        if (answers != null) {
            throw wrong("--answers: expected --ask beside it, found none");
        }
        return tune(sampled);
    }

    private int tune(String sampled) throws IOException {
        Settings settings = settings();
        NeardupConfig config = valid(() -> comparingShingles("tune FILE", NeardupConfig.of(settings)));
        TuningReport report;
        try (RereadInput input = new RereadInput(List.of(sampled), System.in);
                ProgressLines progress = progress()) {
            report = TuningReport.of(input, config, TuningTargets.of(settings, config), documents, progress);
        }
        return written(report, report.proposed());
    }

    private int written(Report report, TunedSettings settings) throws IOException {
        if (write != null) {
            settings.write(write);
        }
        print(report);
        return ExitCode.OK;
    }

    private int ask(String asked, int questions) throws IOException {
        check("--ask", questions, 1, Asking.QUESTIONS_MAX);
        if (asked.equals("-") && answers == null) {
            throw wrong("--ask: expected --answers OUT where the documents come from the standard input");
        }
        Path kept = answers == null ? Path.of(asked + ".answers.tsv") : answers;
        OutputFile.checked("--answers", kept, asked);
        PrintWriter shown = isJson() ? err() : out();
        Asking asking = valid(() -> new Asking(asked, kept, questions, settings(), shown));
        AskReport report;
        try (ProgressLines progress = progress()) {
            report = asking.report(documents, System.in, progress);
        } catch (OutOfMemoryError e) {
            throw Failures.heapTooSmall("The documents of " + asked, e);
        }
        return written(report, report.settings());
    }

    private Settings settings() {
        Settings settings = options.settings();
        if (indexSize != null) {
            settings.set("neardup.index.size", digits(indexSize), "--index-size");
        }
        return settings;
    }

    /** 100k and 5m in digits; another text as it is, which its reader refuses. */
    private static String digits(String size) {
        String stripped = size.strip().toLowerCase(Locale.ROOT);
        return stripped.matches("[1-9][0-9]{0,8}[km]?")
                ? stripped.replace("k", "000").replace("m", "000000")
                : size;
    }
}
