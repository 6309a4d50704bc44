package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.format;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.engine.similarity.Similarity;
import io.neardup.tools.local.LineFile;
import io.neardup.tools.local.LocalSummary;
import io.neardup.tools.local.ResultFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** The end of a local run. */
record LocalReport(LocalSummary summary, NeardupConfig config, Optional<Path> out) implements ReportingCommand.Report {
    private static final int TEXT_LINES_MAX = 6;
    /** Of fewer the memory is mostly what an empty index takes. */
    private static final int ORIGINALS_MIN = 10_000;

    @Override
    public TextTable text() {
        TextTable text = new TextTable();
        if (summary.seeds() > 0) {
            text.row(
                    "seeds",
                    summary.seeds(),
                    summary.seedsRefused() == 0
                            ? ""
                            : format("%,d of them are no documents: dead-letter", summary.seedsRefused()));
        }
        text.row("documents", summary.documents(), "");
        text.row("unique", summary.unique(), bounded());
        text.row("duplicates", summary.duplicates(), "");
        text.row("dead-letter", summary.deadLetters(), reasons(summary.reasons()));
        if (config.writesStories()) {
            text.row("stories", summary.stories(), "originals with a copy");
        }
        SkippedText.addTo(text, summary.skipped());
        text.blank();
        text.row(
                "seconds",
                TextTable.figure("%,.2f", summary.seconds()),
                format("after %.1f to start broker and service", summary.startSeconds()));
        text.row("documents per second", Math.round(summary.documentsPerSecond()), "");
        text.row(
                "CPU us a document",
                Math.round(summary.cpuMicrosPerDocument()),
                "feed, broker, service and JIT compiler");
        if (summary.cost().indexedDocuments() >= ORIGINALS_MIN) {
            text.row(
                    "bytes an original",
                    Math.round(summary.memoryBytesPerOriginal()),
                    "of heap, for buckets and sketches");
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
        out.ifPresent(folder -> text.blank().asIs(List.of(resultsIn(folder))));
        return text;
    }

    private String bounded() {
        SortedMap<String, Long> bounded = summary.bounded();
        return bounded.isEmpty()
                ? ""
                : format(
                        "not all candidates of %,d were compared (header neardup.bounded): %s",
                        sum(bounded), reasons(bounded));
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
        Similarity similarity = example.similarity();
        String whole = similarity.knowsWhole() ? format(" without boilerplate, %.4f with it", similarity.whole()) : "";
        text.blank().text(format("similarity %.4f%s", similarity.value(), whole));
        text.asIs(SideBySide.pair(
                example.originalId(),
                example.duplicateId(),
                example.originalText(),
                example.duplicateText().orElse("(its text did not come out: neardup.duplicates.value=verdict)"),
                TEXT_LINES_MAX));
    }

    private String resultsIn(Path folder) {
        long parts = summary.skipped().parts();
        String written = parts > LineFile.SKIPPED_MAX ? format(" (the first %,d)", LineFile.SKIPPED_MAX) : "";
        return "The results are in " + folder
                + (parts > 0 ? "; what was skipped is in " + ResultFiles.SKIPPED + " there" + written : "") + ".";
    }

    @Override
    public ObjectNode json() {
        ObjectNode json = Json.object()
                .put("documents", summary.documents())
                .put("unique", summary.unique())
                .put("bounded", sum(summary.bounded()))
                .put("duplicates", summary.duplicates())
                .put("deadLetter", summary.deadLetters())
                .put("seconds", Math.round(summary.seconds() * 1e3) / 1e3)
                .put("documentsPerSecond", tenths(summary.documentsPerSecond()))
                .put("cpuMicrosPerDocument", tenths(summary.cpuMicrosPerDocument()))
                .put("memoryBytesPerOriginal", tenths(summary.memoryBytesPerOriginal()));
        if (summary.seeds() > 0) {
            json.put("seeds", summary.seeds()).put("seedsRefused", summary.seedsRefused());
        }
        if (config.writesStories()) {
            json.put("stories", summary.stories());
            json.set("largestStories", Json.array(summary.largestStories()));
        }
        if (summary.skipped().parts() > 0) {
            json.set("skipped", Json.of(summary.skipped()));
        }
        return json;
    }

    private static double tenths(double value) {
        return Math.round(value * 10) / 10.0;
    }
}
