package io.neardup.flood;

import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.util.Arrays;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Unlike texts that meet in chosen buckets, by one who knows the seed of the hashes: of many short strings those are
 * taken whose shingles are least in the bins of the signature that make the buckets up. Every text begins with these.
 */
final class CraftedTexts implements LongFunction<String> {
    private static final int TRIES = 4_000_000;
    private static final int WORDS = 290;
    private static final int WORD_LETTERS = 6;

    private final String prefix;

    /**
     * Searches some seconds.
     *
     * @param seed of the shingler {@code char:k}
     * @param values in a signature
     * @param wanted how many of them, from the first on, are to be the same in all texts
     */
    public CraftedTexts(long seed, int k, int values, int wanted) {
        Shingler shingler = Shingler.of("char:" + k, seed);
        Shingles shingles = new Shingles();
        String letters = letters(new Random(seed), TRIES);
        shingler.shingle(letters, shingles);
        long[] least = new long[values];
        int[] places = new int[values];
        Arrays.fill(least, Long.MAX_VALUE);
        for (int i = 0; i < shingles.size(); i++) {
            long hash = shingles.hash(i);
            int bin = (int) (((hash >>> 32) * values) >>> 32);
            if (hash < least[bin]) {
                least[bin] = hash;
                places[bin] = i;
            }
        }
        prefix = IntStream.range(0, wanted)
                .mapToObj(bin -> letters.substring(places[bin], places[bin] + k))
                .collect(Collectors.joining(" "));
    }

    /** Some 2 KB; texts of two numbers share nothing but their beginning. */
    @Override
    public String apply(long number) {
        Random random = new Random(number);
        return IntStream.range(0, WORDS)
                .mapToObj(i -> letters(random, WORD_LETTERS))
                .collect(Collectors.joining(" ", prefix + " ", ""));
    }

    private static String letters(Random random, int count) {
        return random.ints(count, 'a', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
