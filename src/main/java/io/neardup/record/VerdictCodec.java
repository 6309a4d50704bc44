package io.neardup.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.engine.similarity.Similarity;
import io.neardup.record.Verdict.Nearest;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Position;
import io.neardup.record.Verdict.Repeated;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Verdicts as JSON objects. What is not known is left out. A later release may add fields: those that a reader does not
 * know it skips.
 */
public final class VerdictCodec {
    /**
     * The most bytes of one: names, a topic, two ids of 512 bytes, of which JSON takes six for some, a place, a source.
     */
    public static final int BYTES_MAX = 8_400;

    private static final JsonFactory JSON = new JsonFactory();
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private VerdictCodec() {}

    public static byte[] encode(Verdict verdict) {
        return write(json -> {
            json.writeStringField("topic", verdict.position().topic());
            json.writeNumberField("partition", verdict.position().partition());
            json.writeNumberField("offset", verdict.position().offset());
            json.writeNumberField("timestamp", verdict.timestampMillis());
            json.writeStringField("outcome", verdict.outcome().code());
            writeRepeated(json, verdict.id(), verdict.repeated());
            writeNearest(json, verdict.nearest());
            writeIfKnown(json, "reason", verdict.reason());
            if (!verdict.bounds().isEmpty()) {
                json.writeArrayFieldStart("bounded");
                for (String bound : verdict.bounds()) {
                    json.writeString(bound);
                }
                json.writeEndArray();
            }
            writeIfKnown(json, "source", verdict.source());
            if (verdict.length() > 0) {
                json.writeNumberField("length", verdict.length());
            }
            json.writeStringField("settings", verdict.settings());
        });
    }

    /** The part of a verdict that says what a document repeats. */
    public static byte[] encode(String id, Repeated repeated) {
        return write(json -> writeRepeated(json, id, repeated));
    }

    private interface Fields {
        void write(JsonGenerator json) throws IOException;
    }

    private static byte[] write(Fields fields) {
        try (ByteArrayBuilder bytes = new ByteArrayBuilder(256);
                JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
            json.flush();
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // It is memory alone.
        }
    }

    private static void writeRepeated(JsonGenerator json, String id, @Nullable Repeated repeated) throws IOException {
        json.writeStringField("id", id);
        if (repeated == null) {
            return;
        }
        Similarity similarity = repeated.similarity();
        json.writeStringField("duplicateOf", repeated.original());
        writeIfKnown(json, "duplicateOfPlace", repeated.place());
        writeIfKnown(json, "duplicateOfSeed", repeated.seed());
        json.writeNumberField("similarity", similarity.value());
        if (similarity.knowsWhole()) {
            json.writeNumberField("similarityWhole", similarity.whole());
        }
        if (similarity.knowsShares()) {
            json.writeNumberField("containmentOfDuplicate", similarity.ofFirst());
            json.writeNumberField("containmentOfOriginal", similarity.ofSecond());
        }
        if (id.equals(repeated.original())) {
            json.writeStringField("version", "same-id");
        }
    }

    private static void writeNearest(JsonGenerator json, @Nullable Nearest nearest) throws IOException {
        if (nearest != null) {
            json.writeObjectFieldStart("nearest");
            json.writeStringField("id", nearest.id());
            json.writeStringField("place", nearest.place());
            json.writeNumberField("similarity", nearest.similarity());
            json.writeEndObject();
        }
    }

    private static void writeIfKnown(JsonGenerator json, String name, @Nullable String value) throws IOException {
        if (value != null) {
            json.writeStringField(name, value);
        }
    }

    /**
     * Reads one.
     *
     * @throws IOException that says what was expected and found, where it is none
     */
    public static Verdict decode(byte[] bytes) throws IOException {
        JsonNode json;
        try {
            json = MAPPER.readTree(bytes);
        } catch (IOException e) {
            throw new IOException("expected a verdict, a JSON object, found what is no JSON", e);
        }
        if (json == null || !json.isObject()) {
            throw new IOException("expected a verdict, a JSON object, found something else");
        }
        String outcome = text(json, "outcome");
        return new Verdict(
                new Position(text(json, "topic"), partition(json), number(json, "offset")),
                number(json, "timestamp"),
                text(json, "id"),
                Outcome.of(outcome)
                        .orElseThrow(() -> new IOException("expected a verdict with an outcome that this release knows,"
                                + " found " + outcome + "; take a release as new as the one that wrote it")),
                repeated(json, outcome),
                nearest(json.path("nearest")),
                optional(json, "reason"),
                bounds(json),
                text(json, "settings"),
                optional(json, "source"),
                json.path("length").asInt());
    }

    private static @Nullable Repeated repeated(JsonNode json, String outcome) throws IOException {
        if (!outcome.equals(Outcome.DUPLICATE.code())) {
            return null;
        }
        double value =
                required(json, "similarity", JsonNode::isNumber, "a number").asDouble();
        JsonNode ofDuplicate = json.path("containmentOfDuplicate");
        JsonNode ofOriginal = json.path("containmentOfOriginal");
        Similarity similarity = ofDuplicate.isNumber() && ofOriginal.isNumber()
                ? new Similarity(value, ofDuplicate.asDouble(), ofOriginal.asDouble())
                : Similarity.of(value);
        JsonNode whole = json.path("similarityWhole");
        return new Repeated(
                text(json, "duplicateOf"),
                optional(json, "duplicateOfPlace"),
                whole.isNumber() ? similarity.withWhole(whole.asDouble()) : similarity,
                optional(json, "duplicateOfSeed"));
    }

    private static @Nullable Nearest nearest(JsonNode json) throws IOException {
        return json.isObject()
                ? new Nearest(
                        text(json, "id"),
                        text(json, "place"),
                        json.path("similarity").asDouble())
                : null;
    }

    private static List<String> bounds(JsonNode json) {
        List<String> bounds = new ArrayList<>();
        json.path("bounded").forEach(bound -> bounds.add(bound.asText()));
        return List.copyOf(bounds);
    }

    private static JsonNode required(JsonNode json, String name, Predicate<JsonNode> fits, String kind)
            throws IOException {
        JsonNode value = json.path(name);
        if (!fits.test(value)) {
            throw new IOException("expected a verdict with " + name + ", " + kind + ", found none; diff reads the"
                    + " records of neardup.verdicts.topic and the file verdicts.jsonl of local --out");
        }
        return value;
    }

    private static String text(JsonNode json, String name) throws IOException {
        return required(json, name, JsonNode::isTextual, "a string").asText();
    }

    private static @Nullable String optional(JsonNode json, String name) {
        JsonNode value = json.path(name);
        return value.isTextual() ? value.asText() : null;
    }

    private static int partition(JsonNode json) throws IOException {
        number(json, "partition"); // Else one that is no integer would be called negative.
        return required(json, "partition", value -> value.canConvertToInt() && value.asInt() >= 0, "0 or more")
                .asInt();
    }

    private static long number(JsonNode json, String name) throws IOException {
        return required(json, name, value -> value.canConvertToLong() && value.isIntegralNumber(), "an integer")
                .asLong();
    }
}
