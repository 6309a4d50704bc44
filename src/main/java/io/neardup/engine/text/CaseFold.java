package io.neardup.engine.text;

/**
 * Code points without the case of letters: two have the same form if {@link String#equalsIgnoreCase} takes them for
 * equal.
 */
final class CaseFold {
    /** The basic plane by table: without it a letter costs two look-ups in the JDK's tables. */
    private static final char[] BASIC_PLANE = new char[0x10000];

    static {
        for (int c = 0; c < BASIC_PLANE.length; c++) {
            BASIC_PLANE[c] = (char) find(c);
        }
    }

    private CaseFold() {}

    static int of(int codePoint) {
        return codePoint < BASIC_PLANE.length ? BASIC_PLANE[codePoint] : find(codePoint);
    }

    private static int find(int codePoint) {
        return Character.toLowerCase(Character.toUpperCase(codePoint));
    }
}
