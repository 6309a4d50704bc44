package io.neardup.tools.analysis;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Documents of words that are the rarer the longer the list that they are taken from. */
final class Generated {
    private static final int WORDS = 120;
    private static final int VOCABULARY = 2_000;

    private Generated() {}

    /** Normalized texts of words with a space between. */
    static List<String> documents(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return Stream.generate(() -> document(random)).limit(count).toList();
    }

    private static String document(SplittableRandom random) {
        return Stream.generate(() -> word((int) (VOCABULARY * Math.pow(random.nextDouble(), 3))))
                .limit(WORDS)
                .collect(Collectors.joining(" "));
    }

    private static String word(int rank) {
        return Long.toString(rank * 7_919L + 46_656, 36);
    }
}
