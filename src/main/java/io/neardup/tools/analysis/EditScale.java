package io.neardup.tools.analysis;

import io.neardup.engine.text.ShingleSpec;

/**
 * Compares thresholds of different shingles by the editing that they stand for. A replaced word breaks all shingles
 * that it is in.
 *
 * <p>Take words of 5 letters with a space between. A replaced word then costs k + 4 shingles of {@code char:k}, as many
 * as a text has in k + 4 characters. It costs k shingles of {@code word:k} and {@code stopword:k}, which have one in 6
 * characters. Shingles of several lengths count as those of the mean length. When a share d of the shingles of both
 * texts is broken, the similarity is (1 - d) / (1 + d).
 *
 * <p>So 0.7 of {@code char:9} is 0.78 of {@code char:5} and 0.61 of {@code word:3}: one replaced word in 12. Labelled
 * record sets agree for the first (0.8). It says nothing of moved paragraphs, which longer shingles take as lightly as
 * shorter ones.
 */
final class EditScale {
    private static final int WORD_LETTERS = 5;
    private static final int WORD_CHARACTERS = WORD_LETTERS + 1;

    private EditScale() {}

    /** The characters of text that lose their shingles by a replaced word. */
    static int charactersBroken(String shingle) {
        ShingleSpec spec = ShingleSpec.of(shingle);
        return spec.kind() == ShingleSpec.Kind.CHAR
                ? spec.min() + WORD_LETTERS - 1
                : WORD_CHARACTERS * (spec.min() + spec.max()) / 2;
    }

    /** Replaced words, as a share of all, that bring a text down to a similarity. */
    static double editedWords(String shingle, double similarity) {
        double broken = (1 - similarity) / (1 + similarity);
        return broken * WORD_CHARACTERS / charactersBroken(shingle);
    }

    /**
     * The similarity of one shingle that stands for the same editing as that of another, to two decimals.
     *
     * @return 0.01 to 1
     */
    static double equivalent(String shingle, double similarity, String other) {
        double broken = editedWords(shingle, similarity) * charactersBroken(other) / WORD_CHARACTERS;
        double equal = (1 - broken) / (1 + broken);
        return Math.max(1, Math.round(equal * 100)) / 100.0;
    }
}
