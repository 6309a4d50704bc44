package io.neardup.streams.store;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.CoordinatorState.Entry;
import io.neardup.engine.protocol.CoordinatorState.Expiry;
import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.engine.protocol.CoordinatorState.TakenOver;
import io.neardup.engine.protocol.CoordinatorState.Tombstone;
import io.neardup.engine.protocol.Decision;
import io.neardup.engine.protocol.Decision.Bound;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.engine.protocol.Origin;
import io.neardup.engine.protocol.Original;
import io.neardup.engine.protocol.SequenceAllocator.SequenceBlock;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;

/**
 * The values of a coordinator's stores and of their changelogs. Each begins with the version; it covers the keys too,
 * which have no room for one of their own.
 */
public final class StateCodec {
    public static final int VERSION = 10;

    private static final int UNIQUE = 1;
    private static final int DUPLICATE = 2;

    /** A text and an offset, or the number of an entry and its value: a byte each at the least. */
    private static final int PAIR_BYTES_MIN = 2;

    // ---- originals

    public static final Layout<Original> ORIGINAL =
            new Layout<>("an original", VERSION, StateCodec::put, StateCodec::takeOriginal);

    /** When an original was last repeated, in milliseconds of event time, at least 0. */
    public static final Layout<Long> REPEATED =
            new Layout<>("when an original was last repeated", VERSION, ByteWriter::putSmall, ByteReader::takeSmall);

    /** The value of an entry whose key says all. */
    static final Layout<Boolean> KEY_ALONE =
            new Layout<>("an entry beside an original", VERSION, (to, isThere) -> {}, from -> true);

    // ---- progress

    public static final Layout<Decision> DECISION =
            new Layout<>("a decision", VERSION, StateCodec::put, StateCodec::takeDecision);

    static final Layout<Expiry> EXPIRY = new Layout<>(
            "how far originals have expired",
            VERSION,
            (to, expiry) -> to.putSmall(expiry.nextSequence()).putSmall(expiry.eventMillis()),
            from -> new Expiry(from.takeSmall(), from.takeSmall()));

    static final Layout<Integer> EPOCH = new Layout<>(
            "the epoch of a coordinator",
            VERSION,
            (to, epoch) -> to.putSmall(epoch),
            from -> from.takeInt(Integer.MAX_VALUE));

    static final Layout<InputPosition> POSITION = new Layout<>(
            "how far a coordinator is with a topic",
            VERSION,
            (to, position) -> to.putSmall(position.offset()).putSmall(position.readEnd()),
            from -> new InputPosition(from.takeSmall(), from.takeSmall()));

    static final Layout<SequenceBlock> BLOCK = new Layout<>(
            "a block of sequence numbers",
            VERSION,
            (to, block) -> to.putText(block.topic())
                    .putSmall(block.firstOffset())
                    .putSmall(block.firstSequence())
                    .putSmall(block.arrivalMillis()),
            from -> new SequenceBlock(from.takeText(), from.takeSmall(), from.takeSmall(), from.takeSmall()));

    static final Layout<Handover> HANDOVER = new Layout<>(
            "what a coordinator leaves to a successor", VERSION, StateCodec::put, StateCodec::takeHandover);

    static final Layout<TakenOver> TAKEN_OVER = new Layout<>(
            "what was taken over",
            VERSION,
            (to, takenOver) -> to.putSmall(takenOver.beforeSequence()).putFlag(takenOver.isSpread()),
            from -> new TakenOver(from.takeSmall(), from.takeFlag()));

    static final Layout<Tombstone> TOMBSTONE = new Layout<>(
            "a tombstone",
            VERSION,
            (to, tombstone) -> to.putRecordKey(tombstone.key()).putSmall(tombstone.beforeSequence()),
            from -> new Tombstone(from.takeRecordKey(), from.takeSmall()));

    /** Entries that share a record of the changelog: by the last byte of their keys, in which alone these differ. */
    static final Layout<SortedMap<Integer, Bytes>> GROUP =
            new Layout<>("a group of entries of progress", VERSION, StateCodec::put, StateCodec::takeGroup);

    private StateCodec() {}

    private static void put(ByteWriter to, Original original) {
        SignedDocument document = original.document();
        to.putText(document.id())
                .putOrigin(original.origin())
                .putKeys(document.keys())
                .putSketch(document.sketch())
                .putBytes(document.evidence().bytes());
    }

    private static Original takeOriginal(ByteReader from) {
        String id = from.takeText();
        Origin origin = from.takeOrigin();
        BandKeys keys = from.takeKeys();
        BitSketch sketch = from.takeSketch();
        return new Original(new SignedDocument(id, keys, Evidence.of(from.takeBytes()), sketch), origin);
    }

    /**
     * An original without its evidence, which is most of the bytes and is not read.
     *
     * @param ref its name, which is not among the bytes
     */
    static Entry decodeEntry(DocumentRef ref, byte[] bytes) {
        return ByteReader.decode(ORIGINAL.what(), VERSION, bytes, from -> {
            Entry entry = new Entry(ref, from.takeText(), from.takeOrigin(), from.takeKeys(), bytes.length);
            from.skipRest();
            return entry;
        });
    }

    private static void put(ByteWriter to, Decision decision) {
        if (decision instanceof Decision.Duplicate duplicate) {
            to.putByte(DUPLICATE)
                    .putRef(duplicate.original())
                    .putText(duplicate.originalId())
                    .putProvenance(duplicate.provenance())
                    .putSimilarity(duplicate.similarity());
        } else if (decision instanceof Decision.Unique unique) {
            to.putByte(UNIQUE)
                    .putByte(bits(unique.bounds()))
                    .putOrNone(unique.nearestBelow(), ByteWriter::putNeighbour);
        } else {
            throw new IllegalArgumentException(
                    "a decision on a document: expected unique or duplicate, found " + decision);
        }
    }

    private static Decision takeDecision(ByteReader from) {
        int kind = from.takeByte();
        return switch (kind) {
            case UNIQUE -> new Decision.Unique(bounds(from), from.takeOrNone(ByteReader::takeNeighbour));
            case DUPLICATE ->
                new Decision.Duplicate(from.takeRef(), from.takeText(), from.takeProvenance(), from.takeSimilarity());
            default -> throw from.broken("a kind of decision from 1 to 2", String.valueOf(kind));
        };
    }

    private static int bits(Set<Bound> bounds) {
        return bounds.stream().mapToInt(StateCodec::bit).sum();
    }

    private static int bit(Bound bound) {
        return switch (bound) {
            case BUCKET -> 1;
            case CANDIDATES -> 2;
            case RANK -> 4;
        };
    }

    private static Set<Bound> bounds(ByteReader from) {
        int bits = from.takeByte();
        Set<Bound> bounds = EnumSet.allOf(Bound.class);
        int all = bits(bounds);
        if ((bits & ~all) != 0) {
            throw from.broken("bits of bounds, to " + all, String.valueOf(bits));
        }
        bounds.removeIf(bound -> (bits & bit(bound)) == 0);
        return bounds;
    }

    private static void put(ByteWriter to, SortedMap<Integer, Bytes> byLastByte) {
        to.putSmall(byLastByte.size());
        byLastByte.forEach((last, value) -> to.putByte(last).putBytes(value.get()));
    }

    private static SortedMap<Integer, Bytes> takeGroup(ByteReader from) {
        SortedMap<Integer, Bytes> byLastByte = new TreeMap<>();
        for (int more = from.takeCount(PAIR_BYTES_MIN); more > 0; more--) {
            byLastByte.put(from.takeByte(), Bytes.wrap(from.takeBytes()));
        }
        return byLastByte;
    }

    private static void put(ByteWriter to, Handover handover) {
        to.putFlag(handover.isReportedEmpty()).putSmall(handover.positions().size());
        // One more than it is: the beginning is the number below 0.
        new TreeMap<>(handover.positions())
                .forEach((topic, offset) -> to.putText(topic).putSmall(offset + 1));
    }

    private static Handover takeHandover(ByteReader from) {
        boolean isReportedEmpty = from.takeFlag();
        Map<String, Long> positions = new HashMap<>();
        for (int more = from.takeCount(PAIR_BYTES_MIN); more > 0; more--) {
            positions.put(from.takeText(), from.takeSmall() - 1);
        }
        return new Handover(positions, isReportedEmpty);
    }
}
