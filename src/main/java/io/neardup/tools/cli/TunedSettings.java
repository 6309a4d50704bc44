package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.tools.analysis.ShingleFit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A proposal as settings, in the order in which they are explained.
 *
 * @param comment what they are for, one line
 */
record TunedSettings(String comment, Map<String, String> values) {
    interface Report {
        TunedSettings proposed();

        TextTable text();

        ObjectNode json();
    }

    static final String SHINGLE = "neardup.shingle";
    static final String THRESHOLD = "neardup.similarity.threshold";
    private static final String INDEX_SIZE = "neardup.index.size";

    /** What is solved for the shingle and the threshold. */
    static final List<String> SOLVED = List.of("neardup.similarity.unrelated", "neardup.banding");

    static TunedSettings of(ShingleFit fit, String comment) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(SHINGLE, fit.shingle());
        values.put(THRESHOLD, String.valueOf(fit.threshold()));
        values.put("neardup.similarity.unrelated", String.valueOf(fit.unrelatedSimilarity()));
        values.put(INDEX_SIZE, String.valueOf(fit.indexSize()));
        values.put(
                "neardup.banding", fit.banding().bands() + "x" + fit.banding().rows());
        return new TunedSettings(comment, values);
    }

    /**
     * What was given and is not the default; no more is proposed where the settings stay. An index is bound to what it
     * is made with, and the rest was solved for a sample that tells nothing.
     */
    TunedSettings keptSettings(boolean isSizeGiven) {
        NeardupConfig defaults = NeardupConfig.of(new Settings());
        Map<String, String> kept = without(SOLVED).values;
        kept.remove(SHINGLE, defaults.shingling().spec());
        kept.remove(THRESHOLD, String.valueOf(defaults.threshold()));
        if (!isSizeGiven) {
            kept.remove(INDEX_SIZE);
        }
        return new TunedSettings("Too little is known to propose other settings.", kept);
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        values.forEach((key, value) -> lines.add(key + "=" + value));
        if (values.isEmpty()) {
            lines.add("# No other settings are proposed.");
        }
        return lines;
    }

    TunedSettings without(Collection<String> keys) {
        Map<String, String> kept = new LinkedHashMap<>(values);
        kept.keySet().removeAll(keys);
        return new TunedSettings(comment, kept);
    }

    /** Writes a properties file, replacing what is there. */
    void write(Path file) throws IOException {
        String text = "# " + comment + "\n" + String.join("\n", lines()) + "\n";
        OutputFile.replaceText(file, out -> out.append(text));
    }
}
