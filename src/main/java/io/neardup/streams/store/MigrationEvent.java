package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What is noted of a cutover in the settings topic of the index that hands its input over. That topic has one
 * partition, so that all who read it meet the events in one order; {@link Cutover} says what follows from them.
 *
 * <p>As a record: what it says of whom in the key, of which no two are the same, so that compaction takes none away;
 * the rest as a JSON object. A later release may add fields.
 */
public sealed interface MigrationEvent {

    /** Of which request it is; distinct for each ever made. */
    String request();

    /**
     * Somebody asks that another index takes the input over.
     *
     * @param successor the application.id of that index
     * @param coordinators how many the index has that hands over
     * @param isSpread whether these send each other tombstones, as originals may be on other coordinators than
     *     later records of their keys
     */
    record Asked(String request, String successor, int coordinators, boolean isSpread) implements MigrationEvent {
        public Asked {
            if (coordinators < 1) {
                throw new IllegalArgumentException("coordinators: expected at least 1, found " + coordinators);
            }
        }
    }

    /**
     * Somebody undoes the request.
     *
     * @param by of this record alone: no two may share a key, as compaction would keep the later one
     */
    record Undone(String request, String by) implements MigrationEvent {}

    /**
     * A coordinator takes no record any more. Noted in the transaction in which it stops.
     *
     * @param positions by input topic, in the name of its generation, the offset of the first record that it leaves to
     *     the successor, or {@link #BEGINNING}
     */
    record Fixed(String request, int coordinator, Map<String, Long> positions) implements MigrationEvent {
        /** The first record that is there: of a topic of which the coordinator never took one. */
        public static final long BEGINNING = -1;

        public Fixed {
            positions = Map.copyOf(positions);
        }
    }

    /**
     * All that a coordinator took has left, and its originals stay as they are. Noted in the transaction of the last.
     *
     * @param eventMillis where its event clock stands, from which the successor goes on; 0 if it has had too few
     *     documents
     */
    record Empty(String request, int coordinator, long eventMillis) implements MigrationEvent {}

    /**
     * A coordinator has applied the tombstones of others, until all were empty. Of those that send them; noted
     * in the transaction of the last.
     */
    record Flushed(String request, int coordinator) implements MigrationEvent {}

    // ---- as records

    /** The keys of events, and of no other record of their topic, begin with it. */
    String PREFIX = "cutover/";

    /** Whether a record of the settings topic is an event. */
    static boolean isEvent(String key) {
        return key.startsWith(PREFIX);
    }

    /** The key of the record. */
    default String key() {
        String ofRequest = PREFIX + request() + "/";
        if (this instanceof Asked) {
            return ofRequest + Json.ASKED;
        } else if (this instanceof Undone undone) {
            return ofRequest + Json.UNDONE + "/" + undone.by();
        } else if (this instanceof Fixed fixed) {
            return ofRequest + Json.FIXED + "/" + fixed.coordinator();
        } else if (this instanceof Flushed flushed) {
            return ofRequest + Json.FLUSHED + "/" + flushed.coordinator();
        }
        return ofRequest + Json.EMPTY + "/" + ((Empty) this).coordinator();
    }

    /** The value of the record. */
    default byte[] value() {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("format", Json.FORMAT);
        if (this instanceof Asked asked) {
            json.put("successor", asked.successor())
                    .put("coordinators", asked.coordinators())
                    .put("spread", asked.isSpread());
        } else if (this instanceof Fixed fixed) {
            ObjectNode positions = json.putObject("positions");
            new TreeMap<>(fixed.positions()).forEach(positions::put);
        } else if (this instanceof Empty empty) {
            json.put("eventMillis", empty.eventMillis());
        }
        return json.toString().getBytes(UTF_8);
    }

    /**
     * What a record says.
     *
     * @throws IllegalArgumentException that says what is wrong, where it is no event, or one of another format
     */
    static MigrationEvent decode(String key, byte[] value) {
        return new Json(key, value).event();
    }

    /** A record that is read. */
    final class Json {
        private static final int FORMAT = 1;
        private static final String ASKED = "asked";
        private static final String UNDONE = "undone";
        private static final String FIXED = "fixed";
        private static final String EMPTY = "empty";
        private static final String FLUSHED = "flushed";
        private static final ObjectMapper MAPPER = new ObjectMapper();

        private final String key;
        private final String[] parts;
        private final JsonNode fields;

        private Json(String key, byte[] value) {
            this.key = key;
            this.parts = key.split("/", -1);
            try {
                this.fields = MAPPER.readTree(new String(value, UTF_8));
            } catch (JsonProcessingException e) {
                throw broken("a JSON object");
            }
        }

        private MigrationEvent event() {
            if (field(fields, "format", JsonNode::isInt, JsonNode::intValue, "a number") != FORMAT) {
                throw broken("format " + FORMAT + ", found " + fields.get("format") + ", of another release");
            }
            if (!isEvent(key) || parts.length < 3) {
                throw broken("a key like " + PREFIX + "request/asked");
            }
            String request = parts[1];
            return switch (parts[2]) {
                case ASKED ->
                    new Asked(
                            request,
                            field(fields, "successor", JsonNode::isTextual, JsonNode::textValue, "a text"),
                            field(fields, "coordinators", JsonNode::isInt, JsonNode::intValue, "a number"),
                            field(fields, "spread", JsonNode::isBoolean, JsonNode::booleanValue, "true or false"));
                case UNDONE -> new Undone(request, lastPart());
                case FIXED -> new Fixed(request, coordinator(), positions());
                case EMPTY -> new Empty(request, coordinator(), longField(fields, "eventMillis"));
                case FLUSHED -> new Flushed(request, coordinator());
                default -> throw broken("one of asked, undone, fixed, empty, flushed");
            };
        }

        private String lastPart() {
            if (parts.length < 4) {
                throw broken("one more part of the key");
            }
            return parts[3];
        }

        private int coordinator() {
            try {
                return Integer.parseUnsignedInt(lastPart());
            } catch (NumberFormatException e) {
                throw broken("the number of a coordinator in the key");
            }
        }

        private Map<String, Long> positions() {
            JsonNode found = fields.path("positions");
            if (!found.isObject()) {
                throw broken("positions");
            }
            Map<String, Long> positions = new TreeMap<>();
            found.fieldNames().forEachRemaining(topic -> positions.put(topic, longField(found, topic)));
            return positions;
        }

        private long longField(JsonNode of, String name) {
            return field(of, name, found -> found.isInt() || found.isLong(), JsonNode::longValue, "a number");
        }

        private <T> T field(
                JsonNode of, String name, Predicate<JsonNode> isOne, Function<JsonNode, T> value, String kind) {
            JsonNode found = of.path(name);
            if (!isOne.test(found)) {
                throw broken(kind + " as " + name);
            }
            return value.apply(found);
        }

        private IllegalArgumentException broken(String expected) {
            return new IllegalArgumentException("record " + key + ": expected " + expected);
        }
    }
}
