package io.neardup.sketch;

import io.neardup.text.CanonicalBuffer;
import io.neardup.text.Shingler;
import io.neardup.text.Shingles;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The exact cosine of two texts' weight vectors: how often each shingle occurs, times its weight. The evidence is the
 * canonical text in UTF-8, as that of {@link ExactOverlap}. Texts without shingles have similarity 0. Shares count
 * distinct shingles, without repeats.
 *
 * <p>Comparisons with the same first document in a row shingle it once.
 */
public final class ExactCosine implements SimilarityJudge {
    private final Shingler shingler;
    private final VectorTable table;
    private final Shingles shingles = new Shingles();
    private @Nullable Evidence loaded;

    /**
     * A judge with a shingler of its own: both keep scratch buffers, so no other thread may use either.
     *
     * @param weights for the hashes of this shingler
     */
    public ExactCosine(Shingler shingler, ShingleWeights weights) {
        this.shingler = shingler;
        this.table = new VectorTable(weights);
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
        load(a);
        shingle(b);
        return table.cosine(shingles);
    }

    // By identity: nobody may change the bytes, and to compare them would cost more than it saves.
    @SuppressWarnings("ReferenceEquality")
    private void load(Evidence a) {
        if (loaded != a) {
            loaded = null;
            shingle(a);
            table.load(shingles);
            loaded = a;
        }
    }

    private void shingle(Evidence evidence) {
        shingler.shingle(evidence.bytes(), evidence.bytes().length, shingles);
    }
}
