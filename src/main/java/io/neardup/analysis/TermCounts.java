package io.neardup.analysis;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;

/**
 * Counts in how many documents each term occurs, in bounded memory (Manku and Motwani 2002, lossy counting, by size instead of by
 * windows). When twice as many terms are held as may be kept, the rarest are dropped: those of one document first, then those of
 * two, and so on. A dropped term that comes again begins anew, so that its count is too low by at most {@link #errorMax}. Not
 * thread-safe.
 */
public final class TermCounts {
    /** Longer terms are no words; they would take the memory of many. */
    static final int TERM_LENGTH_MAX = 200;

    private final int termsMax;
    private final Map<String, Integer> counts = new HashMap<>();
    private int documents;
    private int errorMax;
    private long dropped;

    /**
     * Nothing counted yet.
     *
     * @param termsMax kept in the end, at least 1
     */
    public TermCounts(int termsMax) {
        this.termsMax = termsMax;
    }

    /** Counts a document with its terms, repeats included; terms with control characters and overlong ones are left out. */
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

    /** Documents counted. */
    public int documents() {
        return documents;
    }

    /** The documents of each term, of no more terms than may be kept; not a copy. */
    public Map<String, Integer> frequencies() {
        dropRarest();
        return Collections.unmodifiableMap(counts);
    }

    /** By how much a count may be too low. */
    public int errorMax() {
        return errorMax;
    }

    /** Terms dropped; one that came again counts again. */
    public long dropped() {
        return dropped;
    }

    private void dropRarest() {
        int rare = 0;
        while (counts.size() > termsMax) {
            rare++;
            int limit = rare;
            int before = counts.size();
            counts.values().removeIf(count -> count <= limit);
            dropped += before - counts.size();
        }
        errorMax += rare;
    }
}
