package io.neardup.tools.analysis;

import io.neardup.config.NeardupConfig;
import io.neardup.engine.text.NormalizedBuffer;
import io.neardup.record.Document;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * What is common in a sample of a file.
 *
 * @param documents of the file
 * @param drawn of them, of which {@link BoilerplateCount#documents} were counted
 * @param sources met
 * @param notDrawn documents of sources that were not drawn from, as there are too many
 */
public record BoilerplateSample(
        BoilerplateCount count, long documents, int drawn, int sources, long notDrawn, List<Rejected> rejected) {
    /** Documents that are drawn from all at most: 5 % of them are a hundred. */
    public static final int DOCUMENTS_MAX = 2_000;

    /** Bytes of their texts: the counts of their shingles take up to ten times as many. */
    static final long BYTES_MAX = 1 << 25;

    private static final long SEED = 1;
    private static final int PROGRESS_LINES = 1_000;

    public BoilerplateSample {
        rejected = List.copyOf(rejected);
    }

    /**
     * Reads a whole file, and counts in documents drawn from it at random.
     *
     * @param config how documents are read and cut; its scope is the source of a document
     */
    public static BoilerplateSample of(
            DocumentLines lines, NeardupConfig config, double share, AnalysisProgress progress) throws IOException {
        NormalizedBuffer buffer = config.shingling().normalizedBuffer();
        Function<Document, ComparedText> normalized = document -> ComparedText.of(0, document, buffer);
        SourceSamples sources = new SourceSamples(SEED, normalized);
        SplittableRandom random = new SplittableRandom(SEED);
        Reservoir<ComparedText> drawn = reservoir();
        for (Document document = lines.next(); document != null; document = lines.next()) {
            Document passing = document;
            sources.accept(passing);
            drawn.offer(Lots.next(random), () -> normalized.apply(passing));
            if (lines.lines() % PROGRESS_LINES == 0) {
                progress.update(String.format(Locale.ROOT, "%,d lines read", lines.lines()));
            }
        }
        progress.skippedTotals(lines.skippedTotals());
        progress.update("counting shingles");
        List<ComparedText> texts = drawn.drawn();
        BoilerplateCount count = BoilerplateCount.of(texts, sources.texts(), config.shingling(), share);
        return new BoilerplateSample(
                count, drawn.seen(), texts.size(), sources.sources(), sources.notDrawn(), lines.rejected());
    }

    /** Texts for a count, none of which is drawn yet. */
    static Reservoir<ComparedText> reservoir() {
        return new Reservoir<>(DOCUMENTS_MAX, BYTES_MAX, ComparedText::heldBytes);
    }
}
