package io.neardup.tools.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.neardup.bench.Bench;
import io.neardup.bench.BenchDocuments;
import io.neardup.bench.BenchReports.Report;
import io.neardup.bench.BenchText;
import io.neardup.bench.NewsDocuments;
import io.neardup.bench.RecordedDocuments;
import io.neardup.config.NeardupConfig;
import io.neardup.tools.analysis.DocumentLines;
import io.neardup.tools.analysis.DocumentSample;
import io.neardup.tools.feed.Progress;
import io.neardup.tools.local.Resources;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** How fast the service is on this machine, beside a passthrough. */
@Command(
        name = "service",
        description = "Measures the service on this machine, beside a topology that only copies records.",
        footer = {
            "",
            "Examples:",
            "  java -jar neardup-bench.jar service",
            "  java -jar neardup-bench.jar service --bytes 10000 --documents 50000 --json",
            "  java -jar neardup-bench.jar service --index-sizes 100k,1m",
            "  java -jar neardup-bench.jar service --spread --png spread.png",
            "Documents that look alike, made or real:",
            "  java -jar neardup-bench.jar service --templates 0.3",
            "  java -jar neardup-bench.jar service --input news.jsonl.gz",
            "",
            "A broker, the copying topology and the service run in a process each, in a",
            "temporary folder (of -Djava.io.tmpdir) that is deleted at the end; 200,000",
            "documents of 2 KB take about 5 GB there. Take many more documents than may be in",
            "flight (16,000), or the rate flatters. Ratios hold better than absolutes: other",
            "work on the machine slows both down."
        })
final class ServiceBenchCommand extends ToolCommand {
    /** Of the documents of --input, as records; as texts they take up to twice as many. */
    private static final long INPUT_BYTES_MAX = 1 << 27;

    private static final long SEED = 1;
    private static final int PARTITIONS_MAX = 1_000;
    private static final int ROUNDS_MAX = 100;
    private static final int SECONDS_MAX = 3_600;
    /** There are two such heaps, and a broker. */
    private static final int HEAP_PERCENT_MAX = 40;

    @Option(
            names = "--documents",
            paramLabel = "N",
            defaultValue = "200000",
            description = "Documents in a round (default: ${DEFAULT-VALUE}).")
    private int documents;

    @Option(
            names = "--bytes",
            paramLabel = "B",
            defaultValue = "2048",
            description = "Bytes of an average document, as JSON (default: ${DEFAULT-VALUE}).")
    private int bytes;

    @Option(
            names = "--duplicates",
            paramLabel = "SHARE",
            defaultValue = "0.3",
            description = "Share of near-duplicates (default: ${DEFAULT-VALUE}).")
    private double duplicates;

    @Option(
            names = "--templates",
            paramLabel = "SHARE",
            defaultValue = "0",
            description = "Make that share of the documents from 200 templates; unrelated ones of a template are at a"
                    + " Jaccard similarity of 0.3 to 0.6 (default: ${DEFAULT-VALUE}).")
    private double templates;

    @Option(
            names = "--input",
            paramLabel = "FILE",
            description = "Measure the documents of this file, as local reads it. Where there are too few,"
                    + " the others are put together of runs of their words, --duplicates of these as near-duplicates.")
    private @Nullable String input;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "4",
            description = "Partitions of the input topic (default: ${DEFAULT-VALUE}).")
    private int partitions;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "Rounds, each one drain of both (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "180",
            description = "How long each side runs before the first round at the most; it ends when the JIT compiler"
                    + " rests (default: ${DEFAULT-VALUE}).")
    private int warmUpSeconds;

    @Option(
            names = "--latency",
            paramLabel = "SECONDS",
            defaultValue = "12",
            description = "How long documents are sent at 10, 50 and 90 %% of the measured rate; 0 for not at all"
                    + " (default: ${DEFAULT-VALUE}).")
    private int latencySeconds;

    @Option(
            names = "--heap-percent",
            paramLabel = "N",
            defaultValue = "25",
            description = "Of the machine's memory, for the heap of each measured process (default: ${DEFAULT-VALUE}).")
    private int heapPercent;

    @Option(
            names = "--index-sizes",
            paramLabel = "N,N...",
            split = ",",
            description = "Measure rate and memory as the index grows, instead: at these numbers of unique documents,"
                    + " such as 100k,1m,5m; and how long a restart takes then. The service itself fills the index.")
    private List<String> indexSizes = new ArrayList<>();

    @Option(
            names = "--spread",
            description = "Measure CPU per document with 1, 4 and 16 partitions and index partitions, instead.")
    private boolean spread;

    @Option(names = "--png", paramLabel = "FILE", description = "Draw the rates over time there.")
    private @Nullable Path png;

    @Option(names = "--json", description = "Print the report as a JSON object.")
    private boolean json;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkOptions();
        if (png != null) {
            OutputFile.checked("--png", png);
        }
        quietLog();
        NeardupConfig config = NeardupConfig.of(options.settingsForOwnBroker())
                .requireRecords("a run ends when all of them have come out");
        try (ProgressLines progress = progress();
                Resources resources = new Resources()) {
            BenchDocuments corpus = benchDocuments(config, progress);
            Runtime.getRuntime().addShutdownHook(new Thread(resources::close, "neardup-shutdown"));
            Bench bench = new Bench(benchOptions(), corpus, progress, resources);
            Report report = run(bench);
            progress.end();
            print(report);
            if (png != null) {
                bench.draw(png);
            }
            return ExitCode.OK;
        }
    }

    private Report run(Bench bench) throws IOException, InterruptedException {
        if (!indexSizes.isEmpty()) {
            return bench.grow(IndexSizes.parse(indexSizes));
        }
        return spread ? bench.spread() : bench.compare();
    }

    private BenchDocuments benchDocuments(NeardupConfig config, Progress progress) throws IOException {
        if (input == null) {
            return new NewsDocuments(SEED, bytes, duplicates, templates);
        }
        try (DocumentLines lines = new DocumentLines(List.of(input), System.in, config)) {
            DocumentSample sample = DocumentSample.first(documents, INPUT_BYTES_MAX, lines, progress);
            List<String> texts = sample.documents().stream()
                    .map(document -> document.text().decode())
                    .toList();
            if (texts.isEmpty()) {
                throw new IOException(
                        input + ": expected documents, found none" + SkippedText.noDocuments(lines.rejected()));
            }
            String source = sample.isFull() ? input + " (more take too much memory)" : input;
            return new RecordedDocuments(source, texts, duplicates);
        }
    }

    private Bench.Options benchOptions() {
        return new Bench.Options(
                documents,
                partitions,
                rounds,
                warmUpSeconds,
                latencySeconds,
                heapPercent,
                BenchMain.class.getName(),
                settingsOptions());
    }

    /** As they were given, for the command line of another process. */
    private List<String> settingsOptions() {
        return parsed().matchedOptions().stream()
                .distinct()
                .filter(option -> Set.of("--config", "--preset", "--set").contains(option.longestName()))
                .flatMap(option ->
                        option.originalStringValues().stream().flatMap(value -> Stream.of(option.longestName(), value)))
                .toList();
    }

    private void checkOptions() {
        if (spread && !indexSizes.isEmpty()) {
            throw wrong("--spread and --index-sizes: expected one of them");
        }
        try {
            IndexSizes.parse(indexSizes);
        } catch (IllegalArgumentException e) {
            throw wrong("--index-sizes: " + e.getMessage());
        }
        check("--documents", documents, Bench.DOCUMENTS_MIN, 100_000_000);
        check("--bytes", bytes, NewsDocuments.BYTES_MIN, NewsDocuments.BYTES_MAX);
        check("--partitions", partitions, 1, PARTITIONS_MAX);
        check("--rounds", rounds, 1, ROUNDS_MAX);
        check("--warm-up", warmUpSeconds, 0, SECONDS_MAX);
        check("--latency", latencySeconds, 0, SECONDS_MAX);
        check("--heap-percent", heapPercent, 1, HEAP_PERCENT_MAX);
        ParseResult given = parsed();
        if (input != null && (given.hasMatchedOption("--bytes") || given.hasMatchedOption("--templates"))) {
            throw wrong("--input: expected neither --bytes nor --templates beside it");
        }
        check(templates >= 0 && templates <= 1, "--templates", "a share from 0 to 1", templates);
        check(duplicates >= 0 && duplicates < 1, "--duplicates", "a share from 0 to below 1", duplicates);
    }

    private void print(Report report) throws JsonProcessingException {
        PrintWriter output = out();
        if (json) {
            output.println(BenchText.json(report));
        } else {
            BenchText.lines(report).forEach(output::println);
        }
        output.flush();
    }
}
