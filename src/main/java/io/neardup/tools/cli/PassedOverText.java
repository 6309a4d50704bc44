package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.record.Printable;
import io.neardup.tools.feed.PassedOver;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What of files was no record, for people and for programs. */
final class PassedOverText {
    private static final ObjectMapper JSON = new ObjectMapper();

    private PassedOverText() {}

    /** Counts by reason, and the first defects; nothing where nothing was skipped. */
    static List<String> lines(PassedOver passedOver) {
        if (passedOver.parts() == 0) {
            return List.of();
        }
        String reasons = passedOver.counts().entrySet().stream()
                .map(entry -> entry.getKey().code() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%-20s%,12d   %s", "skipped", passedOver.parts(), reasons));
        passedOver.examples().forEach(example -> lines.add("  " + Printable.of(example)));
        long more = passedOver.defects() - passedOver.examples().size();
        if (more > 0) {
            lines.add(String.format(Locale.ROOT, "  and %,d more", more));
        }
        return lines;
    }

    static ObjectNode json(PassedOver passedOver) {
        ObjectNode json = JSON.createObjectNode();
        passedOver.counts().forEach((skip, count) -> json.put(skip.code(), count));
        return json;
    }
}
