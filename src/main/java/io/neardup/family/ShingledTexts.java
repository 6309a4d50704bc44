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
        shingler.shingle(canonical.array(), canonical.length(), shingles);
        int cut = shingles.size() + shingles.leftOut();
        if (cut > shinglesMax) {
            throw UnsignableException.tooLarge(
                    "expected a text of at most " + shinglesMax + " shingles (neardup.shingles.max), found " + cut);
        }
        return shingles;
    }

    /** The text that was cut last. */
    CanonicalBuffer canonical() {
        return canonical;
    }
}
