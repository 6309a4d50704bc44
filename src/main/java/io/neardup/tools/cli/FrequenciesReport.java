package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.engine.similarity.DocumentFrequencies;
import io.neardup.tools.analysis.Rejected;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * In how many documents each term of a file is.
 *
 * @param out where it is written
 * @param errorMax by how much a frequency may be too low, as rare terms were dropped for want of room
 */
record FrequenciesReport(Path out, DocumentFrequencies frequencies, int errorMax, List<Rejected> rejected)
        implements CommandReport {
    private static final ObjectMapper JSON = new ObjectMapper();

    FrequenciesReport {
        rejected = List.copyOf(rejected);
    }

    /** Writes the frequencies, replacing what is there. */
    void write() throws IOException {
        OutputFile.replaceText(out, frequencies::write);
    }

    @Override
    public void print(PrintWriter output) {
        RejectedText.lines(rejected).forEach(output::println);
        output.printf(
                Locale.ROOT,
                "%,d terms of %,d documents are in %s%s.%n",
                frequencies.terms(),
                frequencies.documents(),
                out,
                errorMax > 0 ? ", counts at most " + errorMax + " too low" : "");
    }

    @Override
    public ObjectNode json() {
        ObjectNode report = JSON.createObjectNode()
                .put("documents", frequencies.documents())
                .put("terms", frequencies.terms())
                .put("errorMax", errorMax);
        report.set("rejected", RejectedText.json(rejected));
        return report;
    }
}
