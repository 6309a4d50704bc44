package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.figure;
import static io.neardup.tools.cli.TextTable.format;

import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "local",
        description = {
            "Removes the duplicates of files, without a cluster.",
            "The whole service runs, on a real broker inside this process."
        },
        footer = {
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
            "names one. A later start with the same --data continues: it sends only files",
            "that are given, and counts only their results."
        })
final class LocalCommand extends SettingsCommand {
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
            description = "Write unique.jsonl, duplicate-of.jsonl, dead-letter.jsonl and skipped.jsonl there, and"
                    + " verdicts.jsonl and stories.jsonl where the service writes them. Results of an earlier run are"
                    + " replaced or deleted.")
    private @Nullable Path out;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description = "Partitions of the input topic (default: 1, or those of --data). With one, documents are"
                    + " judged in the order of the lines.")
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
            description = "Go on after the files until Ctrl-C, with the page at%n  http://" + SERVE_LISTEN
                    + " unless neardup.http.listen says otherwise, and the broker takes more documents.")
    private boolean serve;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "With --serve, the broker's port of 127.0.0.1 (default: any that is free).")
    private int port;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "With --serve, keep the broker's log and the index there, and go on with what is there.")
    private @Nullable Path data;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (partitions != null) {
            check("--partitions", partitions, 1, PARTITIONS_MAX);
        }
        check("--port", port, 0, PORT_MAX);
        requireBeside("--port", "--serve");
        requireBeside("--data", "--serve");
        check(!tune || !files.isEmpty(), "--tune", "a FILE to tune on", "none");
        quietLog();
        LocalReport report;
        try (ProgressLines progress = progress();
                RereadInput input = new RereadInput(files, System.in)) {
            report = run(input, progress);
        }
        if (!serve) {
            print(report::text, report::json);
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
                port,
                Optional.ofNullable(data));
        NeardupConfig config = NeardupConfig.of(settings);
        try (LocalRun run = new LocalRun(what, progress)) {
            Runtime.getRuntime().addShutdownHook(new Thread(run::close, "neardup-shutdown"));
            LocalReport report = new LocalReport(run.run(), config, Optional.ofNullable(out));
            if (serve) {
                progress.end();
                if (isJson() || report.summary.documents() > 0) {
                    print(report::text, report::json);
                }
                serving(run, config).forEach(err()::println);
                err().flush();
                Optional<String> successor = run.awaitEnd();
                if (successor.isPresent()) {
                    err().println("The service handed its input over to application.id " + successor.get()
                            + ", for good. The broker at " + run.bootstrapServers()
                            + " goes on until Ctrl-C: run that one against it.");
                    err().flush();
                    // For good: Ctrl-C ends the process.
                    Thread.currentThread().join();
                }
            }
            return report;
        }
    }

    /** Sets what is proposed for the files, but for what is set over it, and what was solved for that. */
    private void tune(Settings settings, RereadInput input, ProgressLines progress) throws IOException {
        NeardupConfig config = comparingShingles("local --tune", settings);
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
        TunedSettings tuned = proposed.without(
                proposed.values().keySet().stream().filter(over::isGiven).toList());
        tuned.values().forEach((key, value) -> settings.set(key, value, "--tune"));
        progress.end();
        if (!isJson()) {
            report.finding().forEach(out()::println);
            tuned.lines().forEach(out()::println);
            out().println();
        }
    }

    /** What is printed is for who looks at the screen; the summary alone is the result. */
    private List<String> serving(LocalRun run, NeardupConfig config) {
        String cluster = " --bootstrap-server " + run.bootstrapServers();
        String page = config.httpListen()
                .filter(at -> !run.httpPorts().isEmpty())
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
                "Send documents, and ask about the service, with this program:",
                "  feed FILE" + cluster,
                "  status" + cluster + " --group " + LocalRun.APPLICATION_ID);
    }

    record LocalReport(LocalSummary summary, NeardupConfig config, Optional<Path> out) {
        private static final int TEXT_LINES_MAX = 6;
        /** Of fewer the memory is mostly what an empty index takes. */
        private static final int ORIGINALS_MIN = 10_000;

        TextTable text() {
            TextTable text = new TextTable();
            if (summary.seeds() > 0) {
                text.row("seeds", summary.seeds(), format("%,d of them no documents", summary.seedsRefused()));
            }
            text.row("documents", summary.documents());
            String bounded = summary.bounded().isEmpty() ? "" : "neardup.bounded: ";
            text.row("unique", summary.unique(), bounded + reasons(summary.bounded()));
            text.row("duplicates", summary.duplicates());
            text.row("dead-letter", summary.deadLetters(), reasons(summary.reasons()));
            if (config.writesStories()) {
                text.row("stories", summary.stories(), "originals with a copy");
            }
            SkippedText.addTo(text, summary.skipped());
            text.blank();
            text.row(
                    "seconds",
                    figure("%,.2f", summary.seconds()),
                    format("after %.1f to start broker and service", summary.startSeconds()));
            text.row("documents per second", Math.round(summary.documentsPerSecond()));
            text.row(
                    "CPU us a document",
                    Math.round(summary.cpuMicrosPerDocument()),
                    "feed, broker, service and JIT compiler");
            if (summary.cost().indexedDocuments() >= ORIGINALS_MIN) {
                text.row(
                        "bytes an original",
                        Math.round(summary.memoryBytesPerOriginal()),
                        "of memory, for buckets and sketches");
            }
            if (!summary.fields().isEmpty()) {
                text.blank();
                text.text("No document has a text where it was looked for. Fields of the first one that hold text:");
                text.asIs(SkippedText.fields(summary.fields()));
            }
            if (!summary.largestStories().isEmpty()) {
                text.blank().text("The largest stories:");
                text.asIs(summary.largestStories().stream()
                        .map(story -> "  " + StoriesCommand.line(story))
                        .toList());
            }
            summary.examples().forEach(example -> addExample(text, example));
            out.ifPresent(folder -> text.blank().asIs(List.of("The results are in " + folder + ".")));
            return text;
        }

        private static long sum(SortedMap<String, Long> counts) {
            return counts.values().stream().mapToLong(Long::longValue).sum();
        }

        private static String reasons(SortedMap<String, Long> reasons) {
            return reasons.entrySet().stream()
                    .map(reason -> reason.getKey() + " " + reason.getValue())
                    .collect(Collectors.joining(", "));
        }

        private static void addExample(TextTable text, LocalSummary.Example example) {
            text.blank().text(format("similarity %.4f", example.similarity().value()));
            text.asIs(SideBySide.pair(
                    example.originalId(),
                    example.duplicateId(),
                    example.originalText(),
                    example.duplicateText().orElse(""),
                    TEXT_LINES_MAX));
        }

        ObjectNode json() {
            ObjectNode json = Json.object()
                    .put("documents", summary.documents())
                    .put("unique", summary.unique())
                    .put("bounded", sum(summary.bounded()))
                    .put("duplicates", summary.duplicates())
                    .put("deadLetter", summary.deadLetters())
                    .putPOJO("reasons", summary.reasons())
                    .put("seconds", summary.seconds())
                    .put("documentsPerSecond", summary.documentsPerSecond())
                    .put("cpuMicrosPerDocument", summary.cpuMicrosPerDocument())
                    .put("memoryBytesPerOriginal", summary.memoryBytesPerOriginal());
            if (summary.seeds() > 0) {
                json.put("seeds", summary.seeds()).put("seedsRefused", summary.seedsRefused());
            }
            if (config.writesStories()) {
                json.put("stories", summary.stories()).putPOJO("largestStories", summary.largestStories());
            }
            return summary.skipped().parts() > 0 ? json.putPOJO("skipped", summary.skipped()) : json;
        }
    }
}
