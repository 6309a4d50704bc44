package io.neardup.tools.cli;

import io.neardup.tools.analysis.Rejected;
import java.util.List;

/** Lines that were no documents. */
final class RejectedText {
    private RejectedText() {}

    /** What goes behind a message, a line for each reason; empty if there are none. */
    static String of(List<Rejected> rejected) {
        StringBuilder text = new StringBuilder();
        lines(rejected).forEach(line -> text.append("\n  ").append(line));
        rejected.stream()
                .map(Rejected::fields)
                .filter(fields -> !fields.isEmpty())
                .findFirst()
                .ifPresent(fields -> {
                    text.append("\nFields of the first one that hold text:");
                    SummaryText.fields(fields).forEach(line -> text.append("\n").append(line));
                });
        return text.toString();
    }

    /** A line for each reason. */
    static List<String> lines(List<Rejected> rejected) {
        return rejected.stream().map(RejectedText::line).toList();
    }

    private static String line(Rejected rejected) {
        return FigureText.text(
                "lines skipped as %s: %,d, the first at %s: %s",
                rejected.reason().code(), rejected.count(), rejected.first(), rejected.detail());
    }
}
