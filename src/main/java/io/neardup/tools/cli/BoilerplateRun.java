package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.tools.analysis.AnalysisProgress;
import io.neardup.tools.analysis.BoilerplateSample;
import io.neardup.tools.analysis.DocumentLines;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds the shingles that many unlike documents of a file hold, so that they can be left out. */
final class BoilerplateRun {
    /** One in two hundred clusters. */
    static final double SHARE_MIN = 0.005;

    /** Every other one. */
    static final double SHARE_MAX = 0.5;

    private final String file;
    private final NeardupConfig config;
    private final double share;
    private final boolean isByScope;

    /**
     * A run of which nothing is done yet.
     *
     * @param file as for {@link DocumentLines}
     * @param by JSON pointer to the source of a document; null for that to its scope, if the settings have one
     * @throws IllegalArgumentException for settings under which no shingles are compared
     */
    BoilerplateRun(String file, Settings settings, double share, @Nullable String by) {
        if (by != null) {
            requirePointer(by);
            settings.set("neardup.scope", by, "--by");
        }
        this.file = file;
        this.config = NeardupConfig.of(settings);
        this.share = share;
        this.isByScope = by == null;
        if (!config.signature().comparesShingles()) {
            throw new IllegalArgumentException("--boilerplate: expected neardup.signature=minhash or simhash, which"
                    + " compare shingles, found " + config.signature());
        }
    }

    private static void requirePointer(String by) {
        if (!by.startsWith("/")) {
            throw new IllegalArgumentException("--by: expected a JSON pointer (RFC 6901) such as /host, found " + by);
        }
    }

    /**
     * Reads the whole file.
     *
     * @param out where the shingles are to be written; nothing is yet
     */
    BoilerplateReport count(Path out, InputStream standardInput, AnalysisProgress progress) throws IOException {
        try (DocumentLines lines = new DocumentLines(file, standardInput, config)) {
            BoilerplateSample sample = BoilerplateSample.of(lines, config, share, progress);
            if (sample.count().documents() == 0) {
                throw new IOException(file + ": expected documents, found none" + RejectedText.of(sample.rejected()));
            }
            return new BoilerplateReport(out, sample, config.shingling(), share, config.scope(), isByScope);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw Failures.heapTooSmall("The documents of " + file, e);
        }
    }
}
