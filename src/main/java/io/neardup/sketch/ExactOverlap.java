package io.neardup.sketch;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.text.CanonicalBuffer;
import io.neardup.text.Overlap;
import io.neardup.text.Shingler;
import io.neardup.text.Shingles;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The exact similarity of two texts by their sets of shingles. The evidence is the canonical text in UTF-8. Two texts
 * without shingles have similarity 0.
 *
 * <p>Exact up to collisions of 64-bit shingle hashes: about 10^-13 for two texts of 2,000 shingles. Comparisons with
 * the same first document in a row shingle it once.
 */
public final class ExactOverlap implements SimilarityJudge {
    private final Shingler shingler;
    private final Measure measure;
    private final Shingles shingles = new Shingles();
    private final HashTable table = new HashTable();
    private @Nullable Evidence loaded;

    /** A judge with a shingler of its own: both keep scratch buffers, so no other thread may use either. */
    public ExactOverlap(Shingler shingler, Measure measure) {
        this.shingler = shingler;
        this.measure = measure;
    }

    /** The evidence of a canonical text, which must hold no unpaired surrogate: UTF-8 cannot carry one. */
    public static Evidence evidence(String canonical) {
        return Evidence.of(canonical.getBytes(UTF_8));
    }

    /** The evidence of a canonical text, copied out of its buffer. */
    public static Evidence evidence(CanonicalBuffer canonical) {
        return Evidence.of(canonical.toBytes());
    }

    @Override
    public Similarity similarity(Evidence a, Evidence b) {
        if (Arrays.equals(a.bytes(), b.bytes())) {
            return a.bytes().length == 0 ? Similarity.NONE : Similarity.EQUAL;
        }
        return measure.of(overlap(a, b));
    }

    // By identity: nobody may change the bytes, and to compare them would cost more than it saves.
    @SuppressWarnings("ReferenceEquality")
    private Overlap overlap(Evidence a, Evidence b) {
        if (loaded != a) {
            loaded = null;
            shingle(a);
            table.load(shingles);
            loaded = a;
        }
        shingle(b);
        return table.overlap(shingles);
    }

    private void shingle(Evidence evidence) {
        shingler.shingle(evidence.bytes(), evidence.bytes().length, shingles);
    }
}
