package io.neardup.engine.similarity;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Texts drawn at random. */
final class Texts {
    private static final int VOCABULARY = 2_000;

    private Texts() {}

    /** Words of a to p, the first ones of the vocabulary more often than others. */
    static String words(SplittableRandom random, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> word((int) (VOCABULARY * Math.pow(random.nextDouble(), 3))))
                .collect(Collectors.joining(" "));
    }

    /** The text with a new end, from a random place on. */
    static String edited(String text, SplittableRandom random) {
        String[] words = text.split(" ");
        int kept = random.nextInt(words.length);
        String beginning = String.join(" ", Arrays.asList(words).subList(0, kept));
        return (beginning + " " + words(random, words.length - kept)).strip();
    }

    private static String word(int number) {
        return Integer.toHexString((number + 1) * 0x9E3779B1)
                .chars()
                .mapToObj(digit -> Character.toString('a' + Character.digit(digit, 16)))
                .collect(Collectors.joining());
    }
}
