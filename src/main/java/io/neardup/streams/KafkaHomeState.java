package io.neardup.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.protocol.Decision;
import io.neardup.protocol.HomeState;
import io.neardup.protocol.InputPosition;
import io.neardup.protocol.NumberBlock;
import io.neardup.protocol.Original;
import io.neardup.protocol.RecordKey;
import io.neardup.protocol.Ref;
import io.neardup.protocol.StepBounds.Slice;
import io.neardup.protocol.TakeBack;
import io.neardup.protocol.Versions;
import io.neardup.text.Hash128;
import io.neardup.wire.StateCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A home's state in two stores of its task.
 *
 * <ul>
 *   <li>{@code originals}: sequence -> what later documents are judged against. Grows with the index; on disk. A key
 *       of 8 bytes, the first of which is 0. Behind them, each with a byte for the kind: record key and sequence, for
 *       those that have a record key; hash of the id and sequence, where versions are replaced; sequence -> when last
 *       repeated; time and sequence of those set aside.
 *   <li>{@code progress}: where the home stands. A byte for the kind, then: how often it started; by its first sequence
 *       number, a block; by topic, how far it has left; by sequence, decisions that wait for an earlier document; how
 *       far originals have expired; by record key, what tombstones take back that is not removed yet. In
 *       memory; small, as it holds only what is in flight.
 * </ul>
 *
 * <p>{@link StateCodec} lays out the values.
 */
final class KafkaHomeState implements HomeState {
    private static final byte ATTEMPT = 0;
    static final byte BLOCK = 1;
    static final byte LEFT = 2;
    private static final byte DECISION = 3;
    private static final byte EXPIRY = 4;
    private static final byte TAKE_BACK = 5;
    private static final Bytes EXPIRY_KEY = Bytes.wrap(new byte[] {EXPIRY});
    /** First bytes of keys; sequences have 48 bits. */
    private static final byte BY_RECORD_KEY = 1;

    private static final byte BY_ID = 2;
    private static final byte REPEATED = 3;
    private static final byte SET_ASIDE = 4;

    private static final Bytes ATTEMPT_KEY = Bytes.wrap(new byte[] {ATTEMPT});

    private final int home;
    private final boolean indexesIds;
    private final KeyValueStore<Bytes, byte[]> progress;
    private final KeyValueStore<Bytes, byte[]> originals;
    private final Hash128 hash128 = new Hash128();

    KafkaHomeState(
            int home,
            Versions versions,
            KeyValueStore<Bytes, byte[]> progress,
            KeyValueStore<Bytes, byte[]> originals) {
        this.home = home;
        this.indexesIds = versions == Versions.REPLACE;
        this.progress = progress;
        this.originals = originals;
    }

    @Override
    public int raiseAttempt() {
        byte[] last = progress.get(ATTEMPT_KEY);
        int attempt = last == null ? 1 : Math.incrementExact(StateCodec.decodeAttempt(last));
        progress.put(ATTEMPT_KEY, StateCodec.encodeAttempt(attempt));
        return attempt;
    }

    @Override
    public void begin(NumberBlock block) {
        progress.put(key(BLOCK, block.firstSequence()), StateCodec.encode(block));
    }

    @Override
    public void forget(NumberBlock block) {
        progress.delete(key(BLOCK, block.firstSequence()));
    }

    @Override
    public List<NumberBlock> blocks() {
        List<NumberBlock> blocks = new ArrayList<>();
        forEach(BLOCK, (key, value) -> blocks.add(StateCodec.decodeBlock(value)));
        return blocks;
    }

    @Override
    public void noteLeft(String topic, InputPosition position) {
        byte[] name = topic.getBytes(UTF_8);
        byte[] key = ByteBuffer.allocate(1 + name.length).put(LEFT).put(name).array();
        progress.put(Bytes.wrap(key), StateCodec.encode(position));
    }

    @Override
    public Map<String, InputPosition> left() {
        Map<String, InputPosition> left = new HashMap<>();
        forEach(LEFT, (key, value) -> left.put(topicOf(key), StateCodec.decodePosition(value)));
        return left;
    }

    /** Of a key that begins with {@link #LEFT}. */
    static String topicOf(byte[] key) {
        return new String(key, 1, key.length - 1, UTF_8);
    }

    @Override
    public void decide(Ref document, Decision decision) {
        progress.put(key(DECISION, document.sequence()), StateCodec.encode(decision));
    }

    @Override
    public Optional<Decision> decision(Ref document) {
        return Optional.ofNullable(progress.get(key(DECISION, document.sequence())))
                .map(StateCodec::decodeDecision);
    }

    @Override
    public void forgetDecision(Ref document) {
        progress.delete(key(DECISION, document.sequence()));
    }

    @Override
    public void addOriginal(Ref document, Original original) {
        originals.put(originalKey(document), StateCodec.encode(original));
        indexKeys(original.entry(document)).forEach(key -> originals.put(key, StateCodec.encodeIndexEntry()));
    }

    @Override
    public void removeOriginal(Entry original) {
        Ref document = original.ref();
        originals.delete(originalKey(document));
        indexKeys(original).forEach(originals::delete);
        if (lastRepeated(document) > 0) {
            originals.delete(key(REPEATED, document.sequence()));
        }
    }

    /** Where an original stands beside its own key. */
    private List<Bytes> indexKeys(Entry original) {
        List<Bytes> keys = new ArrayList<>(2);
        RecordKey key = original.origin().key();
        long sequence = original.ref().sequence();
        if (key != null) {
            keys.add(hashKey(BY_RECORD_KEY, bytes(key), sequence));
        }
        if (indexesIds) {
            keys.add(hashKey(BY_ID, idHash(original.id()), sequence));
        }
        return keys;
    }

    private byte[] idHash(String id) {
        return hash128.of(id.getBytes(UTF_8));
    }

    private static byte[] bytes(RecordKey key) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(key.high())
                .putLong(key.low())
                .array();
    }

    @Override
    public List<Entry> originalsOf(RecordKey key, long beforeSequence, Slice max) {
        List<Entry> found = new ArrayList<>();
        if (beforeSequence == 0) {
            return found;
        }
        byte[] hash = bytes(key);
        long bytes = 0;
        try (KeyValueIterator<Bytes, byte[]> entries =
                originals.range(hashKey(BY_RECORD_KEY, hash, 0), hashKey(BY_RECORD_KEY, hash, beforeSequence - 1))) {
            while (entries.hasNext() && !max.isFull(found.size(), bytes)) {
                KeyValue<Bytes, byte[]> indexed = entries.next();
                StateCodec.checkIndexEntry(indexed.value);
                Ref original = lastSequence(indexed.key);
                Entry entry = entry(original).orElseThrow(() -> inconsistent(original));
                found.add(entry);
                bytes += entry.bytes();
            }
        }
        return found;
    }

    private static IllegalStateException inconsistent(Ref original) {
        return new IllegalStateException("originals: expected an entry of " + original
                + ", which the index by record key names, found none; delete the state.dir of this instance and start"
                + " again, so that all is restored from the changelogs");
    }

    @Override
    public List<Ref> originalsNamed(String id) {
        byte[] hash = idHash(id);
        List<Ref> refs = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> entries =
                originals.range(hashKey(BY_ID, hash, 0), hashKey(BY_ID, hash, Ref.SEQUENCE_MAX))) {
            entries.forEachRemaining(entry -> {
                StateCodec.checkIndexEntry(entry.value);
                refs.add(lastSequence(entry.key));
            });
        }
        return refs;
    }

    @Override
    public void note(TakeBack takeBack) {
        progress.put(key(takeBack), StateCodec.encode(takeBack));
    }

    @Override
    public void forget(TakeBack takeBack) {
        progress.delete(key(takeBack));
    }

    private static Bytes key(TakeBack takeBack) {
        byte[] key = bytes(takeBack.key());
        return Bytes.wrap(
                ByteBuffer.allocate(1 + key.length).put(TAKE_BACK).put(key).array());
    }

    @Override
    public List<TakeBack> takeBacks() {
        List<TakeBack> takeBacks = new ArrayList<>();
        forEach(TAKE_BACK, (key, value) -> takeBacks.add(StateCodec.decodeTakeBack(value)));
        return takeBacks;
    }

    @Override
    public void repeat(Ref original, long eventMillis) {
        originals.put(key(REPEATED, original.sequence()), StateCodec.encodeRepeated(eventMillis));
    }

    @Override
    public long lastRepeated(Ref original) {
        byte[] eventMillis = originals.get(key(REPEATED, original.sequence()));
        return eventMillis == null ? 0 : StateCodec.decodeRepeated(eventMillis);
    }

    @Override
    public void setAside(SetAside entry) {
        originals.put(setAsideKey(entry.repeatedMillis(), entry.ref().sequence()), StateCodec.encodeIndexEntry());
    }

    @Override
    public List<SetAside> setAside(long repeatedMillisMax, int max) {
        List<SetAside> found = new ArrayList<>();
        if (repeatedMillisMax < 0) {
            return found;
        }
        try (KeyValueIterator<Bytes, byte[]> entries =
                originals.range(setAsideKey(0, 0), setAsideKey(repeatedMillisMax, Ref.SEQUENCE_MAX))) {
            while (found.size() < max && entries.hasNext()) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                StateCodec.checkIndexEntry(entry.value);
                Bytes key = entry.key;
                long repeatedMillis = ByteBuffer.wrap(key.get()).getLong(1);
                found.add(new SetAside(lastSequence(key), repeatedMillis));
            }
        }
        return found;
    }

    @Override
    public void forget(SetAside entry) {
        originals.delete(setAsideKey(entry.repeatedMillis(), entry.ref().sequence()));
    }

    @Override
    public List<Entry> originalsFrom(long sequence, long timestampMillisMax, Slice max) {
        List<Entry> found = new ArrayList<>();
        long bytes = 0;
        Bytes from = Bytes.wrap(bytes(sequence));
        Bytes to = Bytes.wrap(bytes(Ref.SEQUENCE_MAX));
        try (KeyValueIterator<Bytes, byte[]> entries = originals.range(from, to)) {
            while (entries.hasNext() && !max.isFull(found.size(), bytes)) {
                KeyValue<Bytes, byte[]> known = entries.next();
                Entry entry = StateCodec.decodeEntry(lastSequence(known.key), known.value);
                if (entry.origin().timestampMillis() > timestampMillisMax) {
                    break;
                }
                found.add(entry);
                bytes += entry.bytes();
            }
        }
        return found;
    }

    @Override
    public void noteExpiry(Expiry expiry) {
        progress.put(EXPIRY_KEY, StateCodec.encode(expiry));
    }

    @Override
    public Expiry expiry() {
        return Optional.ofNullable(progress.get(EXPIRY_KEY))
                .map(StateCodec::decodeExpiry)
                .orElse(Expiry.NONE);
    }

    @Override
    public boolean hasOriginal(Ref document) {
        return originals.get(originalKey(document)) != null;
    }

    @Override
    public Optional<Entry> entry(Ref document) {
        return Optional.ofNullable(originals.get(originalKey(document)))
                .map(bytes -> StateCodec.decodeEntry(document, bytes));
    }

    @Override
    public Optional<Original> original(Ref document) {
        return Optional.ofNullable(originals.get(originalKey(document))).map(StateCodec::decodeOriginal);
    }

    private void forEach(byte kind, BiConsumer<byte[], byte[]> action) {
        Bytes from = Bytes.wrap(new byte[] {kind});
        Bytes to = Bytes.wrap(new byte[] {(byte) (kind + 1)});
        try (KeyValueIterator<Bytes, byte[]> entries = progress.range(from, to)) {
            entries.forEachRemaining(entry -> {
                if (entry.key.get()[0] == kind) {
                    action.accept(entry.key.get(), entry.value);
                }
            });
        }
    }

    private static Bytes key(byte kind, long sequence) {
        return Bytes.wrap(
                ByteBuffer.allocate(1 + Long.BYTES).put(kind).putLong(sequence).array());
    }

    /** Of a key of {@link #key(byte, long)}. */
    static long sequenceOf(byte[] key) {
        return ByteBuffer.wrap(key).getLong(1);
    }

    private static Bytes hashKey(byte kind, byte[] hash, long sequence) {
        return Bytes.wrap(ByteBuffer.allocate(1 + hash.length + Long.BYTES)
                .put(kind)
                .put(hash)
                .putLong(sequence)
                .array());
    }

    private static Bytes setAsideKey(long repeatedMillis, long sequence) {
        return Bytes.wrap(ByteBuffer.allocate(1 + 2 * Long.BYTES)
                .put(SET_ASIDE)
                .putLong(repeatedMillis)
                .putLong(sequence)
                .array());
    }

    /** The sequence number that a key ends with, as a ref. */
    private Ref lastSequence(Bytes key) {
        ByteBuffer bytes = ByteBuffer.wrap(key.get());
        return new Ref(home, bytes.getLong(bytes.capacity() - Long.BYTES));
    }

    private static Bytes originalKey(Ref document) {
        return Bytes.wrap(bytes(document.sequence()));
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }
}
