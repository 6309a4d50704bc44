package io.neardup.engine.text;

import java.util.Arrays;

/** Shingles for tests: of hashes that are given, or of a text. */
public final class ShingleLists {
    private ShingleLists() {}

    public static Shingles of(long... hashes) {
        Shingles shingles = new Shingles();
        Arrays.stream(hashes).forEach(shingles::add);
        return shingles;
    }

    public static Shingles of(Shingler shingler, String text) {
        Shingles shingles = new Shingles();
        shingler.shingle(text, shingles);
        return shingles;
    }

    public static long[] hashes(Shingler shingler, String text) {
        Shingles shingles = of(shingler, text);
        return Arrays.copyOf(shingles.array(), shingles.size());
    }
}
