package io.neardup.text;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;

/**
 * The form of a text in which documents are compared: Unicode NFC, then lower case (root locale), then each run of white
 * space one space and none at the ends. White space is what {@link Character#isWhitespace(int)} or
 * {@link Character#isSpaceChar(int)} says, so no-break and ideographic spaces count.
 *
 * <p>A text of white space alone becomes the empty string. The result depends on the Unicode version of the JDK for
 * characters assigned since: two JDKs agree on every character that both know.
 */
public final class CanonicalText {
    /** Version of the algorithm; an index built with another cannot be compared with. */
    public static final int VERSION = 1;

    private static final int ASCII_END = 0x80;
    /** Every character below is in NFC whatever surrounds it (UAX #15, quick check). */
    private static final int COMPOSED_END = 0x300;

    private static final byte[] ASCII = asciiForms();

    private CanonicalText() {}

    /**
     * The canonical form of a text.
     *
     * @param raw any string; an unpaired surrogate stays as it is
     */
    public static String of(String raw) {
        char[] chars = raw.toCharArray();
        int bits = 0;
        for (char c : chars) {
            bits |= c;
        }
        if (bits < ASCII_END) {
            return ofAscii(chars);
        }
        String composed = bits < COMPOSED_END ? raw : Normalizer.normalize(raw, Normalizer.Form.NFC);
        return collapse(composed.toLowerCase(Locale.ROOT).toCharArray());
    }

    /** One pass without a branch on the text: what follows a space overwrites the spaces that repeat it. */
    private static String ofAscii(char[] chars) {
        byte[] out = new byte[chars.length];
        int length = 0;
        int afterSpace = 1;
        for (char c : chars) {
            byte form = ASCII[c];
            out[length] = form;
            int space = form == ' ' ? 1 : 0;
            length += 1 - (space & afterSpace);
            afterSpace = space;
        }
        if (length > 0 && out[length - 1] == ' ') {
            length--;
        }
        return new String(out, 0, length, StandardCharsets.ISO_8859_1);
    }

    /** Works on chars, not code points: no white space lies beyond the basic plane. */
    private static String collapse(char[] chars) {
        int length = 0;
        boolean afterSpace = true;
        for (char c : chars) {
            boolean space = isSpace(c);
            if (!space) {
                chars[length++] = c;
            } else if (!afterSpace) {
                chars[length++] = ' ';
            }
            afterSpace = space;
        }
        if (length > 0 && afterSpace) {
            length--;
        }
        return new String(chars, 0, length);
    }

    private static boolean isSpace(char c) {
        return c < ASCII_END ? ASCII[c] == ' ' : Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    private static byte[] asciiForms() {
        byte[] forms = new byte[ASCII_END];
        for (int c = 0; c < forms.length; c++) {
            forms[c] = (byte) (Character.isWhitespace(c) ? ' ' : Character.toLowerCase(c));
        }
        return forms;
    }
}
