package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.similarity.FastSimilaritySketch;
import io.neardup.tools.analysis.AnalysisProgress;
import io.neardup.tools.analysis.Tuner;
import io.neardup.tools.analysis.Tuning;
import io.neardup.tools.analysis.TuningTargets;
import java.io.IOException;
import java.util.OptionalLong;

/** Measures the documents of files. Everything that is drawn comes from one fixed seed, so that two runs agree. */
final class TuneRun {
    static final int HASHES_MAX = FastSimilaritySketch.SIZE_MAX;

    private final RereadInput input;
    private final int documentsMax;
    private final NeardupConfig config;
    private final TuningTargets targets;

    /**
     * A run of which nothing is done yet.
     *
     * @param documentsMax of these the first are taken, at least 1
     * @param hashesMax 1 to {@link #HASHES_MAX}
     * @throws IllegalArgumentException as for {@link ShingleJaccard#required}
     */
    TuneRun(RereadInput input, int documentsMax, int hashesMax, Settings settings) {
        this.input = input;
        this.documentsMax = documentsMax;
        this.config = ShingleJaccard.required("tune FILE", NeardupConfig.of(settings));
        this.targets = targets(settings, config, hashesMax);
    }

    /** Costs are weighed at the size of the documents that are read, unless the settings give one. */
    static TuningTargets targets(Settings settings, NeardupConfig config, int hashesMax) {
        OptionalLong indexSize =
                settings.isGiven("neardup.index.size") ? OptionalLong.of(config.indexSize()) : OptionalLong.empty();
        return TuningTargets.of(config, indexSize, hashesMax);
    }

    /** @throws IOException if a file cannot be read, no line is a document, or no bands and rows reach the recall */
    TuningReport report(AnalysisProgress progress) throws IOException {
        try {
            Tuning tuning = new Tuner(() -> input.open(config), targets, documentsMax, progress).tune();
            if (tuning.documents() == 0 && !tuning.rejected().isEmpty()) {
                throw new IOException(input.names() + ": expected documents, found none in " + tuning.lines() + " lines"
                        + RejectedText.of(tuning.rejected()));
            }
            return new TuningReport(tuning, targets);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw Failures.heapTooSmall("The documents", e);
        }
    }
}
