package io.neardup.record;

import static java.nio.charset.StandardCharsets.UTF_8;

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

/** Where a record names its source: a place in its JSON object, or a header. Safe for use by several threads. */
public final class SourcePointer {
    /** The longest source, in chars. */
    public static final int LENGTH_MAX = 100;

    private static final JsonFactory JSON = new JsonFactory();

    private final @Nullable String header;
    private final JsonPointer pointer;
    private final @Nullable AvroValues avro;
    private final PointerTree tree;

    /**
     * @param place a JSON pointer (RFC 6901), or {@value Pointers#HEADER} and the name of a header
     * @param avro of values that may be so; null where none is
     */
    public SourcePointer(String place, @Nullable AvroValues avro) {
        this.avro = avro;
        this.header = Pointers.header(place);
        this.pointer = JsonPointer.compile(header == null ? place : "");
        this.tree = PointerTree.ofName(header == null ? place : "/");
    }

    /**
     * The source, of 1 to {@value #LENGTH_MAX} chars: of a longer one the beginning, which nearly always has the host
     * of a URL. Empty where there is none, it is blank, no string and no integer, or has half of a surrogate pair.
     *
     * @param record also one that is no document
     */
    public Optional<String> in(InputRecord record) {
        @Nullable String found = header == null ? inValue(record) : inHeader(record.lastHeader(header));
        return found == null || found.isBlank()
                ? Optional.empty()
                : Optional.of(Printable.cut(found, LENGTH_MAX)).filter(UTF_8.newEncoder()::canEncode);
    }

    private static @Nullable String inHeader(byte @Nullable [] value) {
        return value == null || RawText.firstMalformed(value) >= 0 ? null : new String(value, UTF_8);
    }

    private @Nullable String inValue(InputRecord record) {
        byte[] value = record.value();
        if (value == null) {
            return null;
        }
        if (avro != null && avro.isAvro(record)) {
            return avro.name(record, value, tree);
        }
        try (JsonParser parser = new FilteringParserDelegate(
                JSON.createParser(value), new JsonPointerBasedFilter(pointer), Inclusion.ONLY_INCLUDE_ALL, false)) {
            JsonToken found = parser.nextToken();
            boolean isName = found == JsonToken.VALUE_STRING || found == JsonToken.VALUE_NUMBER_INT;
            return isName ? parser.getText() : null;
        } catch (IOException e) {
            return null; // What this reader takes for wrong has no name.
        }
    }
}
