package io.neardup.engine.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

/**
 * Shingles of min to max consecutive tokens ({@link Tokens}): the runs of each length, as LingPipe's
 * TokenNGramTokenizerFactory makes them. A text of fewer than max tokens has only the lengths that fit into it.
 *
 * <p>With stop words, only the runs that begin with one (Leskovec, Rajaraman and Ullman, Mining of Massive Datasets,
 * 3.2.4). Prose has many stop words, the navigation and the advertisements around it have few. A text without any such
 * shingle is one shingle, the whole of it. Stop words match in any case of letters; the shingles keep the case of the
 * text, and hash as without stop words.
 */
final class TokenShingler implements Shingler {
    /** Version of the hashes; an index built with another cannot be compared with. */
    static final int VERSION = 1;

    private final ShingleSpec spec;
    private final KeyedHash hash;
    private final Tokens tokens;
    private final RollingHash windows;
    private final @Nullable HashedTokens stopWords;

    /** @param words that shingles begin with; null where they begin with any */
    TokenShingler(ShingleSpec spec, @Nullable StopWords words, long seed) {
        this.spec = spec;
        this.hash = Tokens.hashing(seed);
        this.tokens = words == null ? Tokens.asWritten(hash) : Tokens.alsoFolded(hash);
        this.windows = new RollingHash(spec.min(), spec.max(), hash);
        this.stopWords = words == null ? null : hashed(words);
    }

    private HashedTokens hashed(StopWords words) {
        HashedTokens hashed = new HashedTokens(words.words().size());
        for (String word : words.words()) {
            tokens.take(word);
            hashed.add(tokens.foldedHashes()[0]);
        }
        return hashed;
    }

    @Override
    public void shingle(byte[] normalized, int length, Shingles into) {
        tokens.take(new String(normalized, 0, length, UTF_8));
        windows.hash(tokens.hashes(), tokens.size(), into);
        if (stopWords != null && tokens.size() >= spec.min()) {
            into.shorten(keepStopWords(into.array(), into.size(), stopWords));
            if (into.size() == 0) {
                into.add(whole());
            }
        }
    }

    /** Moves the windows that begin with a stop word to the front; returns how many they are. */
    private int keepStopWords(long[] hashes, int count, HashedTokens words) {
        long[] firsts = tokens.foldedHashes();
        int kept = 0;
        for (int i = 0; i < count; i++) {
            hashes[kept] = hashes[i];
            kept += words.count(firsts[i]);
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

    /**
     * A set of token hashes: open addressing with linear probing, at most a quarter full. The hashes are keyed by a
     * secret seed, so nobody can choose words that make the probes long. 0 marks an empty slot; a token hashes to it
     * with probability 2^-64.
     */
    private static final class HashedTokens {
        private final long[] slots;
        private final int mask;

        HashedTokens(int size) {
            this.slots = new long[Integer.highestOneBit(Math.max(1, size)) * 8];
            this.mask = slots.length - 1;
        }

        void add(long hash) {
            slots[slotOf(hash)] = hash;
        }

        /** 1 for a hash in the set, else 0; a comparison would become a branch that is mispredicted at every word. */
        int count(long hash) {
            return 1 - bit(slots[slotOf(hash)] ^ hash);
        }

        /** Where the hash is or would be. */
        private int slotOf(long hash) {
            int slot = (int) hash & mask;
            while ((bit(slots[slot]) & bit(slots[slot] ^ hash)) != 0) {
                slot = (slot + 1) & mask;
            }
            return slot;
        }

        /** 0 for 0, else 1. */
        private static int bit(long value) {
            return (int) ((value | -value) >>> 63);
        }
    }
}
