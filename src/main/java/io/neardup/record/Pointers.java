package io.neardup.record;

import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where in a JSON object its id, texts and scope are, as JSON pointers (RFC 6901). Id and scope may be in a header of
 * the record instead: {@value HeaderNames#PREFIX} and its name.
 *
 * @param id a string or an integer. Where it is missing, null or empty, the record's key is the id if it is UTF-8 and
 *     not empty, else {@code topic-partition-offset}
 * @param texts one or more different ones. Missing ones and nulls are skipped as long as there is one; several are
 *     joined by a line feed, in this order
 * @param scope a string or an integer; missing, null and empty are one scope. Null where there are no scopes
 */
public record Pointers(
        String id, List<String> texts, @Nullable String scope) {

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

    /** Those of id and scope that are in headers. */
    public HeaderNames headers() {
        return new HeaderNames(HeaderNames.name(id), HeaderNames.name(scope));
    }

    /** Without scopes. */
    public Pointers(String id, List<String> texts) {
        this(id, texts, null);
    }
}
