package io.neardup.engine.similarity;

/** Signs the texts of documents. Implementations may keep scratch buffers: one instance for one thread. */
public interface TextSigner {
    /**
     * The signature and the evidence of a text.
     *
     * @param utf8 the raw text, well-formed UTF-8 from one offset up to another; not to be kept or changed
     * @throws UnsignableException when the text is not of the form that the family compares
     */
    SignedText sign(byte[] utf8, int from, int to) throws UnsignableException;

    /**
     * The same for a text that is in normalized form already, such as the evidence that another index keeps; of
     * families that {@linkplain Family#readsNormalizedText() read no other}.
     *
     * @throws UnsignableException when the text is not of the form that the family compares
     */
    default SignedText signNormalized(byte[] utf8, int from, int to) throws UnsignableException {
        throw new UnsupportedOperationException("expected a family that reads normalized texts, found another");
    }

    /** The shingles of all texts so far; none where nothing is cut into shingles. */
    default ShingleTotals shingles() {
        return ShingleTotals.NONE;
    }

    /**
     * How many shingles texts were cut into.
     *
     * @param cut repeats and those that do not count included
     * @param boilerplate how many of these do not count; of long texts by a sample
     */
    record ShingleTotals(long cut, long boilerplate) {
        public static final ShingleTotals NONE = new ShingleTotals(0, 0);
    }
}
