package io.neardup.tools.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;

/** Records as JSON: their components, and what is marked to be told beside them. JSON has no NaN: that is null. */
final class Json {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
            .addModule(new SimpleModule()
                    .addSerializer(double.class, new Known())
                    .addSerializer(Double.class, new Known()))
            .build();

    private Json() {}

    static ObjectNode of(Object record) {
        return MAPPER.valueToTree(record);
    }

    static JsonNode read(byte[] json) throws IOException {
        return MAPPER.readTree(json);
    }

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    private static final class Known extends StdSerializer<Double> {
        private static final long serialVersionUID = 1;

        Known() {
            super(Double.class);
        }

        @Override
        public void serialize(Double value, JsonGenerator into, SerializerProvider provider) throws IOException {
            if (value.isNaN()) {
                into.writeNull();
            } else {
                into.writeNumber(value);
            }
        }
    }
}
