package io.neardup.engine.similarity;

import io.neardup.engine.text.NormalizedText;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Texts for judges, in normalized form. */
final class RandomTexts {
    private RandomTexts() {}

    static String randomText(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(120);
        for (int i = 0; i < length; i++) {
            text.appendCodePoint("ab c\u00E9\u65B0\u3042.".codePointAt(random.nextInt(8)));
        }
        return NormalizedText.of(text.toString());
    }

    static String edited(String text, SplittableRandom random) {
        int cut = random.nextInt(text.length() + 1);
        return NormalizedText.of(text.substring(0, cut) + "!" + text.substring(Math.min(text.length(), cut + 2)));
    }

    static String bigText(int length) {
        return bigText(length, new SplittableRandom(length));
    }

    /** Of small letters. */
    static String bigText(int length, SplittableRandom random) {
        return random.ints(length, 'a', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** The share of the values of two signatures that agree. */
    static double estimate(int[] a, int[] b) {
        return IntStream.range(0, a.length).filter(i -> a[i] == b[i]).count() / (double) a.length;
    }

    /** Words of a to p, the first ones of a vocabulary of 2,000 more often than others. */
    static String words(SplittableRandom random, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> word((int) (2_000 * Math.pow(random.nextDouble(), 3))))
                .collect(Collectors.joining(" "));
    }

    private static String word(int number) {
        return Integer.toHexString((number + 1) * 0x9E3779B1)
                .chars()
                .mapToObj(digit -> Character.toString('a' + Character.digit(digit, 16)))
                .collect(Collectors.joining());
    }
}
