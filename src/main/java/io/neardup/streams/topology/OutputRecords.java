package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.config.NeardupConfig.DuplicateValue;
import io.neardup.engine.protocol.Decision;
import io.neardup.engine.protocol.Decision.Bound;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.similarity.Similarity;
import io.neardup.record.InputRecord;
import io.neardup.record.RecordHeader;
import io.neardup.record.Rejection;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Nearest;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Position;
import io.neardup.record.Verdict.Repeated;
import io.neardup.record.VerdictCodec;
import io.neardup.streams.input.InputGenerations;
import io.neardup.streams.input.Seeding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Makes what leaves of what came in: on the three outputs of records, and verdicts.
 *
 * @param settings the fingerprint of what records are judged by
 */
public record OutputRecords(
        DuplicateValue duplicateValue, OutputLimits deadLetterLimits, Seeding seeding, String settings) {
    public static final String ID = "neardup.id";
    public static final String DUPLICATE_OF = "neardup.duplicate-of";
    /**
     * The place of the original's record in the input, such as {@code documents-0-17}: ids are not unique. Of a topic
     * that was recreated it has the {@linkplain InputGenerations#placeOf generation}.
     */
    public static final String DUPLICATE_OF_PLACE = "neardup.duplicate-of.place";
    /** The topic of the seed that the original is of; absent where the original is on the unique output. */
    public static final String DUPLICATE_OF_SEED = "neardup.duplicate-of.seed";

    public static final String SIMILARITY = "neardup.similarity";
    /** The similarity with boilerplate, which does not count; absent where all counts, or it is not known. */
    public static final String SIMILARITY_WHOLE = "neardup.similarity.whole";
    /** Where the duplicate has the id of its original: {@value #SAME_ID}. */
    public static final String VERSION = "neardup.version";
    /** It is another version of the document that it repeats. */
    public static final String SAME_ID = "same-id";
    /** How much of the duplicate is in the original, 0 to 1; absent where it is not known. */
    public static final String CONTAINMENT_OF_DUPLICATE = "neardup.containment.duplicate";
    /** How much of the original is in the duplicate, 0 to 1; absent where it is not known. */
    public static final String CONTAINMENT_OF_ORIGINAL = "neardup.containment.original";

    /** Of a unique document: because of which bounds candidates were truncated, so that it may repeat one. */
    public static final String BOUNDED = "neardup.bounded";

    public static final String REASON = "neardup.reason";
    public static final String DETAIL = "neardup.detail";
    public static final String SOURCE_TOPIC = "neardup.source.topic";
    public static final String SOURCE_PARTITION = "neardup.source.partition";
    public static final String SOURCE_OFFSET = "neardup.source.offset";
    /** Of a dead letter that was sent to the input again: how often. */
    public static final String REDRIVEN = "neardup.redriven";

    /** The size of a value that was omitted because the topic does not carry it. */
    public static final String VALUE_BYTES = "neardup.value.bytes";

    private static final String OWN_PREFIX = "neardup.";

    /**
     * What a duplicate has more than its record at the most. Headers: names, two ids of 512 bytes, a topic, a
     * place, four numbers. A verdict in place of the value: the same, where JSON takes six bytes for some characters of
     * an id.
     */
    public static final int DUPLICATE_BYTES_MAX = 2_100 + 7_260;

    /** What a unique document has more than its record at the most. */
    public static final int UNIQUE_BYTES_MAX = 60;

    static InputRecord input(Record<byte[], byte[]> record, RecordMetadata metadata) {
        return new InputRecord(
                metadata.topic(),
                metadata.partition(),
                metadata.offset(),
                record.timestamp(),
                record.key(),
                record.value(),
                copy(record.headers()));
    }

    /** A record that a consumer has read, in the form of those that pass through here. */
    public static InputRecord copy(ConsumerRecord<byte[], byte[]> record) {
        return new InputRecord(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                record.key(),
                record.value(),
                copy(record.headers()));
    }

    /** Kafka's headers in the form of the records that pass through here. */
    public static List<RecordHeader> copy(Headers headers) {
        List<RecordHeader> copied = new ArrayList<>();
        for (Header header : headers) {
            copied.add(new RecordHeader(header.key(), header.value()));
        }
        return copied;
    }

    /**
     * Whether headers of this name that come in leave on no output: whatever an output has under such a name this
     * service has found. That a dead letter was sent back is no finding of the service, and has to be kept.
     */
    public static boolean isTakenOff(String header) {
        return header.startsWith(OWN_PREFIX) && !header.equals(REDRIVEN);
    }

    /** The headers that came in and that each output keeps, of a record of an input or an output. */
    public static List<RecordHeader> given(InputRecord record) {
        List<RecordHeader> given = new ArrayList<>(record.headers());
        given.removeIf(header -> isTakenOff(header.name()));
        return given;
    }

    /** The record as it came; with the header {@value #BOUNDED} where candidates were truncated. */
    Record<Routed, byte[]> unique(Arrival arrival, Set<Bound> bounds) {
        InputRecord input = arrival.input();
        Headers headers = headers(input);
        if (!bounds.isEmpty()) {
            put(headers, BOUNDED, String.join(",", codes(bounds)));
        }
        return new Routed(input.partition(), input.key()).record(input.value(), input.timestamp(), headers);
    }

    /** Because of which candidates were truncated, so that a document on the unique output may repeat one of those. */
    static Set<Bound> bounds(Decision decision) {
        return decision instanceof Decision.Unique unique ? unique.bounds() : Set.of();
    }

    private static List<String> codes(Set<Bound> bounds) {
        return bounds.stream().sorted().map(OutputRecords::code).toList();
    }

    /** How a bound is called in headers and metrics. */
    static String code(Bound bound) {
        return bound.name().toLowerCase(Locale.ROOT);
    }

    /** The record as it came with headers that name the original, or a verdict in its place. */
    Record<Routed, byte[]> duplicate(Arrival arrival, Decision.Duplicate duplicate) {
        InputRecord input = arrival.input();
        Headers headers = headers(input);
        put(headers, ID, arrival.id());
        put(headers, DUPLICATE_OF, duplicate.originalId());
        put(headers, DUPLICATE_OF_PLACE, duplicate.provenance().place());
        seeding.seedOf(duplicate.original()).ifPresent(topic -> put(headers, DUPLICATE_OF_SEED, topic));
        Similarity similarity = duplicate.similarity();
        put(headers, SIMILARITY, String.valueOf(similarity.value()));
        if (similarity.knowsWhole()) {
            put(headers, SIMILARITY_WHOLE, String.valueOf(similarity.whole()));
        }
        if (similarity.knowsShares()) {
            put(headers, CONTAINMENT_OF_DUPLICATE, String.valueOf(similarity.ofFirst()));
            put(headers, CONTAINMENT_OF_ORIGINAL, String.valueOf(similarity.ofSecond()));
        }
        if (arrival.id().equals(duplicate.originalId())) {
            put(headers, VERSION, SAME_ID);
        }
        byte[] value = duplicateValue == DuplicateValue.RECORD
                ? input.value()
                : VerdictCodec.encode(arrival.id(), repeated(duplicate));
        return new Routed(input.partition(), input.key()).record(value, input.timestamp(), headers);
    }

    /**
     * What a record of the duplicates says that it repeats; an empty id and NaN for a similarity where it does not, as
     * who else writes there may not.
     */
    public static Repeated repeated(InputRecord duplicate) {
        double similarity;
        try {
            similarity = duplicate.header(SIMILARITY).map(Double::parseDouble).orElse(Double.NaN);
        } catch (NumberFormatException e) {
            similarity = Double.NaN;
        }
        return new Repeated(
                duplicate.header(DUPLICATE_OF).orElse(""),
                duplicate.header(DUPLICATE_OF_PLACE).orElse(null),
                Similarity.of(similarity),
                duplicate.header(DUPLICATE_OF_SEED).orElse(null));
    }

    private Repeated repeated(Decision.Duplicate duplicate) {
        return new Repeated(
                duplicate.originalId(),
                duplicate.provenance().place(),
                duplicate.similarity(),
                seeding.seedOf(duplicate.original()).orElse(null));
    }

    /**
     * The verdict under the place of its record as key, in the partition of the record's own number. Its timestamp is
     * when it was made: the record's own may be one that the topic does not take, and stands in the verdict.
     *
     * @param rejection why the record left as a dead letter; empty where it did not
     */
    Record<Routed, byte[]> verdict(Arrival arrival, Decision decision, Optional<Rejection> rejection, long nowMillis) {
        InputRecord input = arrival.input();
        Decision left = rejection.isEmpty() ? decision : Decision.UNJUDGED;
        Verdict verdict = new Verdict(
                new Position(input.topic(), input.partition(), input.offset()),
                input.timestamp(),
                arrival.id(),
                outcome(input, decision, rejection),
                left instanceof Decision.Duplicate duplicate ? repeated(duplicate) : null,
                nearest(left),
                rejection.map(found -> found.reason().code()).orElse(null),
                codes(bounds(left)),
                settings,
                arrival.source().isEmpty() ? null : arrival.source(),
                arrival.provenance().length());
        Routed routed = new Routed(input.partition(), input.place().getBytes(UTF_8));
        return routed.record(VerdictCodec.encode(verdict), nowMillis, new RecordHeaders());
    }

    private static Outcome outcome(InputRecord input, Decision decision, Optional<Rejection> rejection) {
        if (rejection.isPresent()) {
            return Outcome.DEAD_LETTER;
        }
        if (decision instanceof Decision.Duplicate) {
            return Outcome.DUPLICATE;
        }
        return input.value() == null ? Outcome.TOMBSTONE : Outcome.UNIQUE;
    }

    private static @Nullable Nearest nearest(Decision decision) {
        Neighbour nearest = decision instanceof Decision.Unique unique ? unique.nearestBelow() : null;
        return nearest == null
                ? null
                : new Nearest(
                        nearest.id(),
                        nearest.provenance().place(),
                        nearest.similarity().value());
    }

    /**
     * The record with headers that say why and where it came from. What the topic does not carry is omitted: first the
     * value, then the headers and the key too; a timestamp out of its range becomes the present.
     */
    Record<Routed, byte[]> deadLetter(InputRecord input, Rejection rejection, long nowMillis) {
        Headers reasons = reasons(input, rejection);
        long timestamp =
                deadLetterLimits.carriesTimestamp(input.timestamp(), nowMillis) ? input.timestamp() : nowMillis;
        byte[] key = input.key() == null && deadLetterLimits.keyNeeded()
                ? input.place().getBytes(UTF_8)
                : input.key();
        int addedToKey = input.key() == null && key != null ? key.length : 0;
        long whole = OutputLimits.bytesMax(input) + addedToKey + OutputLimits.bytes(reasons);
        byte[] value = input.value();
        if (whole <= deadLetterLimits.recordBytesMax()) {
            return new Routed(input.partition(), key).record(value, timestamp, join(headers(input), reasons));
        }
        long valueBytes = value == null ? 0 : value.length;
        put(reasons, VALUE_BYTES, String.valueOf(valueBytes));
        boolean rest = whole - valueBytes + VALUE_BYTES.length() + 40 <= deadLetterLimits.recordBytesMax();
        return rest
                ? new Routed(input.partition(), key).record(null, timestamp, join(headers(input), reasons))
                : new Routed(input.partition(), input.place().getBytes(UTF_8)).record(null, timestamp, reasons);
    }

    private static Headers reasons(InputRecord input, Rejection rejection) {
        Headers headers = new RecordHeaders();
        put(headers, REASON, rejection.reason().code());
        put(headers, DETAIL, rejection.detail());
        put(headers, SOURCE_TOPIC, input.topic());
        put(headers, SOURCE_PARTITION, String.valueOf(input.partition()));
        put(headers, SOURCE_OFFSET, String.valueOf(input.offset()));
        String id = rejection.id();
        if (id != null) {
            put(headers, ID, id);
        }
        return headers;
    }

    private static Headers headers(InputRecord input) {
        Headers headers = new RecordHeaders();
        given(input).forEach(header -> headers.add(header.name(), header.value()));
        return headers;
    }

    private static Headers join(Headers headers, Headers added) {
        added.forEach(headers::add);
        return headers;
    }

    static void put(Headers headers, String name, String value) {
        headers.add(name, value.getBytes(UTF_8));
    }
}
