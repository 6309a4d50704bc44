package io.neardup.streams.topology;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.filter.FilteringParserDelegate;
import com.fasterxml.jackson.core.filter.JsonPointerBasedFilter;
import com.fasterxml.jackson.core.filter.TokenFilter.Inclusion;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where a document names its source. Read once, as the document arrives. */
final class SourcePointer {
    private static final int LENGTH_MAX = 100;
    private static final JsonFactory JSON = new JsonFactory();

    private final JsonPointer pointer;

    /** @param pointer a JSON pointer (RFC 6901) */
    SourcePointer(String pointer) {
        this.pointer = JsonPointer.compile(pointer);
    }

    /**
     * The source, cut to {@value #LENGTH_MAX} characters; empty where there is none, or it is no string and no integer.
     *
     * @param value of a record that was a document
     */
    Optional<String> in(byte @Nullable [] value) {
        if (value == null) {
            return Optional.empty();
        }
        try (JsonParser parser = new FilteringParserDelegate(
                JSON.createParser(value), new JsonPointerBasedFilter(pointer), Inclusion.ONLY_INCLUDE_ALL, false)) {
            JsonToken found = parser.nextToken();
            boolean name = found == JsonToken.VALUE_STRING || found == JsonToken.VALUE_NUMBER_INT;
            return name ? Optional.of(cut(parser.getText())) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // It was read once; what this reader takes for wrong has no name.
        }
    }

    private static String cut(String name) {
        return name.length() <= LENGTH_MAX ? name : name.substring(0, LENGTH_MAX);
    }
}
