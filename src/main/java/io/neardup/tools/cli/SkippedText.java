package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.record.Printable;
import io.neardup.tools.feed.SkippedTotals;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What of files was no record, for people and for programs. */
final class SkippedText {
    private static final ObjectMapper JSON = new ObjectMapper();

    private SkippedText() {}

    /** Counts by reason, and the first defects; nothing where nothing was skipped. */
    static List<String> lines(SkippedTotals skipped) {
        if (skipped.parts() == 0) {
            return List.of();
        }
        String reasons = skipped.counts().entrySet().stream()
                .map(entry -> entry.getKey().code() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
        List<String> lines = new ArrayList<>();
        lines.add(FigureText.count("skipped", skipped.parts(), reasons));
        skipped.examples().forEach(example -> lines.add("  " + Printable.of(example)));
        long more = skipped.defects() - skipped.examples().size();
        if (more > 0) {
            lines.add(FigureText.text("  and %,d more", more));
        }
        return lines;
    }

    static ObjectNode json(SkippedTotals skipped) {
        ObjectNode json = JSON.createObjectNode();
        skipped.counts().forEach((skip, count) -> json.put(skip.code(), count));
        return json;
    }
}
