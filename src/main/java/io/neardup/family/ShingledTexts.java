package io.neardup.family;

import io.neardup.text.CanonicalBuffer;
import io.neardup.text.Shingler;
import io.neardup.text.Shingles;
import io.neardup.text.Shingling;

/** Brings texts into canonical form and cuts them into shingles, one text after the other. For one thread. */
final class ShingledTexts {
    private final CanonicalBuffer canonical;
    private final Shingles shingles = new Shingles();
    private final Shingler shingler;
    private final int shinglesMax;
    private long cut;
    private long leftOut;

    ShingledTexts(Shingling shingling, long seed) {
        this.canonical = shingling.canonicalBuffer();
        this.shingler = shingling.shingler(seed);
        this.shinglesMax = shingling.shinglesMax();
    }

    /**
     * The shingles of a text that count, valid until the next.
     *
     * @throws UnsignableException when there are more than the limit, with those that do not count
     */
    Shingles cut(byte[] utf8, int from, int to) throws UnsignableException {
        canonical.set(utf8, from, to);
        return cut();
    }

    /** The same of a text in canonical form. */
    Shingles cutCanonical(byte[] utf8, int from, int to) throws UnsignableException {
        canonical.setCanonical(utf8, from, to);
        return cut();
    }

    private Shingles cut() throws UnsignableException {
        shingler.shingle(canonical.array(), canonical.length(), shingles);
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
    CanonicalBuffer canonical() {
        return canonical;
    }
}
