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
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;

/**
 * The values of a coordinator's stores and of their changelogs. Each begins with the version; it covers the keys too,
 * which have no room for one of their own.
 */
public final class StateCodec {
    /** Of the layout that this release writes and reads. */
    public static final int VERSION = 8;

    private static final int UNIQUE = 1;
    private static final int DUPLICATE = 2;

    private static final int BYTES = 64;
    private static final int NUMBER_BYTES = 11;

    /** A text and an offset, or the number of an entry and its value: a byte each at the least. */
    private static final int PAIR_BYTES_MIN = 2;

    private StateCodec() {}

    private static ByteWriter begin(int capacity) {
        return new ByteWriter(capacity).putByte(VERSION);
    }

    private static <T> T decode(String what, byte[] bytes, Function<ByteReader, T> fields) {
        return ByteReader.decode(what, VERSION, bytes, fields);
    }

    // ---- originals

    public static byte[] encode(Original original) {
        byte[] evidence = original.evidence().bytes();
        // Nearly all of it; a buffer that is too small grows.
        return begin(BYTES
                        + Long.BYTES
                                * (original.keys().bands() + original.sketch().words())
                        + evidence.length)
                .putText(original.id())
                .putOrigin(original.origin())
                .putKeys(original.keys())
                .putSketch(original.sketch())
                .putBytes(evidence)
                .toBytes();
    }

    public static Original decodeOriginal(byte[] bytes) {
        return decode("an original", bytes, from -> {
            String id = from.takeText();
            Origin origin = from.takeOrigin();
            BandKeys keys = from.takeKeys();
            BitSketch sketch = from.takeSketch();
            return new Original(id, origin, keys, Evidence.of(from.takeBytes()), sketch);
        });
    }

    /**
     * An original without its evidence, which is most of the bytes and is not read.
     *
     * @param ref its name, which is not among the bytes
     */
    static Entry decodeEntry(DocumentRef ref, byte[] bytes) {
        return decode("an original", bytes, from -> {
            Entry entry = new Entry(ref, from.takeText(), from.takeOrigin(), from.takeKeys(), bytes.length);
            from.skipRest();
            return entry;
        });
    }

    /** The id of an original and where it came from; nothing else is read. */
    static Provenance decodeProvenance(byte[] bytes) {
        return decode("an original", bytes, from -> {
            Provenance provenance = new Provenance(from.takeText(), from.takeOrigin());
            from.skipRest();
            return provenance;
        });
    }

    record Provenance(String id, Origin origin) {}

    /** When an original was last repeated, in milliseconds of event time, at least 0. */
    public static byte[] encodeRepeated(long eventMillis) {
        return begin(NUMBER_BYTES).putSmall(eventMillis).toBytes();
    }

    public static long decodeRepeated(byte[] bytes) {
        return decode("when an original was last repeated", bytes, ByteReader::takeSmall);
    }

    /** The value of an entry whose key says all. */
    static byte[] encodeKeyAlone() {
        return new byte[] {VERSION};
    }

    /** Checks the value of such an entry. */
    static void checkKeyAlone(byte[] bytes) {
        decode("an entry beside an original", bytes, from -> true);
    }

    // ---- progress

    public static byte[] encode(Decision decision) {
        ByteWriter to = begin(BYTES);
        if (decision instanceof Decision.Duplicate duplicate) {
            to.putByte(DUPLICATE)
                    .putRef(duplicate.original())
                    .putText(duplicate.originalId())
                    .putSimilarity(duplicate.similarity());
        } else if (decision instanceof Decision.Unique unique) {
            to.putByte(UNIQUE).putByte(bits(unique.bounds()));
        } else {
            throw new IllegalArgumentException(
                    "a decision on a document: expected unique or duplicate, found " + decision);
        }
        return to.toBytes();
    }

    public static Decision decodeDecision(byte[] bytes) {
        return decode("a decision", bytes, from -> {
            int kind = from.takeByte();
            return switch (kind) {
                case UNIQUE -> new Decision.Unique(bounds(from));
                case DUPLICATE -> new Decision.Duplicate(from.takeRef(), from.takeText(), from.takeSimilarity());
                default -> throw from.broken("a kind of decision from 1 to 2", String.valueOf(kind));
            };
        });
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

    /**
     * Entries of progress that share a record of the changelog.
     *
     * @param byLastByte the values, by the last byte of their keys, in which alone these differ
     */
    static byte[] encodeGroup(SortedMap<Integer, Bytes> byLastByte) {
        ByteWriter to = begin(BYTES).putSmall(byLastByte.size());
        byLastByte.forEach((last, value) -> to.putByte(last).putBytes(value.get()));
        return to.toBytes();
    }

    static SortedMap<Integer, Bytes> decodeGroup(byte[] bytes) {
        return decode("a group of entries of progress", bytes, from -> {
            SortedMap<Integer, Bytes> byLastByte = new TreeMap<>();
            for (int more = from.takeCount(PAIR_BYTES_MIN); more > 0; more--) {
                byLastByte.put(from.takeByte(), Bytes.wrap(from.takeBytes()));
            }
            return byLastByte;
        });
    }

    static byte[] encode(Expiry expiry) {
        return begin(BYTES)
                .putSmall(expiry.nextSequence())
                .putSmall(expiry.eventMillis())
                .toBytes();
    }

    static Expiry decodeExpiry(byte[] bytes) {
        return decode("how far originals have expired", bytes, from -> new Expiry(from.takeSmall(), from.takeSmall()));
    }

    static byte[] encodeEpoch(int epoch) {
        return begin(NUMBER_BYTES).putSmall(epoch).toBytes();
    }

    static int decodeEpoch(byte[] bytes) {
        return decode("the epoch of a coordinator", bytes, from -> from.takeInt(Integer.MAX_VALUE));
    }

    /** How far a coordinator is with a topic. */
    public static byte[] encode(InputPosition position) {
        return begin(NUMBER_BYTES)
                .putSmall(position.offset())
                .putFlag(position.held())
                .putFlag(position.read())
                .toBytes();
    }

    public static InputPosition decodePosition(byte[] bytes) {
        return decode(
                "how far a coordinator is with a topic",
                bytes,
                from -> new InputPosition(from.takeSmall(), from.takeFlag(), from.takeFlag()));
    }

    public static byte[] encode(SequenceBlock block) {
        return begin(BYTES)
                .putText(block.topic())
                .putSmall(block.firstOffset())
                .putSmall(block.firstSequence())
                .putSmall(block.arrivalMillis())
                .toBytes();
    }

    public static SequenceBlock decodeBlock(byte[] bytes) {
        return decode(
                "a block of sequence numbers",
                bytes,
                from -> new SequenceBlock(from.takeText(), from.takeSmall(), from.takeSmall(), from.takeSmall()));
    }

    /** What a coordinator leaves to a successor. */
    static byte[] encode(Handover handover) {
        ByteWriter to = begin(BYTES)
                .putFlag(handover.isEmpty())
                .putSmall(handover.positions().size());
        // One more than it is: the beginning is the number below 0.
        new TreeMap<>(handover.positions())
                .forEach((topic, offset) -> to.putText(topic).putSmall(offset + 1));
        return to.toBytes();
    }

    static Handover decodeHandover(byte[] bytes) {
        return decode("what a coordinator leaves to a successor", bytes, from -> {
            boolean isEmpty = from.takeFlag();
            Map<String, Long> positions = new HashMap<>();
            for (int more = from.takeCount(PAIR_BYTES_MIN); more > 0; more--) {
                positions.put(from.takeText(), from.takeSmall() - 1);
            }
            return new Handover(positions, isEmpty);
        });
    }

    /** What was taken over of another index. */
    static byte[] encode(TakenOver takenOver) {
        return begin(NUMBER_BYTES)
                .putSmall(takenOver.beforeSequence())
                .putFlag(takenOver.isSpread())
                .toBytes();
    }

    static TakenOver decodeTakenOver(byte[] bytes) {
        return decode("what was taken over", bytes, from -> new TakenOver(from.takeSmall(), from.takeFlag()));
    }

    static byte[] encode(Tombstone tombstone) {
        return begin(BYTES)
                .putRecordKey(tombstone.key())
                .putSmall(tombstone.beforeSequence())
                .toBytes();
    }

    static Tombstone decodeTombstone(byte[] bytes) {
        return decode("a tombstone", bytes, from -> new Tombstone(from.takeRecordKey(), from.takeSmall()));
    }
}
