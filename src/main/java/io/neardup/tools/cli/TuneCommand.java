package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.tools.analysis.TuningTargets;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "tune",
        description = {
            "Proposes settings for a file of documents.",
            "It measures by several shingles how similar the documents are, finds where copies"
                    + " separate from the unrelated, and proposes shingle, threshold, bands and rows."
        },
        subcommands = {TuneBoilerplateCommand.class, TuneWeightsCommand.class},
        footer = {
            "Examples: what suits an index of 5 million documents like these",
            "  java -jar neardup.jar tune news.jsonl.gz --index-size 5m --write my.properties",
            "",
            "Answer 40 questions about pairs, stop with q or Ctrl-C, and go on another day",
            "  java -jar neardup.jar tune news.jsonl.gz --ask",
            "Answers by a script: a line s, o or ? for each question on the standard input,",
            "  java -jar neardup.jar tune news.jsonl.gz --ask 10 < replies.txt",
            "or in the file: when the input ends, the next pairs are written there with ?",
            "after the ids; replace ? by same or other and call again",
            "  java -jar neardup.jar tune news.jsonl.gz --ask --answers a.tsv < /dev/null",
            "",
            "Exit code 130 after Ctrl-C, with what was answered so far kept."
        })
final class TuneCommand extends SettingsCommand {
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
            check("--ask", ask, 1, AnswerSession.QUESTIONS_MAX);
            check(answers != null || !sampled.equals("-"), "--ask", "--answers OUT where FILE is -", "none");
            if (write != null) {
                boolean isOther = !write.toAbsolutePath().normalize().equals(kept(sampled));
                check(isOther, "--write", "another file than the answers", write);
            }
        }
        requireBeside("--answers", "--ask");
        Settings settings = settings();
        NeardupConfig config = comparingShingles("tune FILE", settings);
        TuningTargets targets = TuningTargets.of(settings, config);
        TunedSettings.Report report;
        try (RereadInput input = new RereadInput(List.of(sampled), System.in);
                ProgressLines progress = progress()) {
            report = ask == null
                    ? TuningReport.of(input, config, targets, documents, progress)
                    : ask(sampled, ask, input, config, targets, progress);
        }
        if (write != null) {
            report.proposed().write(write);
        }
        print(
                () -> write == null ? report.text() : report.text().blank().text("Written to " + write + "."),
                report::json);
        return ExitCode.OK;
    }

    private TunedSettings.Report ask(
            String asked,
            int questions,
            RereadInput input,
            NeardupConfig config,
            TuningTargets targets,
            ProgressLines progress)
            throws IOException {
        Path kept = kept(asked);
        OutputFile.checked("--answers", kept, asked);
        AnswerSession.Options what = new AnswerSession.Options(kept, questions, documents, isJson() ? err() : out());
        InputStream replies = asked.equals("-") ? InputStream.nullInputStream() : System.in;
        try {
            return AnswerSession.report(what, input, replies, config, targets, progress);
        } catch (OutOfMemoryError e) {
            throw Failures.heapTooSmall("The documents of " + asked, e);
        }
    }

    /** Where the answers are kept. */
    private Path kept(String asked) {
        Path place = answers == null ? Path.of(Path.of(asked) + ".answers.tsv") : answers;
        return place.toAbsolutePath().normalize();
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
