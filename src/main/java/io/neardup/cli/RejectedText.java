package io.neardup.cli;

import io.neardup.analysis.Rejected;
import java.util.List;
import java.util.Locale;

/** Lines that were no documents, for people. */
final class RejectedText {
    private RejectedText() {}

    /** What goes behind a message, a line for each reason; empty if there are none. */
    static String of(List<Rejected> rejected) {
        StringBuilder text = new StringBuilder();
        lines(rejected).forEach(line -> text.append("\n  ").append(line));
        return text.toString();
    }

    /** A line for each reason. */
    static List<String> lines(List<Rejected> rejected) {
        return rejected.stream().map(RejectedText::line).toList();
    }

    private static String line(Rejected rejected) {
        return String.format(
                Locale.ROOT,
                "lines left out as %s: %,d, the first at %s: %s",
                rejected.reason().code(),
                rejected.count(),
                rejected.first(),
                rejected.detail());
    }
}
