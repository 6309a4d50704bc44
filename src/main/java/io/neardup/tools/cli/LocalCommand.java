package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.tools.analysis.TuningTargets;
import io.neardup.tools.feed.Feed;
import io.neardup.tools.local.LocalRun;
import io.neardup.tools.local.LocalSummary;
import io.neardup.tools.local.ResultFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
        footer = {
            "",
            "Examples:",
            "  java -jar neardup.jar local",
            "  java -jar neardup.jar local news.jsonl.gz --out out \\",
            "      --set neardup.similarity.threshold=0.8",
            "  java -jar neardup.jar local news.jsonl.gz --tune --out out",
            "  java -jar neardup.jar local news.jsonl.gz --seed archive.jsonl.gz",
            "  java -jar neardup.jar local --serve --port 9092 --data kept",
            "  zstdcat news.jsonl.zst | java -jar neardup.jar local - --json",
            "",
            "Of the file and the environment only the settings neardup.* count: the others",
            "are meant for a cluster. The broker listens on the loopback address alone, asks",
            "for no passwords, and deletes nothing. Its data are in a temporary folder (of",
            "-Djava.io.tmpdir) that is deleted at the end, also after Ctrl-C, unless --data",
            "names one. A later start with that one goes on: it sends files only where some",
            "are named, and counts what comes of these alone; its verdicts and stories are",
            "all that come meanwhile, also of what others send. Progress goes to standard",
            "error, the summary to standard output."
        })
final class LocalCommand extends ReportingCommand {
    private static final int PARTITIONS_MAX = 1_000;
    private static final int PORT_MAX = 65_535;
    private static final String LISTEN = "neardup.http.listen";
    private static final String SERVE_LISTEN = "127.0.0.1:8080";

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = FeedCommand.FILES + " Without any, the sample feed in the jar; with --data, none.")
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
            description = "Partitions of the input topic (default: 1, or those of --data). With one the outcome is that"
                    + " of reading line by line.")
    private @Nullable Integer partitions;

    @Option(
            names = "--seed",
            paramLabel = "CORPUS",
            description = "A file of documents that are there already: they are read first, become originals and leave"
                    + " on no output. May be given more than once.")
    private List<String> seeds = new ArrayList<>();

    @Option(
            names = "--tune",
            description = "Tune first, as tune FILE does, and run with what it proposes; --set goes over that.")
    private boolean tune;

    @Option(
            names = "--serve",
            description = "Go on after the files until Ctrl-C: the page is at http://" + SERVE_LISTEN
                    + " unless neardup.http.listen says otherwise, and the broker takes more documents.")
    private boolean serve;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "With --serve, the broker's port of 127.0.0.1 (default: any that is free).")
    private @Nullable Integer port;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "With --serve, keep the broker's log and the index there, and go on with what is there.")
    private @Nullable Path data;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (partitions != null) {
            check("--partitions", partitions, 1, PARTITIONS_MAX);
        }
        if (port != null) {
            check("--port", port, 0, PORT_MAX);
        }
        check(serve || port == null, "--port", "--serve beside it", "none");
        check(serve || data == null, "--data", "--serve beside it", "none");
        check(!tune || !files.isEmpty(), "--tune", "a FILE to tune on", "none");
        quietLog();
        LocalReport report;
        try (ProgressLines progress = progress();
                RereadInput input = new RereadInput(files, System.in)) {
            report = run(input, progress);
        }
        if (!serve) {
            print(report);
        }
        return ExitCode.OK;
    }

    private LocalReport run(RereadInput input, ProgressLines progress) throws IOException, InterruptedException {
        Settings settings = options.settingsForOwnBroker();
        if (tune) {
            tune(settings, input, progress);
        }
        if (serve && !settings.isGiven(LISTEN)) {
            settings.set(LISTEN, SERVE_LISTEN, "--serve");
        }
        LocalRun.Options what = new LocalRun.Options(
                settings,
                files,
                tune ? input.standardInput() : System.in,
                Optional.ofNullable(partitions),
                Optional.ofNullable(out),
                seeds,
                port == null ? 0 : port,
                Optional.ofNullable(data));
        LocalSummary summary;
        try (LocalRun run = new LocalRun(what, progress)) {
            Runtime.getRuntime().addShutdownHook(new Thread(run::close, "neardup-shutdown"));
            summary = run.run();
            if (serve) {
                LocalReport report = report(summary, settings);
                progress.end();
                if (isJson() || summary.documents() > 0) {
                    print(report);
                }
                serving(run, report.config()).forEach(err()::println);
                err().flush();
                run.awaitEnd();
                return report;
            }
        }
        return report(summary, settings);
    }

    /** Sets what is proposed for the files, but for what is set over it, and what was solved for that. */
    private void tune(Settings settings, RereadInput input, ProgressLines progress) throws IOException {
        NeardupConfig config = valid(() -> comparingShingles("local --tune", NeardupConfig.of(settings)));
        Feed.check(files, Feed.Kind.of(config));
        if (out != null) {
            ResultFiles.prepare(out, files);
        }
        TuningReport report =
                TuningReport.of(input, config, TuningTargets.of(settings, config), Integer.MAX_VALUE, progress);
        Settings over = options.withPairs(new Settings());
        TunedSettings proposed = report.proposed();
        if (over.isGiven(TunedSettings.SHINGLE) || over.isGiven(TunedSettings.THRESHOLD)) {
            proposed = proposed.without(TunedSettings.SOLVED);
        }
        List<String> setOver = proposed.values().keySet().stream()
                .filter(over::isGiven)
                .sorted()
                .toList();
        TunedSettings tuned = proposed.without(setOver);
        tuned.values().forEach((key, value) -> settings.set(key, value, "--tune"));
        progress.end();
        if (!isJson()) {
            report.finding().forEach(out()::println);
            tuned.lines().forEach(out()::println);
            if (!setOver.isEmpty()) {
                out().println("# Set over the proposal: " + String.join(", ", setOver));
            }
            out().println();
        }
    }

    private LocalReport report(LocalSummary summary, Settings settings) {
        return new LocalReport(summary, NeardupConfig.of(settings), Optional.ofNullable(out));
    }

    /** What is printed is for who looks at the screen; the summary alone is the result. */
    private List<String> serving(LocalRun run, NeardupConfig config) {
        String cluster = " --bootstrap-server " + run.bootstrapServers();
        String page = config.httpListen()
                .map(at -> "http://" + at.host() + ":" + run.httpPorts().get(0) + "/")
                .orElse("none");
        return List.of(
                "",
                "Serving until Ctrl-C.",
                "  page     " + page,
                "  broker   " + run.bootstrapServers(),
                "  data     " + (data == null ? "temporary, deleted at the end" : data + ", kept for the next start"),
                "  send to  " + String.join(", ", config.inputTopics()),
                "  read     " + String.join(", ", config.outputTopics()) + " (isolation.level=read_committed)",
                "Send documents, and ask about the service:",
                "  " + Main.calledAs() + " feed FILE" + cluster,
                "  " + Main.calledAs() + " status" + cluster + " --group " + LocalRun.APPLICATION_ID);
    }
}
