package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.tools.analysis.BoilerplateCheck;
import io.neardup.tools.local.LocalOptions;
import io.neardup.tools.local.LocalRun;
import io.neardup.tools.local.LocalSummary;
import io.neardup.tools.local.ResultFiles;
import io.neardup.tools.local.SkippedFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Files in, files out, with the whole service and a broker in between. */
@Command(
        name = "local",
        description = {
            "Removes the duplicates of files, without a cluster.",
            "The whole service runs, on a real broker inside this process."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        footer = {
            "",
            "Examples:",
            "  java -jar neardup.jar local",
            "  java -jar neardup.jar local news.jsonl.gz --out out \\",
            "      --set neardup.similarity.threshold=0.8",
            "  java -jar neardup.jar local news.jsonl.gz --tune --out out",
            "  java -jar neardup.jar local news.jsonl.gz --seed archive.jsonl.gz",
            "  java -jar neardup.jar local --serve",
            "  zstdcat news.jsonl.zst | java -jar neardup.jar local - --json",
            "",
            "Of the file and the environment only the settings neardup.* count: the others",
            "are meant for a cluster. The broker listens on the loopback address alone; its",
            "data are in a temporary folder (of -Djava.io.tmpdir) that is deleted at the",
            "end, also after Ctrl-C. Progress goes to standard error, the summary to",
            "standard output."
        })
final class LocalCommand implements Callable<Integer> {
    private static final int PARTITIONS_MAX = 1_000;
    private static final String LISTEN = "neardup.http.listen";
    private static final String SERVE_LISTEN = "127.0.0.1:8080";

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = FeedCommand.FILES + " Without any, the sample feed in the jar.")
    private List<String> files = new ArrayList<>();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write unique.jsonl, duplicate-of.jsonl, dead-letter.jsonl and skipped.jsonl there, replacing"
                    + " earlier ones.")
    private @Nullable Path out;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "1",
            description = "Partitions of the input topic (default: ${DEFAULT-VALUE}). With one the outcome is that of"
                    + " reading line by line.")
    private int partitions;

    @Option(
            names = "--seed",
            paramLabel = "CORPUS",
            description = "A file of documents that are there already: they are read first, become originals and leave"
                    + " on no output. May be given more than once.")
    private List<String> seeds = new ArrayList<>();

    @Option(
            names = "--tune",
            description = "Tune first, as tune FILE does, and run with what it proposes; --set goes over that. The"
                    + " boilerplate, if any is found, goes into the --out folder.")
    private boolean tune;

    @Option(
            names = "--serve",
            description = "Go on after the files until Ctrl-C: the page is at http://" + SERVE_LISTEN
                    + " unless neardup.http.listen says otherwise, and the broker takes more documents.")
    private boolean serve;

    @Option(names = "--json", description = "Print the summary as a JSON object.")
    private boolean json;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Mixin
    private CommandTalk talk = new CommandTalk();

    @Override
    public Integer call() throws IOException, InterruptedException {
        talk.check("--partitions", partitions, 1, PARTITIONS_MAX);
        talk.check(!tune || !files.isEmpty(), "--tune", "a FILE to tune on", "none");
        QuietLog.prepare();
        Outcome outcome;
        try (ProgressLines progress = talk.progress()) {
            outcome = run(progress);
        }
        if (!serve) {
            print(outcome);
        }
        return ExitCode.OK;
    }

    /** What a run did, under which settings, and what boilerplate was found then. */
    private record Outcome(LocalSummary summary, NeardupConfig config, Optional<BoilerplateCheck> boilerplate) {}

    private Outcome run(ProgressLines progress) throws IOException, InterruptedException {
        if (!tune) {
            return run(options.settingsForOwnBroker(), System.in, progress);
        }
        try (TunedRun tuned = talk.valid(() -> new TunedRun(options, files, System.in, Optional.ofNullable(out)))) {
            Settings settings = tuned.tune(progress);
            progress.end();
            if (!json) {
                tuned.lines().forEach(talk.out()::println);
                talk.out().println();
            }
            return run(settings, tuned.standardInput(), progress);
        }
    }

    private Outcome run(Settings settings, InputStream standardInput, ProgressLines progress)
            throws IOException, InterruptedException {
        if (serve && !settings.isGiven(LISTEN)) {
            settings.set(LISTEN, SERVE_LISTEN, "--serve");
        }
        LocalOptions what =
                new LocalOptions(settings, files, standardInput, partitions, Optional.ofNullable(out), seeds);
        try (LocalRun run = new LocalRun(what, progress)) {
            Runtime.getRuntime().addShutdownHook(new Thread(run::close, "neardup-shutdown"));
            LocalSummary summary = serve ? run.runAndGoOn() : run.run();
            NeardupConfig config = NeardupConfig.of(settings);
            Outcome outcome =
                    new Outcome(summary, config, BoilerplateText.of(files, config, summary, progress::passing));
            if (serve) {
                progress.end();
                print(outcome);
                goOn(run, config);
            }
            return outcome;
        }
    }

    /** What is printed is for who looks at the screen; the summary alone is the result. */
    private void goOn(LocalRun run, NeardupConfig config) throws IOException, InterruptedException {
        String page = config.httpListen().map(at -> "http://" + at + "/").orElse("");
        talk.err()
                .println("\nServing until Ctrl-C: the page is " + page + "; producers may add to "
                        + String.join(", ", config.inputTopics()) + " at bootstrap.servers=" + run.bootstrapServers()
                        + ". To ask about it, give status, why and verify --bootstrap-server "
                        + run.bootstrapServers() + " --group " + LocalRun.APPLICATION_ID + ".");
        talk.err().flush();
        run.awaitEnd();
    }

    private static String resultsIn(Path folder, LocalSummary summary) {
        long parts = summary.skipped().parts();
        String written = parts > SkippedFile.PARTS_MAX
                ? String.format(Locale.ROOT, " (the first %,d)", SkippedFile.PARTS_MAX)
                : "";
        return "\nThe results are in " + folder
                + (parts > 0 ? "; what was skipped is in " + ResultFiles.SKIPPED + " there" + written : "")
                + ".";
    }

    private void print(Outcome outcome) {
        PrintWriter output = talk.out();
        if (json) {
            ObjectNode report = SummaryText.json(outcome.summary);
            outcome.boilerplate.ifPresent(found -> report.set("boilerplate", Json.of(found)));
            output.println(report);
        } else {
            SummaryText.lines(outcome.summary).forEach(output::println);
            outcome.boilerplate.ifPresent(
                    found -> BoilerplateText.lines(found, outcome.config).forEach(output::println));
            Optional.ofNullable(out).ifPresent(folder -> output.println(resultsIn(folder, outcome.summary)));
        }
        output.flush();
    }
}
