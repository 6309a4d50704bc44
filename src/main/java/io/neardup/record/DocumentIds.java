package io.neardup.record;

import io.neardup.record.Rejection.RejectedException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Which id a document has: its own, else the record's key, else the record's place. */
final class DocumentIds {
    /** The longest id: ids travel in headers and stay in state, one for each document. */
    static final int BYTES_MAX = 512;

    private static final int UTF8_BYTES_PER_CHAR_MAX = 3;

    private DocumentIds() {}

    /** @param own the id in the document; null or empty where it has none */
    static String resolve(@Nullable String own, InputRecord record) {
        if (own != null && !own.isEmpty()) {
            return own;
        }
        byte[] key = record.key();
        boolean usable = key != null && key.length > 0 && RawText.firstMalformed(key) < 0;
        return usable ? new String(key, StandardCharsets.UTF_8) : record.place();
    }

    static void requireFits(String id) throws RejectedException {
        if (isTooLong(id)) {
            throw new RejectedException(
                    Reason.ID_TOO_LONG, "expected an id of at most " + BYTES_MAX + " bytes, found " + bytes(id));
        }
    }

    /** The id if a header can carry it unchanged, else null. */
    static @Nullable String carried(@Nullable String id) {
        return id == null || id.isEmpty() || isTooLong(id) || hasLoneSurrogate(id) ? null : id;
    }

    private static boolean isTooLong(String id) {
        return id.length() > BYTES_MAX / UTF8_BYTES_PER_CHAR_MAX && bytes(id) > BYTES_MAX;
    }

    private static int bytes(String id) {
        return id.getBytes(StandardCharsets.UTF_8).length;
    }

    private static boolean hasLoneSurrogate(String id) {
        return id.codePoints().anyMatch(codePoint -> codePoint <= 0xFFFF && Character.isSurrogate((char) codePoint));
    }
}
