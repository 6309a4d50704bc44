package io.neardup.tools.feed;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the JSON object of a record that was none. Fields that are not known are left out. */
final class RecordJson {
    static final String ID = "id";
    static final String URL = "url";
    static final String TITLE = "title";
    static final String TEXT = "text";
    static final String DATE = "date";
    static final String SOURCE = "source";

    private static final JsonFactory JSON = new JsonFactory();

    private final Map<String, String> fields = new LinkedHashMap<>();

    /** Null and empty values are left out; the first of a name counts. */
    RecordJson put(String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            fields.putIfAbsent(name, value);
        }
        return this;
    }

    byte[] bytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            for (Map.Entry<String, String> field : fields.entrySet()) {
                json.writeFieldName(wellFormed(field.getKey()));
                json.writeString(wellFormed(field.getValue()));
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("bytes could not be kept", e);
        }
        return out.toByteArray();
    }

    /** The record, or an oversized one in its place. */
    FeedRecord record(String source, long number, int recordBytesMax) {
        byte[] bytes = bytes();
        return bytes.length > recordBytesMax
                ? FeedRecord.oversized(source, number, bytes.length)
                : FeedRecord.of(source, number, bytes);
    }

    /** No lone surrogates: JSON with one is refused by the service. */
    private static String wellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return replaced(text);
            }
        }
        return text;
    }

    private static String replaced(String text) {
        StringBuilder sound = new StringBuilder(text.length());
        text.codePoints()
                .forEach(codePoint -> sound.appendCodePoint(
                        Character.getType(codePoint) == Character.SURROGATE ? '\ufffd' : codePoint));
        return sound.toString();
    }
}
