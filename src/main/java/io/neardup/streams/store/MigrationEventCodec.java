package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.streams.store.MigrationEvent.Asked;
import io.neardup.streams.store.MigrationEvent.Empty;
import io.neardup.streams.store.MigrationEvent.Fixed;
import io.neardup.streams.store.MigrationEvent.Flushed;
import io.neardup.streams.store.MigrationEvent.Undone;
import java.util.Map;
import java.util.TreeMap;

/**
 * Facts as records: what they say of whom in the key, of which no two are the same, so that compaction takes none away;
 * the rest as a JSON object. A later release may add fields.
 */
public final class MigrationEventCodec {
    /** The keys of facts, and of no other record of their topic, begin with it. */
    public static final String PREFIX = "cutover/";

    private static final int FORMAT = 1;
    private static final String ASKED = "asked";
    private static final String UNDONE = "undone";
    private static final String FIXED = "fixed";
    private static final String EMPTY = "empty";
    private static final String FLUSHED = "flushed";
    private static final ObjectMapper JSON = new ObjectMapper();

    private MigrationEventCodec() {}

    /** Whether a record of the settings topic is a fact. */
    public static boolean isFact(String key) {
        return key.startsWith(PREFIX);
    }

    public static String key(MigrationEvent fact) {
        String request = PREFIX + fact.request() + "/";
        if (fact instanceof Asked) {
            return request + ASKED;
        } else if (fact instanceof Undone undone) {
            return request + UNDONE + "/" + undone.by();
        } else if (fact instanceof Fixed fixed) {
            return request + FIXED + "/" + fixed.coordinator();
        } else if (fact instanceof Flushed flushed) {
            return request + FLUSHED + "/" + flushed.coordinator();
        }
        return request + EMPTY + "/" + ((Empty) fact).coordinator();
    }

    public static byte[] value(MigrationEvent fact) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("format", FORMAT);
        if (fact instanceof Asked asked) {
            json.put("successor", asked.successor()).put("coordinators", asked.coordinators());
            if (asked.isSpread()) {
                json.put("spread", true);
            }
        } else if (fact instanceof Fixed fixed) {
            ObjectNode positions = json.putObject("positions");
            new TreeMap<>(fixed.positions()).forEach(positions::put);
        } else if (fact instanceof Empty empty) {
            json.put("eventMillis", empty.eventMillis());
        }
        return json.toString().getBytes(UTF_8);
    }

    /**
     * What a record says.
     *
     * @throws IllegalArgumentException that says what is wrong, where it is no fact, or one of another format
     */
    public static MigrationEvent decode(String key, byte[] value) {
        JsonNode json = json(key, value);
        String[] parts = key.split("/", -1);
        if (!isFact(key) || parts.length < 3) {
            throw broken(key, "a key like " + PREFIX + "request/asked");
        }
        String request = parts[1];
        return switch (parts[2]) {
            case ASKED ->
                new Asked(
                        request,
                        text(key, json, "successor"),
                        number(key, json, "coordinators"),
                        json.path("spread").asBoolean());
            case UNDONE -> new Undone(request, last(key, parts));
            case FIXED -> new Fixed(request, coordinator(key, parts), positions(key, json));
            case EMPTY ->
                new Empty(
                        request,
                        coordinator(key, parts),
                        json.path("eventMillis").asLong(0));
            case FLUSHED -> new Flushed(request, coordinator(key, parts));
            default -> throw broken(key, "one of asked, undone, fixed, empty, flushed");
        };
    }

    private static JsonNode json(String key, byte[] value) {
        JsonNode json;
        try {
            json = JSON.readTree(new String(value, UTF_8));
        } catch (JsonProcessingException e) {
            throw broken(key, "a JSON object");
        }
        if (number(key, json, "format") != FORMAT) {
            throw broken(key, "format " + FORMAT + ", found " + json.get("format") + ", of a later release");
        }
        return json;
    }

    private static String last(String key, String[] parts) {
        if (parts.length < 4) {
            throw broken(key, "one more part of the key");
        }
        return parts[3];
    }

    private static int coordinator(String key, String[] parts) {
        try {
            return Integer.parseUnsignedInt(last(key, parts));
        } catch (NumberFormatException e) {
            throw broken(key, "the number of a coordinator in the key");
        }
    }

    private static Map<String, Long> positions(String key, JsonNode json) {
        Map<String, Long> positions = new TreeMap<>();
        JsonNode found = json.path("positions");
        found.fieldNames().forEachRemaining(topic -> {
            if (!found.get(topic).isIntegralNumber() || !found.get(topic).canConvertToLong()) {
                throw broken(key, "an offset of " + topic);
            }
            positions.put(topic, found.get(topic).longValue());
        });
        if (!found.isObject()) {
            throw broken(key, "positions");
        }
        return positions;
    }

    private static int number(String key, JsonNode json, String name) {
        JsonNode found = json.path(name);
        if (!found.canConvertToInt() || !found.isIntegralNumber()) {
            throw broken(key, "a number as " + name);
        }
        return found.intValue();
    }

    private static String text(String key, JsonNode json, String name) {
        JsonNode found = json.path(name);
        if (!found.isTextual()) {
            throw broken(key, "a text as " + name);
        }
        return found.textValue();
    }

    private static IllegalArgumentException broken(String key, String expected) {
        return new IllegalArgumentException("record " + key + ": expected " + expected);
    }
}
