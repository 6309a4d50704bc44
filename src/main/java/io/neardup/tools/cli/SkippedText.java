package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.tools.feed.SkippedTotals;
import java.util.List;
import java.util.stream.Collectors;

/** What of files was no record, for people and for programs. */
final class SkippedText {
    private SkippedText() {}

    /** Counts by reason, and the first defects; nothing where nothing was skipped. */
    static List<String> lines(SkippedTotals skipped) {
        TextTable text = new TextTable();
        addTo(text, skipped);
        return text.lines();
    }

    static void addTo(TextTable text, SkippedTotals skipped) {
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
            text.text(TextTable.format("  and %,d more", more));
        }
    }

    static ObjectNode json(SkippedTotals skipped) {
        ObjectNode json = Json.object();
        skipped.counts().forEach((skip, count) -> json.put(skip.code(), count));
        return json;
    }
}
