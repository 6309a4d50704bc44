package io.neardup.engine.similarity;

import io.neardup.engine.text.NormalizedBuffer;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;

/** Brings texts into normalized form, cuts them into shingles and signs these, one text after the other. */
abstract class ShingleSigner implements TextSigner {
    private final NormalizedBuffer normalized;
    private final Shingles shingles;
    private final Shingler shingler;
    private long cut;
    private long excluded;

    ShingleSigner(Shingling shingling, long seed) {
        this.normalized = shingling.normalizedBuffer();
        this.shingler = shingling.shingler(seed);
        this.shingles = new Shingles(shingling.shinglesMax());
    }

    /**
     * Signs a text.
     *
     * @param shingles of the text that count, at least one; valid until the next text
     */
    abstract SignedText sign(Shingles shingles, NormalizedBuffer normalized);

    @Override
    public final SignedText sign(byte[] utf8, int from, int to) throws UnsignableException {
        normalized.set(utf8, from, to);
        return cutAndSign(to - from);
    }

    @Override
    public final SignedText signNormalized(byte[] utf8, int from, int to) throws UnsignableException {
        normalized.setNormalized(utf8, from, to);
        return cutAndSign(to - from);
    }

    private SignedText cutAndSign(int bytes) throws UnsignableException {
        try {
            shingler.shingle(normalized.array(), normalized.length(), shingles);
        } catch (Shingles.TooManyException e) {
            throw UnsignableException.tooLarge(String.valueOf(e.getMessage()));
        }
        int all = shingles.size() + shingles.excluded();
        if (all == 0) {
            throw new UnsignableException("Text of " + bytes + " bytes without shingles: expected at least one");
        }
        cut += all;
        excluded += shingles.excluded();
        return sign(shingles, normalized);
    }

    /** Counts shingles of the text that was cut last that were excluded afterwards. */
    final void exclude(int count) {
        excluded += count;
    }

    @Override
    public final ShingleTotals shingles() {
        return new ShingleTotals(cut, excluded);
    }
}
