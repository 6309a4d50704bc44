package io.neardup.record;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.neardup.engine.similarity.Similarity;
import io.neardup.record.Verdict.Nearest;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Position;
import io.neardup.record.Verdict.Repeated;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
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

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .build();
    private static final String EXPECTED = "expected a verdict with all its fields, as on neardup.verdicts.topic and in"
            + " verdicts.jsonl of local --out, found ";

    private VerdictCodec() {}

    public static byte[] encode(Verdict verdict) {
        return write(new Written(
                verdict.position().topic(),
                verdict.position().partition(),
                verdict.position().offset(),
                verdict.timestampMillis(),
                verdict.outcome().code(),
                WrittenRepeated.of(verdict.id(), verdict.repeated()),
                verdict.nearest(),
                verdict.reason(),
                verdict.bounds().isEmpty() ? null : verdict.bounds(),
                verdict.source(),
                verdict.length(),
                verdict.settings()));
    }

    /** The part of a verdict that says what a document repeats. */
    public static byte[] encode(String id, Repeated repeated) {
        return write(WrittenRepeated.of(id, repeated));
    }

    private static byte[] write(Object written) {
        try {
            return MAPPER.writeValueAsBytes(written);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e); // Cannot happen: it writes to memory.
        }
    }

    /** A verdict as it is written; what is not there is null, or 0. */
    @JsonInclude(Include.NON_NULL)
    private record Written(
            @Nullable String topic,
            @Nullable Integer partition,
            @Nullable Long offset,
            @Nullable Long timestamp,
            @Nullable String outcome,
            @JsonUnwrapped WrittenRepeated document,
            @Nullable Nearest nearest,
            @Nullable String reason,
            @Nullable List<String> bounded,
            @Nullable String source,
            @JsonInclude(Include.NON_DEFAULT) int length,
            @Nullable String settings) {

        Verdict verdict() throws IOException {
            Outcome known = Outcome.of(required(outcome, "an outcome"))
                    .orElseThrow(() -> new IOException("expected a verdict with an outcome that this release knows,"
                            + " found " + outcome + "; take a release as new as the one that wrote it"));
            int number = required(partition, "a partition");
            if (number < 0) {
                throw new IOException("expected a verdict with a partition from 0, found " + number);
            }
            return new Verdict(
                    new Position(required(topic, "a topic"), number, required(offset, "an offset")),
                    required(timestamp, "a timestamp"),
                    required(document.id, "an id"),
                    known,
                    known == Outcome.DUPLICATE ? document.repeated() : null,
                    nearest,
                    reason,
                    bounded == null ? List.of() : List.copyOf(bounded),
                    required(settings, "settings"),
                    source,
                    length);
        }
    }

    /** The part that says what a document repeats: the id alone where it repeats nothing. */
    @JsonInclude(Include.NON_NULL)
    private record WrittenRepeated(
            @Nullable String id,
            @Nullable String duplicateOf,
            @Nullable String duplicateOfPlace,
            @Nullable String duplicateOfSeed,
            @Nullable Double similarity,
            @Nullable Double similarityWhole,
            @Nullable Double containmentOfDuplicate,
            @Nullable Double containmentOfOriginal,
            @Nullable String version) {

        static WrittenRepeated of(String id, @Nullable Repeated repeated) {
            if (repeated == null) {
                return new WrittenRepeated(id, null, null, null, null, null, null, null, null);
            }
            Similarity similarity = repeated.similarity();
            return new WrittenRepeated(
                    id,
                    repeated.original(),
                    repeated.place(),
                    repeated.seed(),
                    similarity.value(),
                    ifKnown(similarity.whole()),
                    ifKnown(similarity.ofFirst()),
                    ifKnown(similarity.ofSecond()),
                    id.equals(repeated.original()) ? "same-id" : null);
        }

        private static @Nullable Double ifKnown(double share) {
            return Double.isNaN(share) ? null : share;
        }

        Repeated repeated() throws IOException {
            double value = required(similarity, "a similarity");
            Similarity known = containmentOfDuplicate == null || containmentOfOriginal == null
                    ? Similarity.of(value)
                    : new Similarity(value, containmentOfDuplicate, containmentOfOriginal);
            return new Repeated(
                    required(duplicateOf, "duplicateOf"),
                    duplicateOfPlace,
                    similarityWhole == null ? known : known.withWhole(similarityWhole),
                    duplicateOfSeed);
        }
    }

    private static <T> T required(@Nullable T value, String name) throws IOException {
        if (value == null) {
            throw new IOException(EXPECTED + "none with " + name);
        }
        return value;
    }

    /**
     * Reads one.
     *
     * @throws IOException that says what was expected and found, where it is none
     */
    public static Verdict decode(byte[] bytes) throws IOException {
        try {
            return required(MAPPER.readValue(bytes, Written.class), "fields").verdict();
        } catch (JsonProcessingException | RuntimeException e) {
            throw new IOException(EXPECTED + "other JSON or none", e);
        }
    }
}
