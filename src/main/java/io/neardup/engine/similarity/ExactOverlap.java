package io.neardup.engine.similarity;

import io.neardup.engine.text.Overlap;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.util.Optional;

/**
 * The exact similarity of two texts by their sets of shingles, up to collisions of 64-bit shingle hashes: about 10^-13
 * for two texts of 2,000 shingles.
 */
public final class ExactOverlap extends ExactJudge {
    private final Measure measure;
    private final HashTable table = new HashTable();
    private final HashTable outlined = new HashTable();

    /** A judge with a shingler of its own: both keep scratch buffers, so no other thread may use either. */
    public ExactOverlap(Shingler shingler, Measure measure) {
        super(shingler);
        this.measure = measure;
    }

    @Override
    void load(Shingles first) {
        table.load(first);
    }

    @Override
    Optional<Outline> outlineOf(Shingles text) {
        outlined.load(text);
        return outlineOf(outlined);
    }

    @Override
    Optional<Outline> outlineOfLoaded() {
        return outlineOf(table);
    }

    private Optional<Outline> outlineOf(HashTable set) {
        return set.size() == 0 ? Optional.empty() : Optional.of(ShingleBitmap.of(measure, set.distinct(), set.size()));
    }

    @Override
    Similarity similarityTo(Shingles second) {
        return similarityTo(second, 0);
    }

    @Override
    Similarity similarityTo(Shingles second, double threshold) {
        Overlap overlap =
                table.overlap(second, mostSimilar -> measure.of(mostSimilar).value() >= threshold);
        return measure.of(overlap);
    }
}
