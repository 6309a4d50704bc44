package io.neardup.local;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The fields that a record has, for who has to say which of them is the text. */
public final class FieldNames {
    static final int NAMES_MAX = 20;
    static final int NAME_LENGTH_MAX = 64;

    private static final JsonFactory JSON = new JsonFactory();

    private FieldNames() {}

    /**
     * JSON pointers to the fields of an object.
     *
     * @return the first {@value #NAMES_MAX} whose names have at most {@value #NAME_LENGTH_MAX} characters; as far as it
     *     is JSON
     */
    public static List<String> of(byte[] record) {
        List<String> pointers = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(record)) {
            boolean isObject = parser.nextToken() == JsonToken.START_OBJECT;
            while (isObject && parser.nextToken() == JsonToken.FIELD_NAME && pointers.size() < NAMES_MAX) {
                String name = parser.currentName();
                if (name.length() <= NAME_LENGTH_MAX) {
                    pointers.add("/" + name.replace("~", "~0").replace("/", "~1"));
                }
                parser.nextToken();
                parser.skipChildren();
            }
        } catch (IOException notJson) {
            return pointers;
        }
        return pointers;
    }
}
