package io.neardup.engine.similarity;

import io.neardup.engine.text.NormalizedBuffer;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;

/** Brings texts into normalized form and cuts them into shingles, one text after the other. For one thread. */
final class ShingledTexts {
    private final NormalizedBuffer normalized;
    private final Shingles shingles = new Shingles();
    private final Shingler shingler;
    private final int shinglesMax;
    private long cut;
    private long leftOut;

    ShingledTexts(Shingling shingling, long seed) {
        this.normalized = shingling.normalizedBuffer();
        this.shingler = shingling.shingler(seed);
        this.shinglesMax = shingling.shinglesMax();
    }

    /**
     * The shingles of a text that count, valid until the next.
     *
     * @throws UnsignableException when there are more than the limit, with those that do not count
     */
    Shingles cut(byte[] utf8, int from, int to) throws UnsignableException {
        normalized.set(utf8, from, to);
        return cut();
    }

    /** The same of a text in normalized form. */
    Shingles cutNormalized(byte[] utf8, int from, int to) throws UnsignableException {
        normalized.setNormalized(utf8, from, to);
        return cut();
    }

    private Shingles cut() throws UnsignableException {
        shingler.shingle(normalized.array(), normalized.length(), shingles);
        int all = shingles.size() + shingles.leftOut();
        if (all > shinglesMax) {
            throw UnsignableException.tooLarge(
                    "expected a text of at most " + shinglesMax + " shingles (neardup.shingles.max), found " + all);
        }
        cut += all;
        leftOut += shingles.leftOut();
        return shingles;
    }

    /** Counts shingles of the text that was cut last that were left out afterwards. */
    void leaveOut(int count) {
        leftOut += count;
    }

    /** Of all texts that were not too large. */
    ShingleTotals totals() {
        return new ShingleTotals(cut, leftOut);
    }

    /** The text that was cut last. */
    NormalizedBuffer normalized() {
        return normalized;
    }
}
