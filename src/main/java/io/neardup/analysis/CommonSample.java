package io.neardup.analysis;

import io.neardup.config.NeardupConfig;
import io.neardup.text.CanonicalText;
import java.io.IOException;
import java.util.List;

/**
 * What is common in a sample of a file.
 *
 * @param sources met
 * @param passedOver documents of sources that were not drawn from, as there are too many
 */
public record CommonSample(CommonCount count, int sources, long passedOver, List<Rejected> rejected) {
    /** Documents that are drawn from all at most: 5 % of them are a hundred. */
    public static final int DOCUMENTS_MAX = 2_000;

    private static final long SEED = 1;

    public CommonSample {
        rejected = List.copyOf(rejected);
    }

    /**
     * Reads a whole file, and counts in documents drawn from it at random.
     *
     * @param config how documents are read and cut; its scope is the source of a document
     */
    public static CommonSample of(DocumentLines lines, NeardupConfig config, double share, AnalysisProgress progress)
            throws IOException {
        SourceSamples sources = new SourceSamples(
                SEED,
                document -> CanonicalText.of(
                        document.text().decode(), config.shingling().letterCase()));
        DocumentSample sample = DocumentSample.drawn(DOCUMENTS_MAX, SEED, lines, sources, progress);
        List<String> texts = sample.documents().stream()
                .map(document -> CanonicalText.of(
                        document.text().decode(), config.shingling().letterCase()))
                .toList();
        progress.update("counting shingles");
        CommonCount count = CommonCount.of(texts, sources.texts(), config.shingling(), share);
        return new CommonSample(count, sources.sources(), sources.passedOver(), sample.rejected());
    }
}
