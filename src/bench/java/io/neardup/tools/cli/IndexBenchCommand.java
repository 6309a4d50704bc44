package io.neardup.tools.cli;

import io.neardup.bench.IndexRun;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.lsh.BandingSolver;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** The buckets alone, at any size. */
@Command(
        name = "index",
        description = "Measures the buckets of one index partition alone, of generated keys, without Kafka.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        footer = {
            "",
            "Examples:",
            "  java -Xmx1g -jar neardup-bench.jar index --originals 1m,10m",
            "  java -Xmx1g -jar neardup-bench.jar index --originals 100m --folder /data --json",
            "",
            "Each size is grown from nothing, with bands and rows as plan --find gives them",
            "for it at the default threshold and recall. Figures are of the last tenth, where",
            "three documents in ten are near-duplicates, which leave their buckets again.",
            "Segments are written and merged in threads beside. 100 million originals take",
            "some 29 GB of disk, and twice that while the largest are merged."
        })
final class IndexBenchCommand extends ReportingCommand {
    private static final double THRESHOLD = 0.7;
    private static final double RECALL = 0.99;
    private static final double UNRELATED = 0.02;
    private static final int HASHES_MAX = 256;

    @Option(
            names = "--originals",
            paramLabel = "N,N...",
            split = ",",
            defaultValue = "1m,10m",
            description = "Sizes, rising (default: ${DEFAULT-VALUE}).")
    private List<String> originals = new ArrayList<>();

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            defaultValue = "${sys:java.io.tmpdir}",
            description = "Where segments go, in a folder that is deleted at the end (default: ${DEFAULT-VALUE}).")
    private Path folder = Path.of("");

    @Option(
            names = "--in-memory",
            paramLabel = "N",
            defaultValue = "760000",
            description = "Documents in memory before a segment is written (default: ${DEFAULT-VALUE}, as in the "
                    + "service with 26 bands and one index partition).")
    private int inMemoryMax;

    /** What all sizes showed. */
    private record Report(List<IndexRun.Size> sizes) {
        void print(PrintWriter output) {
            output.println(TextTable.format(
                    "%13s %7s %9s %13s %13s %9s %9s %9s %9s %8s",
                    "originals",
                    "bands",
                    "segments",
                    "hot B/orig.",
                    "cold B/orig.",
                    "lookup us",
                    "new",
                    "duplicate",
                    "insert us",
                    "seconds"));
            for (IndexRun.Size size : sizes) {
                output.println(TextTable.format(
                        "%,13d %7s %9d %13.1f %13.1f %9.2f %9.2f %9.2f %9.2f %8.0f",
                        size.originals(),
                        size.bands() + "x" + size.rows(),
                        size.segments(),
                        size.hotBytesPerOriginal(),
                        size.coldBytesPerOriginal(),
                        size.lookupMicros(),
                        size.newLookupMicros(),
                        size.duplicateLookupMicros(),
                        size.insertMicros(),
                        size.seconds()));
            }
        }
    }

    @Override
    public Integer call() throws IOException {
        List<Long> sizes = sizes();
        check("--in-memory", inMemoryMax, 1, 1 << 20);
        List<IndexRun.Size> found = new ArrayList<>();
        try (ProgressLines progress = progress()) {
            for (long size : sizes) {
                Banding banding = BandingSolver.solve(THRESHOLD, RECALL, size, UNRELATED, HASHES_MAX);
                Path ofSize = Files.createTempDirectory(folder, "neardup-index");
                progress.phase(TextTable.format("growing to %,d originals, %s", size, ofSize));
                IndexRun.Size grown = IndexRun.run(
                        ofSize,
                        banding,
                        size,
                        inMemoryMax,
                        (at, segments) ->
                                progress.update(TextTable.format("%,d originals, %d segments", at, segments)));
                progress.phase(TextTable.format(
                        "%,d originals: a lookup takes %.1f us, an insertion %.1f us",
                        size, grown.lookupMicros(), grown.insertMicros()));
                found.add(grown);
            }
            progress.end();
        }
        Report report = new Report(found);
        if (isJson()) {
            out().println(Json.of(report));
        } else {
            report.print(out());
        }
        out().flush();
        return ExitCode.OK;
    }

    private List<Long> sizes() {
        try {
            return IndexSizes.parse(originals);
        } catch (IllegalArgumentException e) {
            throw wrong("--originals: " + e.getMessage());
        }
    }
}
