package io.neardup.tools.local;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The fields of a record that hold text, for who has to say which of them is the text. */
public final class FieldNames {
    static final int NAMES_MAX = 20;
    static final int NAME_LENGTH_MAX = 64;

    private static final JsonFactory JSON = new JsonFactory();

    private FieldNames() {}

    /**
     * JSON pointers to the strings of an object, and of objects in it, but not of arrays.
     *
     * @return the first {@value #NAMES_MAX} whose pointers have at most {@value #NAME_LENGTH_MAX} characters; as far as
     *     it is JSON
     */
    public static List<String> of(byte[] record) {
        List<String> pointers = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(record)) {
            JsonToken token = parser.nextToken();
            boolean isObject = token == JsonToken.START_OBJECT;
            while (isObject && token != null && pointers.size() < NAMES_MAX) {
                String pointer = parser.getParsingContext().pathAsPointer().toString();
                if (token == JsonToken.START_ARRAY) {
                    parser.skipChildren();
                } else if (token == JsonToken.VALUE_STRING && pointer.length() <= NAME_LENGTH_MAX) {
                    pointers.add(pointer);
                }
                token = parser.nextToken();
            }
        } catch (IOException notJson) {
            return pointers;
        }
        return pointers;
    }
}
