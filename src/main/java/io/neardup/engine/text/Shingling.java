package io.neardup.engine.text;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a text becomes shingles: its normalized form, and how that is cut.
 *
 * @param spec as {@link ShingleSpec} reads it
 * @param stopWords of no effect where shingles do not depend on them
 * @param shinglesMax how many a text may have, repeats and those that do not count included
 * @param boilerplate the shingles that do not count, cut in the same way; null where all count
 */
public record Shingling(
        LetterCase letterCase,
        String spec,
        StopWords stopWords,
        int shinglesMax,
        @Nullable BoilerplateShingles boilerplate) {

    /** @throws IllegalArgumentException when the boilerplate shingles are cut in another way */
    public Shingling {
        if (boilerplate != null) {
            boilerplate.requireCutBy(ShingleSpec.of(spec), letterCase, stopWords);
        }
    }

    /** All shingles count. */
    public Shingling(LetterCase letterCase, String spec, StopWords stopWords, int shinglesMax) {
        this(letterCase, spec, stopWords, shinglesMax, null);
    }

    /** With the stop words that come with the program, and any number of shingles, all of which count. */
    public Shingling(LetterCase letterCase, String spec) {
        this(letterCase, spec, StopWords.all(), Integer.MAX_VALUE);
    }

    /** The same without some shingles, which must be cut in the same way. */
    public Shingling without(BoilerplateShingles shingles) {
        return new Shingling(letterCase, spec, stopWords, shinglesMax, shingles);
    }

    /** The same with all shingles. */
    public Shingling whole() {
        return new Shingling(letterCase, spec, stopWords, shinglesMax);
    }

    /** A shingler of what counts, for one thread. Where not all count, those that do come in no particular order. */
    public Shingler shingler(long seed) {
        Shingler whole = Shingler.of(spec, stopWords, seed);
        if (boilerplate == null) {
            return whole;
        }
        BoilerplateFilter filter = boilerplate.filter(seed);
        return (normalized, length, into) -> {
            whole.shingle(normalized, length, into);
            filter.exclude(into);
        };
    }

    /** Finds the shingles that do not count among the hashes of a seed, for one thread; empty where all count. */
    public Optional<BoilerplateFilter> boilerplateFilter(long seed) {
        return Optional.ofNullable(boilerplate).map(shingles -> shingles.filter(seed));
    }

    /** A buffer for normalized texts, for one thread. */
    public NormalizedBuffer normalizedBuffer() {
        return new NormalizedBuffer(letterCase);
    }

    /** Everything that shapes the shingles apart from the seed, by name. */
    public Map<String, String> identity() {
        ShingleSpec parsed = ShingleSpec.of(spec);
        Map<String, String> identity = new LinkedHashMap<>();
        identity.put("normalized-text.version", String.valueOf(NormalizedText.VERSION));
        identity.put("text.case", letterCase.toString());
        identity.put("shingle", parsed.toString());
        identity.put("shingler.version", String.valueOf(parsed.version()));
        if (parsed.usesStopWords()) {
            identity.put("stopwords", stopWords.fingerprint());
        }
        if (boilerplate != null) {
            identity.put("boilerplate", boilerplate.fingerprint());
        }
        return identity;
    }
}
