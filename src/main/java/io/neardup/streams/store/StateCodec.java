package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;

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
import io.neardup.engine.protocol.RecordKey;
import io.neardup.engine.protocol.SequenceAllocator.SequenceBlock;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The values of a coordinator's stores and of their changelogs. Each begins with the version; it covers the keys too,
 * which have no room for one of their own.
 */
public final class StateCodec {
    static final int VERSION = 7;
    /** See {@link StateLayout}. */
    private static final int VERSION_MIN = 6;

    private static final int UNIQUE = 1;
    private static final int DUPLICATE = 2;

    private static final int BLOCK_BYTES = 64;
    private static final int NUMBER_BYTES = 11;
    private static final int POSITION_BYTES_MIN = 2;

    private StateCodec() {}

    /** A decision on a document. */
    public static byte[] encode(Decision decision) {
        ByteWriter to = new ByteWriter(64).putByte(VERSION);
        if (decision instanceof Decision.Duplicate duplicate) {
            Fields.putRef(to.putByte(DUPLICATE), duplicate.original());
            Fields.putSimilarity(to.putText(duplicate.originalId()), duplicate.similarity());
        } else if (decision instanceof Decision.Unique unique) {
            to.putByte(UNIQUE).putByte(bits(unique.bounds()));
        } else {
            throw new IllegalArgumentException(
                    "a decision on a document: expected unique or duplicate, found " + decision);
        }
        return to.toBytes();
    }

    public static Decision decodeDecision(byte[] bytes) {
        ByteReader from = new ByteReader("a decision", bytes).expectVersion(VERSION_MIN, VERSION);
        int kind = from.takeByte();
        Decision decision =
                switch (kind) {
                    case UNIQUE -> new Decision.Unique(bounds(from));
                    case DUPLICATE ->
                        new Decision.Duplicate(Fields.takeRef(from), from.takeText(), Fields.takeSimilarity(from));
                    default -> throw from.broken("a kind of decision from 1 to 2", String.valueOf(kind));
                };
        from.expectEnd();
        return decision;
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

    public static byte[] encode(Expiry expiry) {
        return new ByteWriter(BLOCK_BYTES)
                .putByte(VERSION)
                .putSmall(expiry.nextSequence())
                .putSmall(expiry.eventMillis())
                .toBytes();
    }

    public static Expiry decodeExpiry(byte[] bytes) {
        ByteReader from = new ByteReader("how far originals have expired", bytes).expectVersion(VERSION_MIN, VERSION);
        Expiry expiry = new Expiry(from.takeSmall(), from.takeSmall());
        from.expectEnd();
        return expiry;
    }

    /** How often a coordinator has started. */
    public static byte[] encodeEpoch(int epoch) {
        return encodeNumber(epoch);
    }

    public static int decodeEpoch(byte[] bytes) {
        ByteReader from =
                new ByteReader("how often a coordinator has started", bytes).expectVersion(VERSION_MIN, VERSION);
        int epoch = from.takeInt(Integer.MAX_VALUE);
        from.expectEnd();
        return epoch;
    }

    /** When an original was last repeated, in milliseconds of event time, at least 0. */
    public static byte[] encodeRepeated(long eventMillis) {
        return encodeNumber(eventMillis);
    }

    public static long decodeRepeated(byte[] bytes) {
        ByteReader from =
                new ByteReader("when an original was last repeated", bytes).expectVersion(VERSION_MIN, VERSION);
        long eventMillis = from.takeSmall();
        from.expectEnd();
        return eventMillis;
    }

    private static byte[] encodeNumber(long number) {
        return new ByteWriter(NUMBER_BYTES).putByte(VERSION).putSmall(number).toBytes();
    }

    /** How far a coordinator is with a topic. */
    public static byte[] encode(InputPosition position) {
        return new ByteWriter(NUMBER_BYTES)
                .putByte(VERSION)
                .putSmall(position.offset())
                .putByte(position.held() ? 1 : 0)
                .putByte(position.read() ? 1 : 0)
                .toBytes();
    }

    public static InputPosition decodePosition(byte[] bytes) {
        ByteReader from =
                new ByteReader("how far a coordinator is with a topic", bytes).expectVersion(VERSION_MIN, VERSION);
        InputPosition position = new InputPosition(from.takeSmall(), from.takeFlag(), from.takeFlag());
        from.expectEnd();
        return position;
    }

    /** What a coordinator leaves to a successor. */
    public static byte[] encode(Handover handover) {
        ByteWriter to = new ByteWriter(BLOCK_BYTES)
                .putByte(VERSION)
                .putText(handover.request())
                .putByte(handover.isEmpty() ? 1 : 0)
                .putSmall(handover.positions().size());
        // One more than it is: the beginning is the number below 0.
        new TreeMap<>(handover.positions())
                .forEach((topic, offset) -> to.putText(topic).putSmall(offset + 1));
        return to.toBytes();
    }

    public static Handover decodeHandover(byte[] bytes) {
        ByteReader from =
                new ByteReader("what a coordinator leaves to a successor", bytes).expectVersion(VERSION_MIN, VERSION);
        String request = from.takeText();
        boolean isEmpty = from.takeFlag();
        Map<String, Long> positions = new HashMap<>();
        int count = from.takeCount(POSITION_BYTES_MIN);
        for (int i = 0; i < count; i++) {
            positions.put(from.takeText(), from.takeSmall() - 1);
        }
        from.expectEnd();
        return new Handover(request, positions, isEmpty);
    }

    /** The value of an entry whose key tells all. */
    public static byte[] encodeIndexEntry() {
        return new byte[] {VERSION};
    }

    /** Checks the value of such an entry. */
    public static void checkIndexEntry(byte[] bytes) {
        new ByteReader("an entry beside an original", bytes)
                .expectVersion(VERSION_MIN, VERSION)
                .expectEnd();
    }

    public static byte[] encode(SequenceBlock block) {
        return new ByteWriter(BLOCK_BYTES)
                .putByte(VERSION)
                .putText(block.topic())
                .putSmall(block.firstOffset())
                .putSmall(block.firstSequence())
                .putSmall(block.arrivalMillis())
                .toBytes();
    }

    public static SequenceBlock decodeBlock(byte[] bytes) {
        ByteReader from = new ByteReader("a block of sequence numbers", bytes).expectVersion(VERSION_MIN, VERSION);
        SequenceBlock block = new SequenceBlock(from.takeText(), from.takeSmall(), from.takeSmall(), from.takeSmall());
        from.expectEnd();
        return block;
    }

    public static byte[] encode(Original original) {
        byte[] id = original.id().getBytes(UTF_8);
        byte[] evidence = original.evidence().bytes();
        // Exact, as it is the largest of all that is written: else the text would be copied once more.
        int bytes = 1
                + ByteWriter.lengthOf(id)
                + Fields.lengthOf(original.origin())
                + Fields.lengthOfLongs(original.keys().bands())
                + Fields.lengthOfLongs(original.sketch().words())
                + ByteWriter.lengthOf(evidence);
        ByteWriter to = new ByteWriter(bytes).putByte(VERSION).putBytes(id);
        Fields.putOrigin(to, original.origin());
        Fields.putKeys(to, original.keys());
        Fields.putSketch(to, original.sketch());
        return to.putBytes(evidence).toBytes();
    }

    public static Original decodeOriginal(byte[] bytes) {
        ByteReader from = new ByteReader("an original", bytes).expectVersion(VERSION_MIN, VERSION);
        String id = from.takeText();
        Origin origin = Fields.takeOrigin(from);
        BandKeys keys = Fields.takeKeys(from);
        BitSketch sketch = Fields.takeSketch(from);
        Original original = new Original(id, origin, keys, Evidence.of(from.takeBytes()), sketch);
        from.expectEnd();
        return original;
    }

    /**
     * An original without its evidence, which is skipped.
     *
     * @param ref its name, which is not among the bytes
     */
    public static Entry decodeEntry(DocumentRef ref, byte[] bytes) {
        ByteReader from = new ByteReader("an original", bytes).expectVersion(VERSION_MIN, VERSION);
        return new Entry(ref, from.takeText(), Fields.takeOrigin(from), Fields.takeKeys(from), bytes.length);
    }

    /** Where an original came from. Nothing else is read. */
    public static Origin originOfOriginal(byte[] bytes) {
        ByteReader from = new ByteReader("an original", bytes).expectVersion(VERSION_MIN, VERSION);
        from.passBytes();
        return Fields.takeOrigin(from);
    }

    /** The id of an original, in UTF-8. Nothing else is read. */
    public static byte[] idOfOriginal(byte[] bytes) {
        return new ByteReader("an original", bytes)
                .expectVersion(VERSION_MIN, VERSION)
                .takeBytes();
    }

    /** What was taken over of another index. */
    public static byte[] encode(TakenOver takenOver) {
        return new ByteWriter(NUMBER_BYTES + 1)
                .putByte(VERSION)
                .putSmall(takenOver.beforeSequence())
                .putByte(takenOver.isSpread() ? 1 : 0)
                .toBytes();
    }

    public static TakenOver decodeTakenOver(byte[] bytes) {
        ByteReader from = new ByteReader("what was taken over", bytes).expectVersion(VERSION_MIN, VERSION);
        TakenOver takenOver = new TakenOver(from.takeSmall(), from.takeFlag());
        from.expectEnd();
        return takenOver;
    }

    public static byte[] encode(Tombstone takeBack) {
        return new ByteWriter(BLOCK_BYTES)
                .putByte(VERSION)
                .putLong(takeBack.key().high())
                .putLong(takeBack.key().low())
                .putSmall(takeBack.beforeSequence())
                .toBytes();
    }

    public static Tombstone decodeTakeBack(byte[] bytes) {
        ByteReader from = new ByteReader("what a tombstone takes back", bytes).expectVersion(VERSION_MIN, VERSION);
        Tombstone takeBack = new Tombstone(new RecordKey(from.takeLong(), from.takeLong()), from.takeSmall());
        from.expectEnd();
        return takeBack;
    }
}
