package io.neardup.cli;

import io.neardup.analysis.AnalysisProgress;
import io.neardup.analysis.DocumentLines;
import io.neardup.analysis.Tuner;
import io.neardup.analysis.TuningTargets;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.sketch.FastSimilaritySketch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.OptionalLong;

/** Measures the documents of a file. Everything that is drawn comes from one fixed seed, so that two runs agree. */
final class TuneRun {
    static final int HASHES_MAX = FastSimilaritySketch.SIZE_MAX;
    private static final String STANDARD_INPUT = "-";

    private final String file;
    private final int documentsMax;
    private final NeardupConfig config;
    private final TuningTargets targets;

    /**
     * A run of which nothing is done yet.
     *
     * @param file as for {@link DocumentLines}
     * @param documentsMax of these the first are taken, at least 1
     * @param hashesMax 1 to {@link #HASHES_MAX}
     * @throws IllegalArgumentException as for {@link ShingleJaccard#required}
     */
    TuneRun(String file, int documentsMax, int hashesMax, Settings settings) {
        this.file = file;
        this.documentsMax = documentsMax;
        this.config = ShingleJaccard.required("tune FILE", NeardupConfig.of(settings));
        OptionalLong indexSize =
                settings.isGiven("neardup.index.size") ? OptionalLong.of(config.indexSize()) : OptionalLong.empty();
        this.targets = TuningTargets.of(config, indexSize, hashesMax);
    }

    /** @throws IOException if the file cannot be read, or no bands and rows reach the recall */
    TuningReport report(InputStream standardInput, AnalysisProgress progress) throws IOException {
        if (!file.equals(STANDARD_INPUT)) {
            return report(file, progress);
        }
        // It can be read once only, and a large file is read twice.
        Path copy = Files.createTempFile("neardup-tune", ".jsonl");
        try {
            Files.copy(standardInput, copy, StandardCopyOption.REPLACE_EXISTING);
            return report(copy.toString(), progress);
        } finally {
            Files.delete(copy);
        }
    }

    private TuningReport report(String readable, AnalysisProgress progress) throws IOException {
        try {
            Tuner tuner = new Tuner(
                    () -> new DocumentLines(readable, InputStream.nullInputStream(), config),
                    targets,
                    documentsMax,
                    progress);
            return new TuningReport(tuner.tune(), targets);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
