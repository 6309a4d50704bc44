package io.neardup.record;

import io.neardup.record.Rejection.RejectedException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A document as its producer wrote it.
 *
 * @param id 1 to {@value #ID_BYTES_MAX} bytes as UTF-8
 * @param text the raw text, not normalized; it has a code point that is not white space
 * @param scope where {@code neardup.scope} is set, only documents of equal scope are compared, else it does not count;
 *     empty for those without one
 */
public record Document(String id, RawText text, String scope) implements DocumentReader.Result {

    /** The longest id: ids travel in headers and stay in state, one for each document. */
    static final int ID_BYTES_MAX = 512;

    private static final int UTF8_BYTES_PER_CHAR_MAX = 3;

    /** The id and the length only, never document text. */
    @Override
    public String toString() {
        return "Document(" + id + ", " + text + ")";
    }

    /**
     * The document.
     *
     * @param scope null for none
     * @param place of the text, for messages
     * @throws RejectedException if there is nothing to compare
     */
    static Document of(String id, RawText text, @Nullable String scope, Supplier<String> place)
            throws RejectedException {
        if (text.isBlank()) {
            int length = text.decode().length();
            throw new RejectedException(
                    Reason.BLANK_TEXT,
                    "expected text at " + place.get() + ", found "
                            + (length == 0 ? "an empty string" : "only white space, " + length + " characters"));
        }
        return new Document(id, text, scope == null ? "" : scope);
    }

    /**
     * Which id a document has: its own, else the record's key, else the record's place.
     *
     * @param own the id in the document; null or empty where it has none
     */
    static String idOf(@Nullable String own, InputRecord record) {
        if (own != null && !own.isEmpty()) {
            return own;
        }
        byte[] key = record.key();
        boolean usable = key != null && key.length > 0 && RawText.firstMalformed(key) < 0;
        return usable ? new String(key, StandardCharsets.UTF_8) : record.place();
    }

    static void requireIdFits(String id) throws RejectedException {
        if (isTooLong(id)) {
            throw new RejectedException(
                    Reason.ID_TOO_LONG, "expected an id of at most " + ID_BYTES_MAX + " bytes, found " + bytes(id));
        }
    }

    /** The id if a header can carry it unchanged, else null. */
    static @Nullable String carriedId(@Nullable String id) {
        boolean isCarried = id != null
                && !id.isEmpty()
                && !isTooLong(id)
                && StandardCharsets.UTF_8.newEncoder().canEncode(id);
        return isCarried ? id : null;
    }

    private static boolean isTooLong(String id) {
        return id.length() > ID_BYTES_MAX / UTF8_BYTES_PER_CHAR_MAX && bytes(id) > ID_BYTES_MAX;
    }

    private static int bytes(String id) {
        return id.getBytes(StandardCharsets.UTF_8).length;
    }
}
