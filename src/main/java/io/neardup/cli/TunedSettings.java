package io.neardup.cli;

import io.neardup.analysis.ShingleFit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A proposal as settings, in the order in which they are explained. */
record TunedSettings(String comment, Map<String, String> values) {

    /**
     * A proposal.
     *
     * @param comment what they are for, one line
     */
    static TunedSettings of(ShingleFit fit, String comment) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("neardup.shingle", fit.shingle());
        values.put("neardup.similarity.threshold", String.valueOf(fit.threshold()));
        values.put("neardup.similarity.unrelated", String.valueOf(fit.unrelatedSimilarity()));
        values.put("neardup.index.size", String.valueOf(fit.indexSize()));
        values.put("neardup.bands", String.valueOf(fit.banding().bands()));
        values.put("neardup.rows", String.valueOf(fit.banding().rows()));
        return new TunedSettings(comment, values);
    }

    /** The lines of a properties file. */
    List<String> lines() {
        return values.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList();
    }

    /** Writes a properties file, replacing what is there. */
    void write(Path file) throws IOException {
        String text = "# " + comment + "\n" + String.join("\n", lines()) + "\n";
        OutputFile.replace(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }
}
