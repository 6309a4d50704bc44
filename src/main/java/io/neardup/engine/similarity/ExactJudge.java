package io.neardup.engine.similarity;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.engine.text.NormalizedBuffer;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Judges two texts exactly, by their shingles. The evidence is the normalized text in UTF-8. Texts without shingles
 * have similarity 0.
 *
 * <p>Comparisons with the same first document in a row shingle it once, and so do a bitmap and the comparison that
 * follows it.
 */
public abstract sealed class ExactJudge implements SimilarityJudge permits ExactCosine, ExactOverlap {
    private final Shingler shingler;
    private final Shingles shingles = new Shingles();
    private @Nullable Evidence loaded;
    private @Nullable Evidence shingled;

    /** A judge with a shingler of its own: both keep scratch buffers, so no other thread may use either. */
    ExactJudge(Shingler shingler) {
        this.shingler = shingler;
    }

    /** The evidence of a normalized text, which must hold no unpaired surrogate: UTF-8 cannot carry one. */
    public static Evidence evidence(String normalized) {
        return Evidence.of(normalized.getBytes(UTF_8));
    }

    /** The evidence of a normalized text, copied out of its buffer. */
    public static Evidence evidence(NormalizedBuffer normalized) {
        return Evidence.of(normalized.toBytes());
    }

    /** Takes the shingles of the first text, for all comparisons until the next ones are taken. */
    abstract void load(Shingles first);

    /**
     * The similarity of the text that was loaded, as the first, and another where it reaches a threshold; else it may
     * be any that does not.
     */
    abstract Similarity similarityTo(Shingles second, double threshold);

    /** The similarity of texts that are the same, which have shingles. */
    Similarity equalTexts() {
        return Similarity.EQUAL;
    }

    @Override
    public final Similarity similarity(Evidence a, Evidence b) {
        return similarity(a, b, 0);
    }

    @Override
    public final Similarity similarity(Evidence a, Evidence b, double threshold) {
        if (Arrays.equals(a.bytes(), b.bytes())) {
            return a.bytes().length == 0 ? Similarity.NONE : equalTexts();
        }
        loadFirst(a);
        return similarityTo(shingle(b), threshold);
    }

    // By identity: nobody may change the bytes, and to compare them would cost more than it saves.
    @SuppressWarnings("ReferenceEquality")
    final void loadFirst(Evidence a) {
        if (loaded != a) {
            loaded = null;
            load(shingle(a));
            loaded = a;
        }
    }

    @SuppressWarnings("ReferenceEquality") // As above.
    final Shingles shingle(Evidence evidence) {
        if (shingled != evidence) {
            shingled = null;
            shingler.shingle(evidence.bytes(), evidence.bytes().length, shingles);
            shingled = evidence;
        }
        return shingles;
    }
}
