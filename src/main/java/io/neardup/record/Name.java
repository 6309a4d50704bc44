package io.neardup.record;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A string or an integer that names something, if there is one. */
final class Name {
    private @Nullable JsonToken token;
    private @Nullable String text;

    void take(JsonToken found, JsonParser parser) throws IOException {
        token = found;
        text = found == JsonToken.VALUE_STRING || found == JsonToken.VALUE_NUMBER_INT ? parser.getText() : null;
    }

    /** Takes what a header brought. */
    void take(@Nullable String found) {
        text = found;
    }

    /** Null where nothing was found, or something that is neither a string nor an integer. */
    @Nullable
    String text() {
        return text;
    }

    /** Whether something was found that is neither a string nor an integer nor null. */
    boolean isNotText() {
        return text == null && token != null && token != JsonToken.VALUE_NULL;
    }

    String kind() {
        return JsonWalk.kind(token);
    }
}
