package io.neardup.engine.text;

/**
 * Shingles of a stop word and the k - 1 tokens after it (Leskovec, Rajaraman and Ullman, Mining of Massive Datasets,
 * 3.2.4; {@link Tokens}). Prose has many stop words, the navigation and the advertisements around it have few. A stop
 * word with fewer tokens after it begins no shingle. A text without any such shingle is one shingle, the whole of it.
 *
 * <p>Stop words match in any case of letters. The shingles keep the case of the text, and hash as those of
 * {@code word:k} do.
 */
public final class StopWordShingler implements Shingler {
    /** Version of the hashes; an index built with another cannot be compared with. */
    public static final int VERSION = 1;

    private final ShingleSpec spec;
    private final KeyedHash hash;
    private final Tokens tokens;
    private final Windows windows;
    private final HashedTokens stopWords;

    StopWordShingler(ShingleSpec spec, StopWords words, long seed) {
        this.spec = spec;
        this.hash = Tokens.hashing(seed);
        this.tokens = Tokens.alsoFolded(hash);
        this.windows = new Windows(spec.min(), spec.max(), hash);
        this.stopWords = new HashedTokens(words.words().size());
        for (String word : words.words()) {
            tokens.take(word);
            stopWords.add(tokens.foldedHashes()[0]);
        }
    }

    @Override
    public void shingle(String normalized, Shingles into) {
        tokens.take(normalized);
        windows.hash(tokens.hashes(), tokens.size(), into);
        if (tokens.size() < spec.min()) {
            return;
        }
        into.shorten(keepStopWords(into.array(), into.size()));
        if (into.size() == 0) {
            into.add(whole());
        }
    }

    @Override
    public String name() {
        return spec.toString();
    }

    /** Moves the windows that begin with a stop word to the front; returns how many they are. */
    private int keepStopWords(long[] hashes, int count) {
        long[] firsts = tokens.foldedHashes();
        int kept = 0;
        for (int i = 0; i < count; i++) {
            hashes[kept] = hashes[i];
            kept += stopWords.count(firsts[i]);
        }
        return kept;
    }

    /** Mixes at every token: a polynomial over thousands of units has weak bits ({@link KeyedHash}). */
    private long whole() {
        long[] units = tokens.hashes();
        long run = 0;
        for (int i = 0; i < tokens.size(); i++) {
            run = KeyedHash.mix(run ^ units[i]);
        }
        return hash.finish(run, tokens.size());
    }
}
