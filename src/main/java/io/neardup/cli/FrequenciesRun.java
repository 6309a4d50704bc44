package io.neardup.cli;

import io.neardup.analysis.AnalysisProgress;
import io.neardup.analysis.DocumentLines;
import io.neardup.analysis.Rejected;
import io.neardup.analysis.TermCounts;
import io.neardup.config.NeardupConfig;
import io.neardup.document.Document;
import io.neardup.sketch.DocumentFrequencies;
import io.neardup.text.CanonicalText;
import io.neardup.text.ShingleSpec;
import io.neardup.text.Terms;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;

/** Counts in how many documents of a file each term is, and writes it for weights by rarity. */
final class FrequenciesRun {
    private static final int TERMS_MAX = 1_000_000;
    private static final int PROGRESS_DOCUMENTS = 1_000;

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
            throw new IllegalArgumentException(
                    "--frequencies: expected neardup.shingle=word:k, whose terms are counted, found "
                            + config.shingling().spec());
        }
        this.file = file;
        this.config = config;
        this.tokens = spec.min();
    }

    /**
     * What was counted.
     *
     * @param errorMax by how much a frequency may be too low, as rare terms were dropped for want of room
     */
    record Counted(DocumentFrequencies frequencies, int errorMax, List<Rejected> rejected) {}

    /** Reads the whole file. */
    Counted count(InputStream standardInput, AnalysisProgress progress) throws IOException {
        TermCounts counts = new TermCounts(TERMS_MAX);
        try (DocumentLines lines = new DocumentLines(file, standardInput, config)) {
            for (Document document = lines.next(); document != null; document = lines.next()) {
                counts.add(Terms.of(
                        CanonicalText.of(
                                document.text().decode(), config.shingling().letterCase()),
                        tokens));
                if (counts.documents() % PROGRESS_DOCUMENTS == 0) {
                    progress.update(String.format(Locale.ROOT, "%,d documents read", counts.documents()));
                }
            }
            if (counts.documents() == 0) {
                throw new IOException(file + ": expected documents, found none" + RejectedText.of(lines.rejected()));
            }
            DocumentFrequencies frequencies = DocumentFrequencies.of(counts.documents(), counts.frequencies());
            return new Counted(frequencies, counts.errorMax(), lines.rejected());
        }
    }

    /** Replaces a file by the frequencies, at once, so that it is never half written. */
    static void write(DocumentFrequencies frequencies, Path to) throws IOException {
        Path part = to.resolveSibling(to.getFileName() + ".part");
        part.toFile().deleteOnExit();
        try (BufferedWriter writer = Files.newBufferedWriter(part)) {
            frequencies.write(writer);
        }
        Files.move(part, to, StandardCopyOption.REPLACE_EXISTING);
    }
}
