package io.neardup.text;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a text becomes shingles: its canonical form, and how that is cut.
 *
 * @param spec as {@link ShingleSpec} reads it
 * @param stopWords of no effect where shingles do not depend on them
 * @param shinglesMax how many a text may have, repeats included
 */
public record Shingling(LetterCase letterCase, String spec, StopWords stopWords, int shinglesMax) {

    /** With the stop words that come with the program, and any number of shingles. */
    public Shingling(LetterCase letterCase, String spec) {
        this(letterCase, spec, StopWords.all(), Integer.MAX_VALUE);
    }

    /** A shingler for one thread. */
    public Shingler shingler(long seed) {
        return Shingler.of(spec, stopWords, seed);
    }

    /** A buffer for canonical texts, for one thread. */
    public CanonicalBuffer canonicalBuffer() {
        return new CanonicalBuffer(letterCase);
    }

    /** Everything that shapes the shingles apart from the seed, by name. */
    public Map<String, String> identity() {
        ShingleSpec parsed = ShingleSpec.of(spec);
        Map<String, String> identity = new LinkedHashMap<>();
        identity.put("canonical-text.version", String.valueOf(CanonicalText.VERSION));
        identity.put("text.case", letterCase.toString());
        identity.put("shingle", parsed.toString());
        identity.put("shingler.version", String.valueOf(parsed.version()));
        if (parsed.usesStopWords()) {
            identity.put("stopwords", stopWords.fingerprint());
        }
        return identity;
    }
}
