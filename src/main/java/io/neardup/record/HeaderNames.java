package io.neardup.record;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The headers that id and scope come in. Of a repeated header the last counts. Missing, null and empty ones are as
 * where the value has none.
 *
 * @param id null where the id is not in a header
 * @param scope null where the scope is not in a header
 */
public record HeaderNames(@Nullable String id, @Nullable String scope) {
    /** What a setting begins with that names a header. */
    public static final String PREFIX = "header:";

    /** Neither is in a header. */
    public static final HeaderNames NONE = new HeaderNames(null, null);

    // Not the compact form: javac 17 leaves its parameters' annotations out of the class file, so null would be
    // refused.
    public HeaderNames(@Nullable String id, @Nullable String scope) {
        this.id = id;
        this.scope = scope;
    }

    /** The name of the header where a place is one, else null. */
    static @Nullable String name(@Nullable String place) {
        return place != null && place.startsWith(PREFIX) ? place.substring(PREFIX.length()) : null;
    }

    /** Null where there is none. */
    @Nullable
    String idOf(InputRecord record) throws RejectedException {
        return text(id, record, Reason.ID_NOT_TEXT);
    }

    /** Null where there is none. */
    @Nullable
    String scopeOf(InputRecord record) throws RejectedException {
        return text(scope, record, Reason.SCOPE_NOT_TEXT);
    }

    private static @Nullable String text(@Nullable String name, InputRecord record, Reason reason)
            throws RejectedException {
        byte[] value = name == null ? null : last(name, record);
        if (value == null || value.length == 0) {
            return null;
        }
        int malformed = StrictUtf8.firstMalformed(value);
        if (malformed >= 0) {
            throw new RejectedException(
                    reason,
                    "expected UTF-8 (RFC 3629) in the header %s, found 0x%02X at byte %d"
                            .formatted(name, value[malformed], malformed));
        }
        return new String(value, StandardCharsets.UTF_8);
    }

    private static byte @Nullable [] last(String name, InputRecord record) {
        byte[] found = null;
        for (RecordHeader header : record.headers()) {
            if (header.name().equals(name)) {
                found = header.value();
            }
        }
        return found;
    }
}
