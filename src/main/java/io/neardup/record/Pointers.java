package io.neardup.record;

import io.neardup.record.Rejection.RejectedException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where in a JSON object its id, texts and scope are, as JSON pointers (RFC 6901). Id and scope may be in a header of
 * the record instead: {@value #HEADER} and its name. Of a repeated header the last counts; missing, null and empty ones
 * are as where the value has none.
 *
 * @param id a string or an integer. Where it is missing, null or empty, the record's key is the id if it is UTF-8 and
 *     not empty, else {@code topic-partition-offset}
 * @param texts one or more different ones. Missing ones and nulls are skipped as long as there is one; several are
 *     joined by a line feed, in this order
 * @param scope a string or an integer; missing, null and empty are one scope. Null where there are no scopes
 */
public record Pointers(
        String id, List<String> texts, @Nullable String scope) {
    /** What a place begins with that is a header. */
    public static final String HEADER = "header:";

    private static final Pattern NO_ESCAPE = Pattern.compile("~(?![01])");

    // Not the compact form: javac 17 leaves its parameters' annotations out of the class file, so null would be
    // refused.
    public Pointers(String id, List<String> texts, @Nullable String scope) {
        if (texts.isEmpty() || new HashSet<>(texts).size() < texts.size()) {
            throw new IllegalArgumentException("expected one or more different text pointers, found " + texts);
        }
        this.id = id;
        this.texts = List.copyOf(texts);
        this.scope = scope;
    }

    /** Whether it is a JSON pointer into an object: not the empty one, of the whole document. */
    public static boolean isPointer(String text) {
        return text.startsWith("/") && !NO_ESCAPE.matcher(text).find();
    }

    /** The name of the header that the id is in; null where it is in the value. */
    public @Nullable String idHeader() {
        return header(id);
    }

    /** The name of the header that the scope is in; null where it is in the value, or there are no scopes. */
    public @Nullable String scopeHeader() {
        return header(scope);
    }

    static @Nullable String header(@Nullable String place) {
        return place != null && place.startsWith(HEADER) ? place.substring(HEADER.length()) : null;
    }

    /** What the header of the id says; null where there is none. */
    @Nullable
    String idInHeader(InputRecord record) throws RejectedException {
        return text(idHeader(), record, Reason.ID_NOT_TEXT);
    }

    /** What the header of the scope says; null where there is none. */
    @Nullable
    String scopeInHeader(InputRecord record) throws RejectedException {
        return text(scopeHeader(), record, Reason.SCOPE_NOT_TEXT);
    }

    private static @Nullable String text(@Nullable String name, InputRecord record, Reason reason)
            throws RejectedException {
        byte[] value = name == null ? null : record.lastHeader(name);
        if (value == null || value.length == 0) {
            return null;
        }
        RawText.requireUtf8(value, reason, " in the header " + name);
        return new String(value, StandardCharsets.UTF_8);
    }
}
