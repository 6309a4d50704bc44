package io.neardup.record;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.record.Verdict.Position;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An original with what repeats it, at one moment: a JSON object with fields of these names. A later release may add
 * fields: those that a reader does not know it skips. Times are those of records, in milliseconds since 1970.
 *
 * @param story the place of the original in the input, such as {@code documents-0-17}: the name of the story
 * @param id of the original
 * @param revision how often it was written, from 1
 * @param first of the earliest of original and copies
 * @param last of the latest of original and copies
 * @param copies that have left as duplicates of the original, at least 1
 * @param publishers of original and copies, each counted once
 * @param exact whether publishers are counted; else they are estimated, and not all sources are listed
 * @param sources of original and copies, those with the most copies first
 * @param latest ids of the copies with the latest times, the latest first
 * @param ended whether the original is one no more: no copy comes to it
 */
public record Story(
        String story,
        String id,
        long revision,
        long first,
        long last,
        long copies,
        long publishers,
        boolean exact,
        List<Source> sources,
        Representative representative,
        List<String> latest,
        Similarities similarity,
        @JsonInclude(Include.NON_DEFAULT) boolean ended) {
    /** The most bytes of one. */
    public static final int BYTES_MAX = 1_000_000;

    private static final Comparator<Position> BY_POSITION = Comparator.comparing(Position::topic)
            .thenComparingInt(Position::partition)
            .thenComparingLong(Position::offset);

    /** Of places: by the text of the topic, then by the numbers of partition and offset. */
    public static final Comparator<String> BY_PLACE = Story::comparePlaces;

    /** The most publishers first, then the most copies. */
    public static final Comparator<Story> LARGEST_FIRST = Comparator.comparingLong((Story story) -> -story.publishers)
            .thenComparingLong(story -> -story.copies)
            .thenComparing(Story::story, BY_PLACE);

    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    public Story {
        sources = List.copyOf(sources);
        latest = List.copyOf(latest);
    }

    /**
     * Who carried it.
     *
     * @param source as the documents name it; {@value Publishers#UNKNOWN} of those that name none
     * @param publisher whom it belongs to; null of the unknown one
     * @param copies 0 where it is the original's alone
     * @param first of its earliest document
     */
    public record Source(
            String source,
            @JsonInclude(Include.NON_NULL) @Nullable String publisher,
            long copies,
            long first) {
        /** The most copies first, then the earliest. */
        public static final Comparator<Source> MOST_FIRST = Comparator.comparingLong((Source source) -> -source.copies)
                .thenComparingLong(Source::first)
                .thenComparing(Source::source);
    }

    /**
     * The document that stands for the story.
     *
     * @param length characters of its text
     * @param rule by which it was chosen
     */
    public record Representative(String id, String place, String source, long timestamp, int length, String rule) {}

    /**
     * Of the copies to the original.
     *
     * @param median rounded down to a hundredth, but not below the least; of two in the middle the lower
     */
    public record Similarities(double min, double median) {}

    /** As a JSON object of at most {@value #BYTES_MAX} bytes: sources with the fewest copies are left out for that. */
    public byte[] encode() {
        try {
            byte[] json = JSON.writeValueAsBytes(this);
            return json.length <= BYTES_MAX
                    ? json
                    : withSources(sources.size() / 2).encode();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // Cannot happen: it writes to memory.
        }
    }

    /** The same with so many of its sources at the most, those with the most copies. */
    public Story withSources(int max) {
        List<Source> fewer = sources.subList(0, Math.min(max, sources.size()));
        return new Story(
                story,
                id,
                revision,
                first,
                last,
                copies,
                publishers,
                exact,
                fewer,
                representative,
                latest,
                similarity,
                ended);
    }

    /**
     * Reads one.
     *
     * @throws IOException that says what was expected and found, where it is none
     */
    public static Story decode(byte[] bytes) throws IOException {
        Story read;
        try {
            read = JSON.readValue(bytes, Story.class);
        } catch (IOException | RuntimeException e) {
            throw new IOException(
                    "expected a story, a JSON object as on neardup.stories.topic, found: " + e.getMessage(), e);
        }
        if (read == null || read.story == null || read.similarity == null || read.representative == null) {
            throw new IOException("expected a story, a JSON object with story, representative and similarity, found"
                    + " none; stories reads the records of neardup.stories.topic");
        }
        return read;
    }

    private static int comparePlaces(String one, String other) {
        Optional<Position> ofOne = Position.of(one);
        Optional<Position> ofOther = Position.of(other);
        return ofOne.isPresent() && ofOther.isPresent()
                ? BY_POSITION.compare(ofOne.get(), ofOther.get())
                : one.compareTo(other);
    }
}
