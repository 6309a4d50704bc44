package io.neardup.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.neardup.engine.similarity.Similarity;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What became of one record of the input.
 *
 * @param timestampMillis of the record, as it came
 * @param id of the document; the place of the record where it is none
 * @param repeated what it repeats; null for what is no duplicate
 * @param nearest of a unique document, the most similar of the originals that it was compared with, below the
 *     threshold; null where it was compared with none, or replaces another version
 * @param reason the code of the reason; null for what is no dead letter
 * @param bounds codes of the bounds that truncated its candidates
 * @param settings fingerprint of what it was judged by
 * @param source where the document says that it comes from; null where that is not known
 * @param length characters of its text, as code points; 0 where none was read
 */
public record Verdict(
        Position position,
        long timestampMillis,
        String id,
        Outcome outcome,
        @Nullable Repeated repeated,
        @Nullable Nearest nearest,
        @Nullable String reason,
        List<String> bounds,
        String settings,
        @Nullable String source,
        int length) {

    /** How a record left. */
    public enum Outcome {
        UNIQUE,
        DUPLICATE,
        DEAD_LETTER,
        /** A record without a value; it went on to the unique output. */
        TOMBSTONE;

        /** As it stands in a verdict. */
        public String code() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        static Optional<Outcome> of(String code) {
            return Arrays.stream(values())
                    .filter(outcome -> outcome.code().equals(code))
                    .findFirst();
        }
    }

    /** A place in the input. */
    public record Position(String topic, int partition, long offset) {
        private static final Pattern PLACE = Pattern.compile("(.+)-(\\d{1,9})-(\\d{1,18})");

        /** The position that was written as {@link #toString} does; empty for any other text. */
        public static Optional<Position> of(String place) {
            Matcher parts = PLACE.matcher(place);
            return parts.matches()
                    ? Optional.of(new Position(
                            parts.group(1), Integer.parseInt(parts.group(2)), Long.parseLong(parts.group(3))))
                    : Optional.empty();
        }

        @Override
        public String toString() {
            return topic + "-" + partition + "-" + offset;
        }
    }

    /**
     * What a duplicate repeats.
     *
     * @param original the id of the original
     * @param place of its record in the input, such as {@code documents-0-17}; null where that is not known
     * @param similarity of the duplicate, first, and the original
     * @param seed the topic of the seed that the original is of; null where it is of the input
     */
    public record Repeated(
            String original,
            @Nullable String place,
            Similarity similarity,
            @Nullable String seed) {}

    /**
     * An original that is not similar enough.
     *
     * @param id of its document
     * @param place of its record in the input, or in its seed
     */
    public record Nearest(
            @JsonProperty(required = true) String id,
            @JsonProperty(required = true) String place,
            double similarity) {}
}
