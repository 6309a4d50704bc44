package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.engine.protocol.CoordinatorState.Tombstone;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.RecordKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;

/**
 * The keys of a {@linkplain KafkaCoordinatorState coordinator's state}, in the order of bytes. Sequences have 48 bits.
 */
public final class StateKeys {
    // ---- first bytes in progress
    private static final byte EPOCH = 0;
    public static final byte BLOCK = 1;
    public static final byte POSITION = 2;
    private static final byte DECISION = 3;
    private static final byte EXPIRY = 4;
    static final byte TOMBSTONE = 5;
    private static final byte HANDOVER = 6;
    private static final byte TAKEN_OVER = 7;

    // ---- first bytes in originals, where that of an original itself is 0
    private static final byte BY_RECORD_KEY = 1;
    private static final byte BY_ID = 2;
    private static final byte REPEATED = 3;
    private static final byte REFRESHED_EXPIRY = 4;
    private static final byte BY_PREDECESSOR_REF = 5;

    static final Bytes OF_EPOCH = Bytes.wrap(new byte[] {EPOCH});
    static final Bytes OF_EXPIRY = Bytes.wrap(new byte[] {EXPIRY});
    static final Bytes OF_HANDOVER = Bytes.wrap(new byte[] {HANDOVER});
    static final Bytes OF_TAKEN_OVER = Bytes.wrap(new byte[] {TAKEN_OVER});

    private StateKeys() {}

    static Bytes block(long firstSequence) {
        return key(BLOCK, bytes(firstSequence));
    }

    public static Bytes position(String topic) {
        return key(POSITION, topic.getBytes(UTF_8));
    }

    /** Of a key that begins with {@link #POSITION}. */
    public static String topicOf(byte[] key) {
        return new String(key, 1, key.length - 1, UTF_8);
    }

    static Bytes decision(long sequence) {
        return key(DECISION, bytes(sequence));
    }

    /** What shares a record of the changelog of progress: decisions whose sequence numbers differ in the last byte. */
    static Bytes group(Bytes key) {
        byte[] bytes = key.get();
        return bytes[0] == DECISION ? Bytes.wrap(Arrays.copyOf(bytes, bytes.length - 1)) : key;
    }

    /** Whether a group may have many members; else it is the key of its only one. */
    static boolean isOfMany(Bytes group) {
        return group.get()[0] == DECISION;
    }

    /** The key of a member of a group that may have many, by its last byte. */
    static Bytes member(Bytes group, int last) {
        byte[] bytes = Arrays.copyOf(group.get(), group.get().length + 1);
        bytes[bytes.length - 1] = (byte) last;
        return Bytes.wrap(bytes);
    }

    static int lastByte(Bytes key) {
        byte[] bytes = key.get();
        return Byte.toUnsignedInt(bytes[bytes.length - 1]);
    }

    static Bytes tombstone(Tombstone tombstone) {
        RecordKey key = tombstone.key();
        return key(TOMBSTONE, bytes(key.high()), bytes(key.low()));
    }

    static Bytes original(long sequence) {
        return Bytes.wrap(bytes(sequence));
    }

    static Bytes byRecordKey(RecordKey key, long sequence) {
        return key(BY_RECORD_KEY, bytes(key.high()), bytes(key.low()), bytes(sequence));
    }

    static Bytes byId(byte[] hash, long sequence) {
        return key(BY_ID, hash, bytes(sequence));
    }

    static Bytes byPredecessorRef(DocumentRef ref, long sequence) {
        return key(BY_PREDECESSOR_REF, bytes(ref.packed()), bytes(sequence));
    }

    public static boolean isOriginal(byte[] key) {
        return key.length == Long.BYTES && key[0] == 0;
    }

    public static boolean isRepeated(byte[] key) {
        return key[0] == REPEATED;
    }

    static Bytes repeated(long sequence) {
        return key(REPEATED, bytes(sequence));
    }

    static Bytes refreshedExpiry(long fromMillis, long sequence) {
        return key(REFRESHED_EXPIRY, bytes(fromMillis), bytes(sequence));
    }

    /** The number behind the first byte, such as where the retention of a refreshed expiry counts from. */
    public static long numberOf(byte[] key) {
        return ByteBuffer.wrap(key).getLong(1);
    }

    /** The sequence number that a key ends with. */
    public static long lastSequence(byte[] key) {
        return ByteBuffer.wrap(key).getLong(key.length - Long.BYTES);
    }

    static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    static Bytes key(byte kind, byte[]... parts) {
        int length = 1;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteBuffer key = ByteBuffer.allocate(length).put(kind);
        for (byte[] part : parts) {
            key.put(part);
        }
        return Bytes.wrap(key.array());
    }
}
