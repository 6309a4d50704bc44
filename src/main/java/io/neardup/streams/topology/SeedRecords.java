package io.neardup.streams.topology;

import static io.neardup.streams.topology.OutputRecords.put;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.config.Signing.DocumentSigner;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Original;
import io.neardup.engine.protocol.PredecessorChange;
import io.neardup.engine.protocol.PredecessorChange.Completed;
import io.neardup.engine.protocol.PredecessorChange.Inherited;
import io.neardup.engine.protocol.PredecessorChange.Removed;
import io.neardup.engine.protocol.PredecessorChange.Repeated;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.record.InputRecord;
import io.neardup.record.Reason;
import io.neardup.record.RecordHeader;
import io.neardup.record.Rejection;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.input.Takeover;
import io.neardup.streams.store.StateCodec;
import io.neardup.streams.store.StateKeys;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * What goes to the coordinators before the input.
 *
 * <p>The documents of seeds: as they came, with more headers that say where from. One that is too large has its place
 * alone, and its size. Or the changes of the predecessor of an index: the values of its changelog of originals as they
 * are, with a header that names the original; no value where it is none any more.
 *
 * <p>Behind the last of a topic comes its end, a record of nothing but headers. The last of these names the topic; that
 * of a predecessor also has where the input begins.
 */
public final class SeedRecords {
    private static final String TOPIC = "neardup.seed.topic";
    private static final String PARTITION = "neardup.seed.partition";
    private static final String OFFSET = "neardup.seed.offset";
    private static final String END = "neardup.seed.end";
    private static final String TOO_LARGE = "neardup.seed.too-large";
    private static final String ORIGINAL = "neardup.followed.original";
    private static final String REPEATED = "neardup.followed.repeated";
    private static final String SPREAD = "neardup.followed.spread";
    private static final String EVENT = "neardup.followed.event";
    private static final String START = "neardup.followed.start.";

    private static final int ADDED_HEADERS = 4;

    /** What the headers add at the most: the name of a topic has up to 249 characters. */
    private static final int ADDED_BYTES_MAX = 600;

    private SeedRecords() {}

    /**
     * That a coordinator has released all documents of a seed: a record of the settings topic, under a key of its own.
     *
     * @param endSequence the number of the seed's end at its coordinator, above those of all its documents
     */
    public record SeedRead(String topic, int coordinator, long endSequence) {
        /** The keys of these, and of no other record of the topic, begin with it. */
        public static final String PREFIX = "seed-read/";

        private static final int VERSION = 1;
        private static final String SEPARATOR = "/";

        /** For all instances to read. */
        Record<Routed, byte[]> note(long nowMillis) {
            // No other of the same coordinator and topic has this key.
            String key = PREFIX + coordinator + SEPARATOR + endSequence + SEPARATOR + topic;
            return Routed.note(key, String.valueOf(VERSION).getBytes(UTF_8), nowMillis);
        }

        /**
         * What a key and its value say.
         *
         * @throws IllegalArgumentException if it is none, or of another version
         */
        public static SeedRead of(String key, String value) {
            String[] parts = key.split(SEPARATOR, 4);
            try {
                if (parts.length == 4 && Integer.parseInt(value) == VERSION) {
                    return new SeedRead(parts[3], Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
                }
            } catch (NumberFormatException e) {
                // Told below.
            }
            throw new IllegalArgumentException("that a coordinator has read a seed: expected version " + VERSION
                    + " under a key like " + PREFIX + "0/12/topic, found " + value + " under " + key);
        }
    }

    // ---- documents of seeds

    /**
     * Routes a document to the coordinator that a producer's own choice would take it to; without a key to one after
     * the other. What came to the topic after the index was made is skipped.
     *
     * @param bytesMax the largest that gets there
     */
    static Stream<Record<Routed, byte[]>> route(InputRecord seed, Seeding seeding, long bytesMax) {
        if (!seeding.includes(seed.topic(), seed.partition(), seed.offset())) {
            return Stream.empty();
        }
        byte[] key = seed.key();
        long turn = key == null
                ? seed.offset() + seed.partition()
                : Routed.byKey(key).partition();
        int coordinator = (int) (turn % seeding.coordinators());
        long bytes = OutputLimits.bytesMax(seed);
        boolean fits = bytes + ADDED_BYTES_MAX <= bytesMax;
        Headers headers = new RecordHeaders();
        if (fits) {
            seed.headers().forEach(header -> headers.add(header.name(), header.value()));
        }
        put(headers, TOPIC, seed.topic());
        put(headers, PARTITION, String.valueOf(seed.partition()));
        put(headers, OFFSET, String.valueOf(seed.offset()));
        put(headers, TOO_LARGE, fits ? "" : bytes + " bytes with key and headers, of at most " + bytesMax);
        return Stream.of(new Routed(coordinator, fits ? key : null)
                .record(fits ? seed.value() : null, seed.timestamp(), headers));
    }

    /** Why a record arrives without its content, if it does. */
    static Optional<Rejection> tooLarge(InputRecord carried) {
        String found = text(last(carried));
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(new Rejection(
                        Reason.TOO_LARGE, "expected a record of a seed that fits into one here, found " + found, null));
    }

    /** The record as it stands in its seed. */
    static InputRecord seedRecord(InputRecord carried) {
        List<RecordHeader> headers = carried.headers();
        List<RecordHeader> own = headers.subList(0, headers.size() - ADDED_HEADERS);
        List<RecordHeader> added = headers.subList(own.size(), headers.size());
        return new InputRecord(
                text(added.get(0)),
                Integer.parseInt(text(added.get(1))),
                Long.parseLong(text(added.get(2))),
                carried.timestamp(),
                carried.key(),
                carried.value(),
                own);
    }

    // ---- changes of a predecessor

    /**
     * Routes the originals of the predecessor from their changelog to the coordinators here, all that concerns one of
     * them to the same coordinator and in order. Where there are as many coordinators they go to the one of the same
     * number, so that later records of their keys come there too.
     *
     * <p>If the predecessor has seeds, the end of each is sent too, before the first original that came later there.
     * After a start it may be sent again, behind some of these: the first counts.
     */
    static final class ChangeRouter implements Function<InputRecord, Stream<Record<Routed, byte[]>>> {
        private final Seeding seeding;
        private int seedsEnded;

        ChangeRouter(Seeding seeding) {
            this.seeding = seeding;
        }

        @Override
        public Stream<Record<Routed, byte[]>> apply(InputRecord change) {
            byte[] key = Objects.requireNonNull(change.key());
            boolean isOriginal = StateKeys.isOriginal(key);
            // What an original is found by is made anew, and a repeat is gone with its original.
            boolean counts = isOriginal || (StateKeys.isRepeated(key) && change.value() != null);
            if (!counts || !seeding.includes(change.topic(), change.partition(), change.offset())) {
                return Stream.empty();
            }
            DocumentRef ref = new DocumentRef(change.partition(), StateKeys.lastSequence(key));
            Headers headers = new RecordHeaders();
            put(headers, isOriginal ? ORIGINAL : REPEATED, ref.coordinator() + "/" + ref.sequence());
            return Stream.concat(
                    isOriginal ? endsBefore(ref, change.timestamp()) : Stream.empty(),
                    Stream.of(new Routed(seeding.coordinatorOf(ref), null)
                            .record(change.value(), change.timestamp(), headers)));
        }

        private Stream<Record<Routed, byte[]>> endsBefore(DocumentRef ref, long timestamp) {
            int endedBefore = seedsEnded;
            seedsEnded = Math.max(seedsEnded, seeding.seedsBefore(ref));
            return seeding.inherited().subList(endedBefore, seedsEnded).stream()
                    .flatMap(seed -> seeding.coordinatorsTakingFrom(ref.coordinator())
                            .mapToObj(coordinator -> {
                                Headers end = new RecordHeaders();
                                put(end, END, seed);
                                return new Routed(coordinator, null).record(null, timestamp, end);
                            }));
        }
    }

    /** Whether a record is a change of an original of the predecessor. */
    static boolean isChange(InputRecord carried) {
        return predecessorRef(carried, ORIGINAL) != null || predecessorRef(carried, REPEATED) != null;
    }

    /**
     * The change that a record is.
     *
     * @throws UnsignableException where the original cannot be compared under the settings of this index
     */
    static PredecessorChange change(InputRecord carried, DocumentSigner signer) throws UnsignableException {
        byte[] value = carried.value();
        DocumentRef ref = predecessorRef(carried, ORIGINAL);
        if (ref != null) {
            return value == null ? new Removed(ref) : inherited(ref, original(carried), signer);
        }
        DocumentRef repeated = Objects.requireNonNull(predecessorRef(carried, REPEATED), REPEATED);
        return new Repeated(repeated, StateCodec.REPEATED.decode(Objects.requireNonNull(value, REPEATED)));
    }

    /** The original that a change is. */
    static Original original(InputRecord carried) {
        return StateCodec.ORIGINAL.decode(Objects.requireNonNull(carried.value()));
    }

    private static Inherited inherited(DocumentRef ref, Original original, DocumentSigner signer)
            throws UnsignableException {
        SignedDocument kept = original.document();
        return new Inherited(new Original(
                signer.signKept(kept.id(), kept.evidence()), original.origin().takenOverFrom(ref)));
    }

    /** The ref that an original has in the predecessor; null where the last header is not the given one. */
    private static @Nullable DocumentRef predecessorRef(InputRecord carried, String header) {
        RecordHeader last = last(carried);
        if (!last.name().equals(header)) {
            return null;
        }
        String[] parts = text(last).split("/", 2);
        return new DocumentRef(Integer.parseInt(parts[0]), Long.parseLong(parts[1]));
    }

    // ---- ends

    /**
     * The end of a topic, for one coordinator.
     *
     * @param of the predecessor whose changes end; empty where a seed does
     */
    public static ProducerRecord<byte[], byte[]> end(
            String seeds, int coordinator, String topic, Optional<Takeover> of) {
        ProducerRecord<byte[], byte[]> end = new ProducerRecord<>(seeds, coordinator, null, null);
        of.ifPresent(takeover -> {
            Map<String, Long> starts = takeover.starts().get(coordinator);
            starts.forEach((input, offset) -> put(end.headers(), START + input, String.valueOf(offset)));
            put(end.headers(), EVENT, String.valueOf(takeover.eventMillis().get(coordinator)));
            put(end.headers(), SPREAD, String.valueOf(takeover.isSpread()));
        });
        put(end.headers(), END, topic);
        return end;
    }

    /** The topic that ends here; empty for a document of one. */
    static Optional<String> endOf(InputRecord carried) {
        return Optional.of(last(carried))
                .filter(last -> last.name().equals(END))
                .map(SeedRecords::text);
    }

    /** Whether these are the headers of an end. */
    public static boolean isEnd(Headers headers) {
        Header[] all = headers.toArray();
        return all.length > 0 && all[all.length - 1].key().equals(END);
    }

    private static RecordHeader last(InputRecord carried) {
        return carried.headers().get(carried.headers().size() - 1);
    }

    /** What the end of a predecessor says; null for that of a seed. */
    static @Nullable Completed completed(InputRecord carried) {
        Map<String, Long> starts = new HashMap<>();
        Boolean isSpread = null;
        long eventMillis = 0;
        for (RecordHeader header : carried.headers()) {
            if (header.name().startsWith(START)) {
                starts.put(header.name().substring(START.length()), Long.valueOf(text(header)));
            } else if (header.name().equals(SPREAD)) {
                isSpread = Boolean.valueOf(text(header));
            } else if (header.name().equals(EVENT)) {
                eventMillis = Long.parseLong(text(header));
            }
        }
        return isSpread == null ? null : new Completed(starts, isSpread, eventMillis);
    }

    private static String text(RecordHeader header) {
        return new String(Objects.requireNonNull(header.value(), header.name()), UTF_8);
    }
}
