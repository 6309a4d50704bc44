package io.neardup.text;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the shingles of a text are: its canonical form, and how that is cut.
 *
 * @param spec as {@link Shingler#of} reads it
 */
public record Shingling(LetterCase letterCase, String spec) {

    /** A shingler for one thread. */
    public Shingler shingler(long seed) {
        return Shingler.of(spec, seed);
    }

    /** A buffer for canonical texts, for one thread. */
    public CanonicalBuffer canonicalBuffer() {
        return new CanonicalBuffer(letterCase);
    }

    /** Everything that shapes the shingles apart from the seed, by name. */
    public Map<String, String> identity() {
        Map<String, String> identity = new LinkedHashMap<>();
        identity.put("canonical-text.version", String.valueOf(CanonicalText.VERSION));
        identity.put("text.case", letterCase.toString());
        identity.put("shingle", spec);
        int version = spec.startsWith("char") ? CharShingler.VERSION : WordShingler.VERSION;
        identity.put("shingler.version", String.valueOf(version));
        return identity;
    }
}
