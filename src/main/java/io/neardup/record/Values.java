package io.neardup.record;

import org.jspecify.annotations.Nullable;

/** Checks of every value, whatever its format. */
final class Values {
    private Values() {}

    static Rejection missing(@Nullable String id) {
        return new Rejection(Reason.NULL_VALUE, "expected a value, found none", id);
    }

    /** Returns why the bytes cannot be read as text, or null if they can. */
    static @Nullable Rejection check(byte[] value, int bytesMax, @Nullable String id) {
        if (value.length > bytesMax) {
            String detail = "expected a value of at most " + bytesMax + " bytes, found " + value.length;
            return new Rejection(Reason.TOO_LARGE, detail, id);
        }
        int malformed = StrictUtf8.firstMalformed(value);
        if (malformed >= 0) {
            String detail = "expected UTF-8 (RFC 3629), found 0x%02X at byte %d".formatted(value[malformed], malformed);
            return new Rejection(Reason.NOT_UTF8, detail, id);
        }
        return null;
    }

    /** The document, or its rejection where there is nothing to compare. */
    static ReadResult document(String id, RawText text, String scope, String where) {
        if (text.isBlank()) {
            String detail = "expected text at " + where + ", found only white space, "
                    + text.decode().length() + " characters";
            return new Rejection(Reason.BLANK_TEXT, detail, id);
        }
        return new Document(id, text, scope);
    }
}
