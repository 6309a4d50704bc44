package io.neardup.sources;

import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Shingles of texts as they stand: no normalized form is made. */
final class Shingled {
    static final long SEED = 0x5EED;

    private Shingled() {}

    /** In the order of the text, repeats included. */
    static Shingles all(String shingle, String text) {
        return all(shingle, SEED, text);
    }

    static Shingles all(String shingle, long seed, String text) {
        Shingles shingles = new Shingles();
        Shingler.of(shingle, seed).shingle(text, shingles);
        return shingles;
    }

    static ShingleSet set(String shingle, String text) {
        return ShingleSet.of(all(shingle, text));
    }

    static double jaccard(String shingle, String a, String b) {
        return set(shingle, a).jaccard(set(shingle, b));
    }

    static List<Long> hashes(String shingle, String text) {
        return hashes(all(shingle, text));
    }

    static List<Long> hashes(Shingles shingles) {
        return Arrays.stream(shingles.array(), 0, shingles.size()).boxed().collect(Collectors.toList());
    }

    /** The one hash of a text that is no longer than a shingle; an underscore is a space. */
    static long hash(String shingle, String printed) {
        return all(shingle, printed.replace('_', ' ')).hash(0);
    }
}
