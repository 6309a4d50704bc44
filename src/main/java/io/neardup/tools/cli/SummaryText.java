package io.neardup.tools.cli;

import static io.neardup.tools.cli.FigureText.count;
import static io.neardup.tools.cli.FigureText.text;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.engine.similarity.Similarity;
import io.neardup.record.Printable;
import io.neardup.tools.local.LocalSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** The end of a local run, for people and for programs. */
final class SummaryText {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int TEXT_LINES_MAX = 6;

    private SummaryText() {}

    static ObjectNode json(LocalSummary summary) {
        ObjectNode json = JSON.createObjectNode()
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
        if (summary.skipped().parts() > 0) {
            json.set("skipped", SkippedText.json(summary.skipped()));
        }
        return json;
    }

    private static double tenths(double value) {
        return Math.round(value * 10) / 10.0;
    }

    static List<String> lines(LocalSummary summary) {
        List<String> lines = new ArrayList<>();
        if (summary.seeds() > 0) {
            lines.add(count("seeds", summary.seeds(), refused(summary)));
        }
        lines.add(count("documents", summary.documents(), ""));
        lines.add(count("unique", summary.unique(), bounded(summary.bounded())));
        lines.add(count("duplicates", summary.duplicates(), ""));
        lines.add(count("dead-letter", summary.deadLetters(), reasons(summary.reasons())));
        lines.addAll(SkippedText.lines(summary.skipped()));
        lines.add(text(
                "%-20s%,12.2f   after %.1f to start broker and service",
                "seconds", summary.seconds(), summary.startSeconds()));
        lines.add(count("documents per second", Math.round(summary.documentsPerSecond()), ""));
        lines.add(count(
                "CPU us a document",
                Math.round(summary.cpuMicrosPerDocument()),
                "feed, broker, service and JIT compiler"));
        lines.add(count(
                "bytes an original",
                Math.round(summary.memoryBytesPerOriginal()),
                "of heap, for buckets and sketches"));
        if (!summary.fields().isEmpty()) {
            lines.add("");
            lines.add("No document has a text where it was looked for. Fields of the first one that hold text:");
            lines.addAll(fields(summary.fields()));
        }
        summary.examples().forEach(example -> addExample(lines, example));
        return lines;
    }

    private static String refused(LocalSummary summary) {
        return summary.seedsRefused() == 0
                ? ""
                : text("%,d of them are no documents: dead-letter", summary.seedsRefused());
    }

    /** The fields of a record without a text, and what to do. */
    static List<String> fields(List<String> pointers) {
        List<String> lines = new ArrayList<>();
        pointers.forEach(field -> lines.add("  " + Printable.of(field)));
        lines.add("Say which is the text, and which the id: --set \"neardup.document.text=/NAME\", --set"
                + " \"neardup.document.id=/NAME\"");
        return lines;
    }

    private static String bounded(SortedMap<String, Long> bounded) {
        return bounded.isEmpty()
                ? ""
                : text(
                        "not all candidates of %,d were compared (header neardup.bounded):   %s",
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

    private static void addExample(List<String> lines, LocalSummary.Example example) {
        lines.add("");
        Similarity similarity = example.similarity();
        String whole = similarity.knowsWhole() ? text(" without boilerplate, %.4f with it", similarity.whole()) : "";
        lines.add(text("similarity %.4f%s", similarity.value(), whole));
        lines.addAll(SideBySide.row(example.originalId(), example.duplicateId()));
        lines.add(SideBySide.rule());
        String duplicate =
                example.duplicateText().orElse("(its text did not come out: neardup.duplicates.value=verdict)");
        lines.addAll(
                example.duplicateText().isPresent()
                        ? SideBySide.passages(example.originalText(), duplicate, TEXT_LINES_MAX)
                        : SideBySide.columns(example.originalText(), duplicate, TEXT_LINES_MAX));
    }
}
