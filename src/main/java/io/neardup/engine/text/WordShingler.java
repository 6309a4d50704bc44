package io.neardup.engine.text;

/**
 * Shingles of min to max consecutive tokens ({@link Tokens}): the runs of each length, as LingPipe's
 * TokenNGramTokenizerFactory makes them. A text of fewer than max tokens has only the lengths that fit into it.
 */
public final class WordShingler implements Shingler {
    /** Version of the hashes; an index built with another cannot be compared with. */
    public static final int VERSION = 1;

    private final ShingleSpec spec;
    private final Tokens tokens;
    private final Windows windows;

    WordShingler(ShingleSpec spec, long seed) {
        KeyedHash hash = Tokens.hashing(seed);
        this.spec = spec;
        this.tokens = Tokens.asWritten(hash);
        this.windows = new Windows(spec.min(), spec.max(), hash);
    }

    @Override
    public void shingle(String normalized, Shingles into) {
        tokens.take(normalized);
        windows.hash(tokens.hashes(), tokens.size(), into);
    }

    @Override
    public String name() {
        return spec.toString();
    }
}
