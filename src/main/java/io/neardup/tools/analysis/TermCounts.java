package io.neardup.tools.analysis;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;

/**
 * Counts in how many documents each term occurs, in bounded memory (Manku and Motwani 2002, lossy counting, by size
 * instead of by windows).
 *
 * <p>When twice as many terms are held as may be kept, the rarest are dropped, those of one document first, then those
 * of two, and so on, until no more are held than may be kept. A dropped term that comes again begins anew, so its count
 * is too low. Not thread-safe.
 */
public final class TermCounts {
    /** Longer terms are no words; they would take the memory of many. */
    static final int TERM_LENGTH_MAX = 200;

    private final int termsMax;
    private final Map<String, Integer> counts = new HashMap<>();
    private int documents;
    private int errorMax;

    /** @param termsMax kept in the end, at least 1 */
    public TermCounts(int termsMax) {
        this.termsMax = termsMax;
    }

    /**
     * What was counted.
     *
     * @param frequencies the documents of each term
     * @param errorMax by how much a frequency may be too low; a term that is not there is in so many documents at most
     */
    public record Finished(Map<String, Integer> frequencies, int errorMax) {
        public Finished {
            frequencies = Collections.unmodifiableMap(frequencies);
        }
    }

    /**
     * Counts a document with its terms, repeats included; terms with control characters and overlong ones are left out.
     */
    public void add(Collection<String> terms) {
        documents = Math.addExact(documents, 1);
        for (String term : new HashSet<>(terms)) {
            if (term.length() <= TERM_LENGTH_MAX && term.chars().noneMatch(Character::isISOControl)) {
                counts.merge(term, 1, Integer::sum);
            }
        }
        if (counts.size() > 2L * termsMax) {
            dropRarest();
        }
    }

    public int documents() {
        return documents;
    }

    /** Drops what is too much. To be called once, at the end: the frequencies are no copy. */
    public Finished finish() {
        dropRarest();
        return new Finished(counts, errorMax);
    }

    private void dropRarest() {
        int rarest = 0;
        while (counts.size() > termsMax) {
            int dropped = ++rarest;
            counts.values().removeIf(count -> count <= dropped);
        }
        errorMax += rarest;
    }
}
