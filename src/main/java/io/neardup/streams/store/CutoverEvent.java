package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.engine.protocol.MigrationSource.Handover;
import java.util.List;
import java.util.Map;

/**
 * What is noted of a cutover in the settings topic of the index that hands its input over. That topic has one
 * partition, so that all who read it meet the events in one order; {@link Cutover} says what follows from them.
 *
 * <p>As a record: what it says of whom in the key, of which no two are the same, so that compaction takes none away;
 * the rest as a JSON object. A later release may add fields.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = CutoverEvent.Json.KIND)
@JsonSubTypes({
    @JsonSubTypes.Type(name = CutoverEvent.Json.ASKED, value = CutoverEvent.Asked.class),
    @JsonSubTypes.Type(name = "empty", value = CutoverEvent.Empty.class),
    @JsonSubTypes.Type(name = "flushed", value = CutoverEvent.Flushed.class),
    @JsonSubTypes.Type(name = "folded", value = CutoverEvent.Folded.class)
})
public sealed interface CutoverEvent {

    /**
     * Somebody asks that another index takes the input over.
     *
     * @param request distinct for each ever made
     * @param successor the application.id of that index
     * @param coordinators how many the index has that hands over
     * @param isSpread whether these send each other tombstones, as originals may be on other coordinators than
     *     later records of their keys
     */
    record Asked(
            @JsonProperty(Json.OF) String request,
            @JsonProperty(required = true) String successor,
            @JsonProperty(required = true) int coordinators,
            @JsonProperty(value = "spread", required = true) boolean isSpread)
            implements CutoverEvent {
        public Asked {
            if (coordinators < 1) {
                throw new IllegalArgumentException("coordinators: expected at least 1, found " + coordinators);
            }
        }
    }

    /**
     * All that a coordinator took has left, and its originals stay as they are. Noted in the transaction of the last.
     *
     * @param positions by input topic, in the name of its generation, the offset of the first record that it leaves to
     *     the successor, or {@link Handover#NOTHING_TAKEN}
     * @param eventMillis where its event clock stands, from which the successor goes on; 0 if it has had too few
     *     documents
     * @param storyPartitions that it sends copies to, 0 where no stories are written
     */
    record Empty(
            @JsonProperty(Json.OF) int coordinator,
            @JsonProperty(required = true) Map<String, Long> positions,
            @JsonProperty(required = true) long eventMillis,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) int storyPartitions)
            implements CutoverEvent {
        public Empty {
            positions = Map.copyOf(positions);
        }
    }

    /**
     * A coordinator has applied the tombstones of others, until all were empty. Of those that send them; noted
     * in the transaction of the last.
     */
    record Flushed(@JsonProperty(Json.OF) int coordinator) implements CutoverEvent {}

    /**
     * All that coordinators sent a partition of stories is folded there, and written. Noted in the transaction of the
     * last.
     */
    record Folded(@JsonProperty(Json.OF) int partition) implements CutoverEvent {}

    // ---- as records

    /** The keys of events, and of no other record of their topic, begin with it. */
    String PREFIX = "cutover/";

    static boolean isEvent(String key) {
        return key.startsWith(PREFIX);
    }

    default String key() {
        ObjectNode fields = Json.MAPPER.valueToTree(this);
        return PREFIX + fields.get(Json.KIND).asText() + "/"
                + fields.get(Json.OF).asText();
    }

    default byte[] value() {
        ObjectNode fields = Json.MAPPER.valueToTree(this);
        ObjectNode value = Json.MAPPER.createObjectNode().put("format", Json.FORMAT);
        value.setAll(fields.remove(List.of(Json.KIND, Json.OF)));
        return value.toString().getBytes(UTF_8);
    }

    /**
     * What a record says.
     *
     * @throws IllegalArgumentException that says what is wrong, where it is no event, or one of another format
     */
    static CutoverEvent decode(String key, byte[] value) {
        String[] parts = key.split("/", -1);
        try {
            JsonNode read = Json.MAPPER.readTree(new String(value, UTF_8));
            if (!isEvent(key)
                    || parts.length != 3
                    || !(read instanceof ObjectNode fields)
                    || fields.path("format").asInt() != Json.FORMAT) {
                throw new IllegalArgumentException("record " + key + ": expected a key like " + PREFIX
                        + "empty/0 and an object of format " + Json.FORMAT + ", found " + read);
            }
            fields.removeNulls(); // One that is null is missing.
            fields.put(Json.KIND, parts[1]);
            if (parts[1].equals(Json.ASKED)) {
                fields.put(Json.OF, parts[2]);
            } else {
                fields.put(Json.OF, Integer.parseUnsignedInt(parts[2]));
            }
            return Json.MAPPER.treeToValue(fields, CutoverEvent.class);
        } catch (JsonProcessingException | NumberFormatException e) {
            throw new IllegalArgumentException(
                    "record " + key + ": expected an event of a cutover, found: " + e.getMessage(), e);
        }
    }

    final class Json {
        static final String ASKED = "asked";
        /** The two fields that the key has. */
        static final String KIND = "kind";

        private static final String OF = "of";
        private static final int FORMAT = 2;
        private static final ObjectMapper MAPPER = new ObjectMapper()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .setDefaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL));

        private Json() {}
    }
}
