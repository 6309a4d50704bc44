package io.neardup.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Invented news in sentences and paragraphs: few words often and many seldom, capitals, figures, quotations, and in one text of
 * four a few letters and quotation marks beyond ASCII. The same seed gives the same news.
 */
final class News {
    private static final int VOCABULARY = 20_000;
    private static final int PLAIN_WORDS = VOCABULARY - 100;
    private static final int PARAGRAPH = 5;
    private static final String[] BEYOND_ASCII = {"café", "Zürich", "São", "—", "’tis", "“so”", "naïve", "José"};

    private final SplittableRandom random;
    private final List<String> words = new ArrayList<>();

    News(long seed) {
        random = new SplittableRandom(seed);
        while (words.size() < VOCABULARY) {
            words.add(word());
        }
    }

    /** A text of at least so many characters, and few more. */
    String text(int length) {
        boolean plain = random.nextInt(4) > 0;
        StringBuilder text = new StringBuilder(length + 256);
        for (int sentence = 1; text.length() < length; sentence++) {
            appendSentence(text, plain);
            text.append(sentence % PARAGRAPH == 0 ? "\n" : " ");
        }
        return text.toString();
    }

    /** The text with a word in so many exchanged for another one. */
    String edited(String text, int oneIn) {
        String[] parts = text.split(" ", -1);
        for (int i = 0; i < parts.length; i++) {
            parts[i] = random.nextInt(oneIn) == 0 ? words.get(random.nextInt(VOCABULARY)) : parts[i];
        }
        return String.join(" ", parts);
    }

    /** A document as a crawler writes it. */
    byte[] json(String text) {
        String escaped = text.replace("\"", "\\\"").replace("\n", "\\n");
        String id = Long.toHexString(random.nextLong());
        return ("{\"id\":\"" + id + "\",\"url\":\"https://news.example/2026/" + id + "\",\"lang\":\"en\",\"fetched\":17672256"
                        + random.nextInt(10, 99) + ",\"text\":\"" + escaped + "\"}")
                .getBytes(UTF_8);
    }

    private void appendSentence(StringBuilder text, boolean plain) {
        int length = 6 + random.nextInt(20);
        boolean quoted = random.nextInt(8) == 0;
        text.append(quoted ? "\"" : "");
        for (int i = 0; i < length; i++) {
            String word = next(plain);
            boolean capital = i == 0 || random.nextInt(15) == 0;
            text.append(capital ? Character.toUpperCase(word.charAt(0)) + word.substring(1) : word);
            text.append(i == length - 1 ? "." : random.nextInt(12) == 0 ? ", " : " ");
        }
        text.append(quoted ? "\"" : "");
    }

    private String next(boolean plain) {
        if (random.nextInt(40) == 0) {
            return String.valueOf(random.nextInt(3_000));
        }
        if (!plain && random.nextInt(50) == 0) {
            return BEYOND_ASCII[random.nextInt(BEYOND_ASCII.length)];
        }
        double share = random.nextDouble();
        return words.get((int) (PLAIN_WORDS * share * share * share));
    }

    private String word() {
        StringBuilder word = new StringBuilder();
        for (int syllables = 1 + random.nextInt(4); syllables > 0; syllables--) {
            word.append("bcdfghjklmnprstvwz".charAt(random.nextInt(18)));
            word.append("aeiou".charAt(random.nextInt(5)));
            word.append(random.nextInt(3) == 0 ? "nrstl".charAt(random.nextInt(5)) : "");
        }
        return word.toString();
    }
}
