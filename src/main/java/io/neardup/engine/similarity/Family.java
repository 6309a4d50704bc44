package io.neardup.engine.similarity;

import java.util.Map;

/**
 * A family of locality-sensitive hash functions. Each value of a signature is the result of one function drawn from it.
 * Two documents agree on a value with a probability that grows with their similarity. Everything else is the same for
 * all families: banding, index and protocol.
 *
 * <p>Your own family is a public class that {@code neardup.signature} names. It has a public constructor that takes a
 * {@code Map<String, String>}: the settings that begin with {@code neardup.family.}, without that prefix. The
 * constructor reports unknown or wrong settings by an {@link IllegalArgumentException}. Families are immutable and safe
 * for use by several threads; signers and judges are not.
 */
public interface Family {
    /**
     * Everything that shapes signatures and evidence, apart from the seed and the number of values. Versions of
     * algorithms belong here. An index is bound to it.
     */
    Map<String, String> identity();

    /** The most values a signature may have, at least 1. */
    int valuesMax();

    /**
     * The chance that two documents agree on one value of their signatures.
     *
     * @param similarity 0 to 1
     * @return 0 to 1, never falling as the similarity grows
     */
    double agreement(double similarity);

    /**
     * The inverse of {@link #agreement}: the least similarity at which two documents agree so often, within 10^-12. 1
     * where none is enough.
     */
    default double similarityAt(double agreement) {
        if (agreement(agreement) == agreement) {
            return agreement;
        }
        double low = 0;
        double high = 1;
        while (high - low > 1e-12) {
            double middle = (low + high) / 2;
            if (agreement(middle) < agreement) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** The threshold where none is set: above 0, at most 1. */
    double defaultThreshold();

    /** How similar unrelated documents are where nothing is set: at least 0, below the usual threshold. */
    double defaultUnrelated();

    /**
     * A signer for one thread.
     *
     * @param values in a signature, 1 to {@link #valuesMax()}
     * @param seed secret; the same seed gives the same signatures on every machine
     */
    TextSigner signer(int values, long seed);

    /** Refuses, by an {@link IllegalArgumentException}, a number of values that a signature cannot have. */
    static void requireValues(int values, int valuesMax) {
        if (values < 1 || values > valuesMax) {
            throw new IllegalArgumentException("Signature of " + values + " values: expected 1 to " + valuesMax);
        }
    }

    /** A judge for one thread, of the evidence that this family's signers make with the same values and seed. */
    SimilarityJudge judge(int values, long seed);

    /**
     * Whether its signers take nothing of a text but its
     * {@linkplain io.neardup.engine.text.NormalizedText normalized form}.
     */
    default boolean readsNormalizedText() {
        return false;
    }

    /** What {@link BitSketch}es of this family's signatures are good for. */
    default SketchUse sketchUse() {
        return SketchUse.NONE;
    }

    /** How far sketches tell that two documents are no match. */
    enum SketchUse {
        /** Not at all: none are made, and every candidate is verified. */
        NONE,
        /** They rank candidates, but how much those at the threshold differ has no known bound. */
        RANK,
        /** They rank candidates, and drop those that two documents at the threshold are hardly ever like. */
        CUT
    }

    /** What this family compares. */
    default Material material() {
        return Material.TEXT;
    }

    /** What a document's text is made of. */
    enum Material {
        /** The strings that {@code neardup.document.text} points to. */
        TEXT,
        /** An array of numbers that it points to; the text has them in decimal, with a space between. */
        NUMBERS
    }
}
