package io.neardup.bench;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.neardup.bench.BenchReports.Comparison;
import io.neardup.bench.BenchReports.Corpus;
import io.neardup.bench.BenchReports.Growth;
import io.neardup.bench.BenchReports.Latency;
import io.neardup.bench.BenchReports.Layout;
import io.neardup.bench.BenchReports.Report;
import io.neardup.bench.BenchReports.Restart;
import io.neardup.bench.BenchReports.Round;
import io.neardup.bench.BenchReports.Size;
import io.neardup.bench.BenchReports.Spread;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reports of benchmarks, for people and for programs. */
public final class BenchText {
    private static final MathContext DIGITS = new MathContext(5);
    private static final ObjectMapper JSON = new ObjectMapper()
            .registerModule(new SimpleModule()
                    .addSerializer(Double.class, new Rounded())
                    .addSerializer(double.class, new Rounded()));

    private BenchText() {}

    /** More digits than mean something are noise. */
    private static final class Rounded extends JsonSerializer<Double> {
        @Override
        public void serialize(Double value, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeNumber(new BigDecimal(value).round(DIGITS).doubleValue());
        }
    }

    public static String json(Report report) throws JsonProcessingException {
        return JSON.writeValueAsString(report);
    }

    public static List<String> lines(Report report) {
        if (report instanceof Growth growth) {
            return lines(growth);
        }
        return report instanceof Spread spread ? lines(spread) : lines((Comparison) report);
    }

    private static List<String> lines(Growth report) {
        List<String> lines = new ArrayList<>();
        lines.add(documents(report.corpus()));
        lines.add(format(
                "%14s%12s%10s%12s%16s%16s",
                "originals", "docs/s", "CPU us", "broker us", "bytes, buckets", "bytes, heap"));
        for (Size size : report.sizes()) {
            lines.add(format(
                    "%,14d%,12.0f%10.1f%12.1f%,16d%,16d",
                    size.originals(),
                    size.speed().documentsPerSecond(),
                    size.speed().cpuMicrosPerDocument(),
                    size.speed().brokerCpuMicrosPerDocument(),
                    size.indexBytes(),
                    size.heapBytes()));
        }
        lines.add(format("rate at the last size / at the first: %.3f", report.ratio()));
        lines.addAll(lines(report.restart()));
        return lines;
    }

    private static List<String> lines(Restart restart) {
        return List.of(
                format(
                        "restart at the last size, until all tasks run: %.1f s after a stop, %.1f s after a kill,",
                        restart.cleanSeconds(), restart.killedSeconds()),
                format("  %.1f s with the state folder lost", restart.lostSeconds()),
                format(
                        "after the kill, until the first document is out: %.1f s, until all are: %.1f s",
                        restart.firstOutputSeconds(), restart.caughtUpSeconds()));
    }

    private static List<String> lines(Spread report) {
        List<String> lines = new ArrayList<>();
        lines.add(documents(report.corpus()));
        lines.add(format("%10s%16s%12s%10s%12s", "partitions", "index partitions", "docs/s", "CPU us", "broker us"));
        for (Layout layout : report.layouts()) {
            lines.add(format(
                    "%10d%16d%,12.0f%10.1f%12.1f",
                    layout.partitions(),
                    layout.indexPartitions(),
                    layout.speed().documentsPerSecond(),
                    layout.speed().cpuMicrosPerDocument(),
                    layout.speed().brokerCpuMicrosPerDocument()));
        }
        lines.add(format("CPU a document, broker included, at 16 x 16 / at 1 x 1: %.3f", report.cpuGrowth()));
        return lines;
    }

    private static List<String> lines(Comparison report) {
        List<String> lines = new ArrayList<>();
        lines.add(documents(report.corpus()));
        lines.add(format(
                "%d partitions: the service found %,d of them unique and %,d duplicates",
                report.partitions(), report.counts().unique(), report.counts().duplicates()));
        lines.add("");
        lines.add(format("%-38s%14s%14s%10s", "", "service", "passthrough", "ratio"));
        lines.add(format(
                "%-38s%,14.0f%,14.0f%10.3f",
                "documents per second",
                report.service().documentsPerSecond(),
                report.passthrough().documentsPerSecond(),
                report.ratio()));
        lines.add(format(
                "%-38s%14.1f%14.1f",
                "CPU of it, us a document",
                report.service().cpuMicrosPerDocument(),
                report.passthrough().cpuMicrosPerDocument()));
        lines.add(format(
                "%-38s%14.1f%14.1f",
                "CPU of the broker, us a document",
                report.service().brokerCpuMicrosPerDocument(),
                report.passthrough().brokerCpuMicrosPerDocument()));
        lines.add(format(
                "%-38s%14.1f%14.1f%10.3f",
                "both", report.service().cpuMicrosOfBoth(), report.passthrough().cpuMicrosOfBoth(), report.cpuRatio()));
        lines.add("");
        addFootprint(report, lines);
        report.latency().forEach(latency -> lines.add(latency(latency)));
        lines.add("");
        report.rounds().forEach(round -> lines.add(round(round)));
        return lines;
    }

    private static String documents(Corpus corpus) {
        return format(
                "%,d documents of %,d bytes on average: %s",
                corpus.documents(), corpus.documentBytes(), corpus.documentSource());
    }

    private static void addFootprint(Comparison report, List<String> lines) {
        lines.add(figure(
                "bytes an original in memory, buckets", report.footprint().memoryBytesPerOriginal()));
        lines.add(figure(
                "bytes an original in memory, live heap", report.footprint().heapBytesPerOriginal()));
        lines.add(figure("bytes an original on disk", report.footprint().diskBytesPerOriginal()));
        lines.add(figure("bytes an original in changelogs", report.footprint().changelogBytesPerOriginal()));
        lines.add(figure("bytes allocated a document", report.garbage().allocatedBytesPerDocument()));
        lines.add(format(
                "%-38s%14.1f   of %d pauses",
                "GC pauses p99, ms",
                report.garbage().gcPauseP99Millis(),
                report.garbage().gcPauses()));
    }

    private static String figure(String name, double value) {
        return format("%-38s%,14.0f", name, value);
    }

    private static String latency(Latency latency) {
        String missing = latency.missing() == 0 ? "" : format("   %,d had not come after 30 s", latency.missing());
        return format(
                "latency at %2.0f %%, %,7.0f/s, p50 p99 ms   %,11.0f%,14.0f%s",
                100 * latency.load(), latency.documentsPerSecond(), latency.p50Millis(), latency.p99Millis(), missing);
    }

    private static String round(Round round) {
        return format(
                "round %d %-12s%,12.0f/s   CPU %6.1f us   broker %6.1f us",
                round.round(),
                round.system(),
                round.speed().documentsPerSecond(),
                round.speed().cpuMicrosPerDocument(),
                round.speed().brokerCpuMicrosPerDocument());
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
