package io.neardup.tools.cli;

import static io.neardup.tools.cli.FigureText.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.engine.similarity.DocumentFrequencies;
import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.ShingleSpec;
import io.neardup.engine.text.Terms;
import io.neardup.record.Document;
import io.neardup.tools.analysis.AnalysisProgress;
import io.neardup.tools.analysis.DocumentLines;
import io.neardup.tools.analysis.Rejected;
import io.neardup.tools.analysis.TermCounts;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Counts in how many documents of a file each term is, for weights by rarity. */
final class FrequenciesRun {
    private static final int TERMS_MAX = 1_000_000;
    private static final int PROGRESS_DOCUMENTS = 1_000;

    /**
     * In how many documents each term of a file is.
     *
     * @param out where it is written
     * @param errorMax by how much a frequency may be too low, as rare terms were dropped for want of room
     */
    record Report(Path out, DocumentFrequencies frequencies, int errorMax, List<Rejected> rejected)
            implements CommandReport {
        Report {
            rejected = List.copyOf(rejected);
        }

        /** Writes the frequencies, replacing what is there. */
        void write() throws IOException {
            OutputFile.replaceText(out, frequencies::write);
        }

        @Override
        public void print(PrintWriter output) {
            RejectedText.lines(rejected).forEach(output::println);
            output.println(text(
                    "%,d terms of %,d documents are in %s%s.",
                    frequencies.terms(),
                    frequencies.documents(),
                    out,
                    errorMax > 0 ? ", counts at most " + errorMax + " too low" : ""));
        }

        @Override
        public ObjectNode json() {
            ObjectNode report = Json.object()
                    .put("documents", frequencies.documents())
                    .put("terms", frequencies.terms())
                    .put("errorMax", errorMax);
            report.set("rejected", RejectedText.json(rejected));
            return report;
        }
    }

    private final String file;
    private final NeardupConfig config;
    private final int tokens;

    /**
     * A run of which nothing is done yet.
     *
     * @param file as for {@link DocumentLines}
     * @throws IllegalArgumentException if the shingles of the settings are not words of one number
     */
    FrequenciesRun(String file, NeardupConfig config) {
        ShingleSpec spec = ShingleSpec.of(config.shingling().spec());
        if (spec.kind() != ShingleSpec.Kind.WORD || spec.min() != spec.max()) {
            throw new IllegalArgumentException("expected neardup.shingle=word:k, whose terms are counted, found "
                    + config.shingling().spec());
        }
        this.file = file;
        this.config = config;
        this.tokens = spec.min();
    }

    /**
     * Reads the whole file.
     *
     * @param out where the frequencies are to be written; nothing is yet
     */
    Report count(Path out, InputStream standardInput, AnalysisProgress progress) throws IOException {
        TermCounts counts = new TermCounts(TERMS_MAX);
        try (DocumentLines lines = new DocumentLines(file, standardInput, config)) {
            for (Document document = lines.next(); document != null; document = lines.next()) {
                counts.add(terms(document));
                if (counts.documents() % PROGRESS_DOCUMENTS == 0) {
                    progress.update(String.format(Locale.ROOT, "%,d documents read", counts.documents()));
                }
            }
            progress.skippedTotals(lines.skippedTotals());
            if (counts.documents() == 0) {
                throw new IOException(file + ": expected documents, found none" + RejectedText.of(lines.rejected()));
            }
            TermCounts.Finished counted = counts.finish();
            return new Report(
                    out,
                    DocumentFrequencies.of(counted.documents(), counted.frequencies()),
                    counted.errorMax(),
                    lines.rejected());
        }
    }

    private List<String> terms(Document document) {
        return Terms.of(
                NormalizedText.of(document.text().decode(), config.shingling().letterCase()), tokens);
    }
}
