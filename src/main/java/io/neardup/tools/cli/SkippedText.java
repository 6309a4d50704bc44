package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.format;

import io.neardup.record.Printable;
import io.neardup.tools.analysis.DocumentLines.Rejected;
import io.neardup.tools.analysis.Labels;
import io.neardup.tools.feed.Skipped;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What of files was no record, and which records were no documents. */
final class SkippedText {
    private static final int ID_MAX = 60;

    private SkippedText() {}

    /** Counts by reason, and the first defects; nothing where nothing was skipped. */
    static List<String> lines(Skipped.Totals skipped) {
        TextTable text = new TextTable();
        addTo(text, skipped);
        return text.lines();
    }

    static void addTo(TextTable text, Skipped.Totals skipped) {
        if (skipped.parts() == 0) {
            return;
        }
        text.row(
                "skipped",
                skipped.parts(),
                skipped.counts().entrySet().stream()
                        .map(entry -> entry.getKey().code() + " " + entry.getValue())
                        .collect(Collectors.joining(", ")));
        skipped.examples().forEach(example -> text.text("  " + example));
        long more = skipped.defects() - skipped.examples().size();
        if (more > 0) {
            text.text(format("  and %,d more", more));
        }
    }

    /** A line for each reason for which lines were no documents. */
    static List<String> lines(List<Rejected> rejected) {
        return rejected.stream()
                .map(one -> format(
                        "lines skipped as %s: %,d, the first at %s: %s",
                        one.reason().code(), one.count(), one.first(), one.detail()))
                .toList();
    }

    /** The same, to follow a message that there are none; and which fields hold text, where it was not looked for. */
    static String noDocuments(List<Rejected> rejected) {
        List<String> lines = new ArrayList<>(List.of(""));
        lines(rejected).forEach(line -> lines.add("  " + line));
        rejected.stream()
                .map(Rejected::fields)
                .filter(fields -> !fields.isEmpty())
                .findFirst()
                .ifPresent(fields -> {
                    lines.add("Fields of the first one that hold text:");
                    lines.addAll(fields(fields));
                });
        return String.join("\n", lines);
    }

    static List<String> fields(List<String> pointers) {
        List<String> lines = new ArrayList<>();
        pointers.forEach(field -> lines.add("  " + Printable.of(field)));
        lines.add("Say which is the text, and which the id: --set \"neardup.document.text=/NAME\", --set"
                + " \"neardup.document.id=/NAME\"");
        return lines;
    }

    /** Lines of the file of labels or answers that do not count. */
    static void addUnknown(Labels labels, TextTable report) {
        if (labels.unknown() > 0) {
            report.text(format("%,d lines name no two documents that are there:", labels.unknown()))
                    .text(labels.unknownIds().stream()
                            .map(id -> Printable.of(id.substring(0, Math.min(id.length(), ID_MAX))))
                            .collect(Collectors.joining(", ", "  ", "")));
        }
    }
}
