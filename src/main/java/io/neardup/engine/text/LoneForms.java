package io.neardup.engine.text;

import java.text.Normalizer;

/**
 * The normalized forms of those characters whose form does not depend on what surrounds them. Such a character is in
 * NFC, never joins the one before it, never moves among marks, and has one single character as its lower case. Not
 * among them are marks, the vowels and final consonants of Hangul, capital sigma, dotted capital I, and all beyond the
 * basic plane.
 */
final class LoneForms {
    static final char NONE = 0xFFFF;

    private static final char HANGUL_JAMO = 0x1100;
    private static final char HANGUL_JAMO_END = 0x1200;
    private static final char[] FORMS = new char[0x10000];

    static {
        for (int c = 0; c < FORMS.length; c++) {
            FORMS[c] = isAlone((char) c) ? NormalizedText.spaced(Character.toLowerCase((char) c)) : NONE;
        }
    }

    private LoneForms() {}

    /** The form of a code point in small letters, a space for white space of any kind, or {@link #NONE}. */
    static char of(int codePoint) {
        return codePoint < FORMS.length ? FORMS[codePoint] : NONE;
    }

    /** As {@link #of(int)}, or with the case of letters kept. */
    static char of(int codePoint, LetterCase letterCase) {
        char form = of(codePoint);
        return letterCase == LetterCase.LOWER || form == NONE ? form : NormalizedText.spaced((char) codePoint);
    }

    private static boolean isAlone(char c) {
        boolean joins = TokenChars.isMark(c) || (c >= HANGUL_JAMO && c < HANGUL_JAMO_END);
        boolean lowersByContext = c == NormalizedText.CAPITAL_SIGMA || c == '\u0130';
        return c != NONE
                && !Character.isSurrogate(c)
                && !joins
                && !lowersByContext
                && Normalizer.isNormalized(String.valueOf(c), Normalizer.Form.NFC);
    }
}
