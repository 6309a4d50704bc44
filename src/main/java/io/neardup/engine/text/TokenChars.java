package io.neardup.engine.text;

import java.lang.Character.UnicodeScript;

/** What a code point does to a token: stands between tokens, is part of one, or is one alone. */
public final class TokenChars {
    static final byte BETWEEN = 0;
    static final byte PART = 1;
    static final byte ALONE = 2;

    /** The basic plane by table: asking for the script of a character costs a binary search. */
    private static final byte[] BASIC_PLANE = new byte[0x10000];

    static {
        for (int c = 0; c < BASIC_PLANE.length; c++) {
            BASIC_PLANE[c] = find(c);
        }
    }

    private TokenChars() {}

    /** Whether it is a token of its own: an ideograph, or a character of hiragana, katakana or Thai. */
    public static boolean isAlone(int codePoint) {
        return typeOf(codePoint) == ALONE;
    }

    static byte typeOf(int codePoint) {
        return codePoint < BASIC_PLANE.length ? BASIC_PLANE[codePoint] : find(codePoint);
    }

    private static byte find(int codePoint) {
        if (isOfScriptWithoutSpaces(codePoint)) {
            return ALONE;
        }
        return Character.isLetterOrDigit(codePoint) || isMark(codePoint) ? PART : BETWEEN;
    }

    private static boolean isOfScriptWithoutSpaces(int codePoint) {
        UnicodeScript script = UnicodeScript.of(codePoint);
        return Character.isIdeographic(codePoint)
                || script == UnicodeScript.HIRAGANA
                || script == UnicodeScript.KATAKANA
                || script == UnicodeScript.THAI;
    }

    static boolean isMark(int codePoint) {
        int type = Character.getType(codePoint);
        return type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.ENCLOSING_MARK;
    }
}
