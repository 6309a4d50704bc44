package io.neardup.engine.text;

import java.text.Normalizer;
import java.util.Locale;

/**
 * The form of a text in which documents are compared: Unicode NFC, then lower case (root locale), then each run of
 * white space one space and none at the ends. White space is what {@link Character#isWhitespace(int)} or
 * {@link Character#isSpaceChar(int)} says, so no-break and ideographic spaces count.
 *
 * <p>Two deviations keep the time linear in the length on hostile texts. A text with more than 256 chars of combining
 * marks in a row, which no script needs, is taken as it is instead of in NFC. In a text with thousands of capital
 * sigmas in long stretches without white space, or one between thousands of letters that have no capitals, no sigma
 * takes the form of the end of a word.
 *
 * <p>A text of white space alone becomes the empty string. The result depends on the Unicode version of the JDK for
 * characters assigned since: two JDKs agree on every character that both know.
 */
public final class NormalizedText {
    /** Version of the algorithm; an index built with another cannot be compared with. */
    public static final int VERSION = 1;

    /** Every character below is in NFC whatever surrounds it (UAX #15, quick check). */
    private static final int COMPOSED_END = 0x300;

    /** Chars of marks in a row that are still put in order: the JDK sorts them in quadratic time, 1 s for 80 KB. */
    private static final int MARKS_MAX = 256;

    /** Vowel signs of Kirat Rai, which are letters but compose as marks do: from JDK 25 on in quadratic time. */
    private static final int KIRAT_RAI_VOWELS = 0x16D63;

    private static final int KIRAT_RAI_VOWELS_END = 0x16D6B;

    /**
     * The only character whose small letter takes more chars. At each of them the JDK copies all of the text before it:
     * 100,000 take it 2 s.
     */
    private static final String CAPITAL_DOTTED_I = "\u0130";

    private static final String SMALL_DOTTED_I = "i\u0307";

    static final char CAPITAL_SIGMA = '\u03A3';
    private static final char SMALL_SIGMA = '\u03C3';
    /**
     * The JDK looks for the end of the word anew at each capital sigma, and 80 KB of them hold it for half a minute. It
     * does so again at each char between the sigma and the nearest letter with a capital, on either side. A step is one
     * char that it may look at, about 20 ns. A text may cost this many steps, and {@link #SIGMA_STEPS_MAX} more for
     * each of its chars.
     */
    private static final int SIGMA_STEPS_FREE = 1 << 20;

    private static final int SIGMA_STEPS_MAX = 64;

    private NormalizedText() {}

    /**
     * The normalized form of a text, in small letters.
     *
     * @param raw any string; an unpaired surrogate stays as it is
     */
    public static String of(String raw) {
        return of(raw, LetterCase.LOWER);
    }

    /** The normalized form of a text. */
    public static String of(String raw, LetterCase letterCase) {
        String composed = isComposed(raw) ? raw : composed(raw);
        String cased = letterCase == LetterCase.LOWER ? lowered(composed) : composed;
        return collapse(cased.toCharArray());
    }

    private static boolean isComposed(String raw) {
        for (int i = 0; i < raw.length(); i++) {
            if (raw.charAt(i) >= COMPOSED_END) {
                return false;
            }
        }
        return true;
    }

    private static String composed(String raw) {
        if (hasLongMarkRun(raw) || Normalizer.isNormalized(raw, Normalizer.Form.NFC)) {
            return raw;
        }
        return Normalizer.normalize(raw, Normalizer.Form.NFC);
    }

    /** Looks only at every 256th char: a longer run covers at least one of them. */
    private static boolean hasLongMarkRun(String text) {
        for (int at = MARKS_MAX; at < text.length(); at += MARKS_MAX) {
            if (markRunAround(text, at) > MARKS_MAX) {
                return true;
            }
        }
        return false;
    }

    private static int markRunAround(String text, int at) {
        int from = Character.isLowSurrogate(text.charAt(at)) ? at - 1 : at;
        int start = from;
        while (start > 0 && isCombining(text.codePointBefore(start))) {
            start = text.offsetByCodePoints(start, -1);
        }
        int end = from;
        while (end < text.length() && isCombining(text.codePointAt(end))) {
            end = text.offsetByCodePoints(end, 1);
        }
        return end - start;
    }

    private static boolean isCombining(int codePoint) {
        return TokenChars.isMark(codePoint) || (codePoint >= KIRAT_RAI_VOWELS && codePoint < KIRAT_RAI_VOWELS_END);
    }

    private static String lowered(String composed) {
        String text =
                composed.indexOf(CAPITAL_DOTTED_I) < 0 ? composed : composed.replace(CAPITAL_DOTTED_I, SMALL_DOTTED_I);
        boolean costly = text.indexOf(CAPITAL_SIGMA) >= 0 && hasCostlySigmas(text);
        return (costly ? text.replace(CAPITAL_SIGMA, SMALL_SIGMA) : text).toLowerCase(Locale.ROOT);
    }

    private static boolean hasCostlySigmas(String text) {
        long steps = 0;
        long looks = 0;
        int run = 0;
        int uncased = 0;
        boolean isBehindSigma = false;
        for (int i = 0; i <= text.length(); i++) {
            char c = i == text.length() ? ' ' : text.charAt(i);
            uncased++;
            if (c <= ' ' || isCased(c)) {
                looks += (isBehindSigma ? uncased - 1 : 0) + (c == CAPITAL_SIGMA ? uncased : 0);
                isBehindSigma = c == CAPITAL_SIGMA;
                uncased = 0;
            }
            if (c <= ' ') {
                steps += looks * run;
                looks = 0;
                run = 0;
            } else {
                run++;
            }
        }
        return steps > SIGMA_STEPS_FREE + (long) text.length() * SIGMA_STEPS_MAX;
    }

    /** At each of these the JDK ends its search, whatever else it takes for cased. */
    private static boolean isCased(char c) {
        int type = Character.getType(c);
        return type == Character.UPPERCASE_LETTER
                || type == Character.LOWERCASE_LETTER
                || type == Character.TITLECASE_LETTER;
    }

    /**
     * Works on chars, not code points: no white space lies beyond the basic plane. Without a branch on the text: what
     * follows a space overwrites the spaces that repeat it.
     */
    private static String collapse(char[] chars) {
        int length = 0;
        int afterSpace = 1;
        for (char c : chars) {
            char form = spaced(c);
            chars[length] = form;
            int space = spaceBit(form);
            length += 1 - (space & afterSpace);
            afterSpace = space;
        }
        if (length > 0 && chars[length - 1] == ' ') {
            length--;
        }
        return new String(chars, 0, length);
    }

    /** The char, or a space for white space of any kind. */
    static char spaced(char c) {
        if (c > ' ' && c < '\u007F') {
            return c;
        }
        return Character.isWhitespace(c) || Character.isSpaceChar(c) ? ' ' : c;
    }

    /** 1 for the space, else 0; a comparison would become a branch that is mispredicted at every word. */
    private static int spaceBit(int c) {
        return ((c ^ ' ') - 1) >>> 31;
    }
}
