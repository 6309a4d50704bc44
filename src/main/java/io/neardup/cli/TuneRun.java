package io.neardup.cli;

import io.neardup.analysis.AnalysisProgress;
import io.neardup.analysis.DocumentLines;
import io.neardup.analysis.DocumentSample;
import io.neardup.analysis.Rejected;
import io.neardup.analysis.Tuner;
import io.neardup.analysis.TuningTargets;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.sketch.FastSimilaritySketch;
import io.neardup.text.CanonicalText;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** Measures the documents of a file. Everything that is drawn comes from one fixed seed, so that two runs agree. */
final class TuneRun {
    static final int HASHES_MAX = FastSimilaritySketch.SIZE_MAX;
    /** A pair. */
    static final int DOCUMENTS_MIN = 2;

    static final int DOCUMENTS_MAX = 100_000;
    private static final long SEED = 1;

    private final String file;
    private final int documentsMax;
    private final NeardupConfig config;
    private final boolean isSizeGiven;
    private final TuningTargets targets;

    /**
     * A run of which nothing is done yet.
     *
     * @param file as for {@link DocumentLines}
     * @param documentsMax {@link #DOCUMENTS_MIN} to {@link #DOCUMENTS_MAX}
     * @param hashesMax 1 to {@link #HASHES_MAX}
     * @throws IllegalArgumentException as for {@link ShingleJaccard#required}
     */
    TuneRun(String file, int documentsMax, int hashesMax, Settings settings) {
        this.file = file;
        this.documentsMax = documentsMax;
        this.config = ShingleJaccard.required("tune FILE", NeardupConfig.of(settings));
        this.isSizeGiven = settings.isGiven("neardup.index.size");
        this.targets = TuningTargets.of(config, hashesMax);
    }

    /** @throws IOException if the file cannot be read, or no bands and rows reach the recall */
    TuningReport report(InputStream standardInput, AnalysisProgress progress) throws IOException {
        DocumentSample sample = sample(standardInput, progress);
        List<String> texts = sample.documents().stream()
                .map(document -> CanonicalText.of(
                        document.text().decode(), config.shingling().letterCase()))
                .toList();
        TuningTargets meant = isSizeGiven ? targets : targets.withIndexSize(documents(sample));
        try {
            return new TuningReport(sample, new Tuner(texts, meant, progress).tune(), meant);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static long documents(DocumentSample sample) {
        return sample.lines()
                - sample.rejected().stream().mapToLong(Rejected::count).sum();
    }

    private DocumentSample sample(InputStream standardInput, AnalysisProgress progress) throws IOException {
        try (DocumentLines lines = new DocumentLines(file, standardInput, config)) {
            return DocumentSample.drawn(documentsMax, SEED, lines, progress);
        }
    }
}
