package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.neardup.engine.protocol.MigrationSource.Handover;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is noted of a cutover in the settings topic of the index that hands its input over. That topic has one
 * partition, so that all who read it meet the events in one order; {@link Cutover} says what follows from them.
 *
 * <p>As a record: what it says of whom in the key, of which no two are the same, so that compaction takes none away;
 * the rest as a JSON object. A later release may add fields.
 */
public sealed interface MigrationEvent {

    /**
     * Somebody asks that another index takes the input over.
     *
     * @param request distinct for each ever made
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
     * All that a coordinator took has left, and its originals stay as they are. Noted in the transaction of the last.
     *
     * @param positions by input topic, in the name of its generation, the offset of the first record that it leaves to
     *     the successor, or {@link Handover#BEGINNING}
     * @param eventMillis where its event clock stands, from which the successor goes on; 0 if it has had too few
     *     documents
     * @param storyPartitions that it sends copies to, 0 where no stories are written
     */
    record Empty(int coordinator, Map<String, Long> positions, long eventMillis, int storyPartitions)
            implements MigrationEvent {
        public Empty {
            positions = Map.copyOf(positions);
        }
    }

    /**
     * A coordinator has applied the tombstones of others, until all were empty. Of those that send them; noted
     * in the transaction of the last.
     */
    record Flushed(int coordinator) implements MigrationEvent {}

    /**
     * All that coordinators sent a partition of stories is folded there, and written. Noted in the transaction of the
     * last.
     */
    record Folded(int partition) implements MigrationEvent {}

    // ---- as records

    /** The keys of events, and of no other record of their topic, begin with it. */
    String PREFIX = "cutover/";

    /** Whether a record of the settings topic is an event. */
    static boolean isEvent(String key) {
        return key.startsWith(PREFIX);
    }

    /** The key of the record. */
    default String key() {
        if (this instanceof Asked asked) {
            return PREFIX + Value.ASKED + "/" + asked.request();
        } else if (this instanceof Flushed flushed) {
            return PREFIX + Value.FLUSHED + "/" + flushed.coordinator();
        } else if (this instanceof Folded folded) {
            return PREFIX + Value.FOLDED + "/" + folded.partition();
        }
        return PREFIX + Value.EMPTY + "/" + ((Empty) this).coordinator();
    }

    /** The value of the record. */
    default byte[] value() {
        if (this instanceof Asked asked) {
            return new Value(Value.FORMAT, asked.successor(), asked.coordinators(), asked.isSpread(), null, null, null)
                    .bytes();
        } else if (this instanceof Empty empty) {
            return new Value(
                            Value.FORMAT,
                            null,
                            null,
                            null,
                            empty.positions(),
                            empty.eventMillis(),
                            empty.storyPartitions() > 0 ? empty.storyPartitions() : null)
                    .bytes();
        }
        return new Value(Value.FORMAT, null, null, null, null, null, null).bytes();
    }

    /**
     * What a record says.
     *
     * @throws IllegalArgumentException that says what is wrong, where it is no event, or one of another format
     */
    static MigrationEvent decode(String key, byte[] value) {
        Value fields = Value.of(key, value);
        String[] parts = key.split("/", -1);
        if (!isEvent(key) || parts.length != 3) {
            throw Value.broken(key, "a key like " + PREFIX + Value.EMPTY + "/0");
        }
        return switch (parts[1]) {
            case Value.ASKED ->
                new Asked(
                        parts[2],
                        Value.field(key, "successor", fields.successor),
                        Value.field(key, "coordinators", fields.coordinators),
                        Value.field(key, "spread", fields.spread));
            case Value.EMPTY ->
                new Empty(
                        Value.coordinator(key, parts[2]),
                        Value.field(key, "positions", fields.positions),
                        Value.field(key, "eventMillis", fields.eventMillis),
                        fields.storyPartitions == null ? 0 : fields.storyPartitions);
            case Value.FLUSHED -> new Flushed(Value.coordinator(key, parts[2]));
            case Value.FOLDED -> new Folded(Value.coordinator(key, parts[2]));
            default -> throw Value.broken(key, "one of asked, empty, flushed, folded");
        };
    }

    /** The value of a record of any kind, which has the fields of that alone. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Value(
            int format,
            @Nullable String successor,
            @Nullable Integer coordinators,
            @Nullable Boolean spread,
            @Nullable Map<String, Long> positions,
            @Nullable Long eventMillis,
            @Nullable Integer storyPartitions) {
        private static final int FORMAT = 2;
        private static final String ASKED = "asked";
        private static final String EMPTY = "empty";
        private static final String FLUSHED = "flushed";
        private static final String FOLDED = "folded";
        private static final ObjectMapper JSON = new ObjectMapper()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .setDefaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL));

        private byte[] bytes() {
            try {
                return JSON.writeValueAsBytes(this);
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("expected an event that can be written as JSON, found " + this, e);
            }
        }

        private static Value of(String key, byte[] value) {
            try {
                Value fields = JSON.readValue(new String(value, UTF_8), Value.class);
                int format = fields == null ? 0 : fields.format;
                if (fields == null || format != FORMAT) {
                    throw broken(key, "format " + FORMAT + ", found " + format + ", of another release");
                }
                return fields;
            } catch (IOException e) {
                throw broken(key, "a JSON object of an event");
            }
        }

        private static <T> T field(String key, String name, @Nullable T found) {
            if (found == null) {
                throw broken(key, "a field " + name);
            }
            return found;
        }

        private static int coordinator(String key, String part) {
            try {
                return Integer.parseUnsignedInt(part);
            } catch (NumberFormatException e) {
                throw broken(key, "the number of a coordinator or partition in the key");
            }
        }

        private static IllegalArgumentException broken(String key, String expected) {
            return new IllegalArgumentException("record " + key + ": expected " + expected);
        }
    }
}
