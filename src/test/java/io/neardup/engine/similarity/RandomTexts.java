package io.neardup.engine.similarity;

import io.neardup.engine.text.NormalizedText;
import java.util.SplittableRandom;
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
        SplittableRandom random = new SplittableRandom(length);
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }

    /** The share of the values of two signatures that agree. */
    static double estimate(int[] a, int[] b) {
        return IntStream.range(0, a.length).filter(i -> a[i] == b[i]).count() / (double) a.length;
    }
}
