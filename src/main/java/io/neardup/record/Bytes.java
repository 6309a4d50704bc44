package io.neardup.record;

import org.jspecify.annotations.Nullable;

/** Shows bytes to people by their number, never by their content. */
final class Bytes {
    private Bytes() {}

    static String size(byte @Nullable [] bytes) {
        return bytes == null ? "null" : bytes.length + " bytes";
    }
}
