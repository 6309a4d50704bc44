package io.neardup.streams;

import io.neardup.document.Arrival;
import io.neardup.protocol.Decision;
import io.neardup.protocol.Held;
import io.neardup.protocol.HomeState;
import io.neardup.protocol.Original;
import io.neardup.protocol.Ref;
import io.neardup.protocol.SignedDocument;
import io.neardup.wire.StateCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * A home's state in three stores of its task.
 *
 * <ul>
 *   <li>{@code pending}: sequence -> the record as it came; sequence with a trailing 1 -> its decision, once it has one and
 *       must wait for an earlier document. In order of the sequence; small, as it holds only what is in flight.
 *   <li>{@code originals}: sequence -> what later documents are judged against. Grows with the index; on disk.
 *   <li>{@code counters}: how often the home started, and from where on sequence numbers are free. Numbers are taken in
 *       blocks, one write a block; a start skips the rest of the last one.
 * </ul>
 */
final class KafkaHomeState implements HomeState<Arrival> {
    private static final int SEQUENCE_BLOCK = 1024;
    private static final byte RECORD = 0;
    private static final byte DECISION = 1;
    private static final Bytes ATTEMPT = Bytes.wrap(new byte[] {0});
    private static final Bytes SEQUENCE = Bytes.wrap(new byte[] {1});

    private final int home;
    private final KeyValueStore<Bytes, byte[]> pending;
    private final KeyValueStore<Bytes, byte[]> originals;
    private final KeyValueStore<Bytes, byte[]> counters;
    private final Function<Arrival, SignedDocument> signer;
    private long nextSequence;
    private long reservedSequence;
    private long heldBytes;

    /** @param signer signs a held document anew after a start */
    KafkaHomeState(
            int home,
            KeyValueStore<Bytes, byte[]> pending,
            KeyValueStore<Bytes, byte[]> originals,
            KeyValueStore<Bytes, byte[]> counters,
            Function<Arrival, SignedDocument> signer) {
        this.home = home;
        this.pending = pending;
        this.originals = originals;
        this.counters = counters;
        this.signer = signer;
        this.nextSequence = number(counters.get(SEQUENCE));
        this.reservedSequence = nextSequence;
    }

    @Override
    public int raiseAttempt() {
        long attempt = number(counters.get(ATTEMPT)) + 1;
        counters.put(ATTEMPT, bytes(attempt));
        return Math.toIntExact(attempt);
    }

    @Override
    public long nextSequence() {
        if (nextSequence == reservedSequence) {
            reservedSequence += SEQUENCE_BLOCK;
            counters.put(SEQUENCE, bytes(reservedSequence));
        }
        return nextSequence++;
    }

    @Override
    public void hold(Held<Arrival> held) {
        long arrivalMillis = held instanceof Held.Pending<Arrival> open ? open.arrivalMillis() : 0;
        byte[] record = StateCodec.encode(new StateCodec.HeldRecord(arrivalMillis, held.payload()));
        heldBytes += record.length;
        pending.put(pendingKey(held.ref(), RECORD), record);
        if (held instanceof Held.Decided<Arrival> done) {
            decide(done.ref(), done.decision());
        }
    }

    @Override
    public void decide(Ref document, Decision decision) {
        pending.put(pendingKey(document, DECISION), StateCodec.encode(decision));
    }

    @Override
    public void release(Ref document) {
        byte[] record = pending.delete(pendingKey(document, RECORD));
        heldBytes -= record == null ? 0 : record.length;
        Bytes decision = pendingKey(document, DECISION);
        if (pending.get(decision) != null) {
            pending.delete(decision);
        }
    }

    @Override
    public List<Held<Arrival>> held() {
        List<Held<Arrival>> held = new ArrayList<>();
        heldBytes = 0;
        try (KeyValueIterator<Bytes, byte[]> all = pending.all()) {
            all.forEachRemaining(entry -> {
                byte[] key = entry.key.get();
                Ref ref = new Ref(home, ByteBuffer.wrap(key).getLong());
                if (key[Long.BYTES] == RECORD) {
                    heldBytes += entry.value.length;
                    byte[] decision = pending.get(pendingKey(ref, DECISION));
                    held.add(held(ref, StateCodec.decodeHeld(entry.value), decision));
                }
            });
        }
        return held;
    }

    /** What is held, in bytes of the stored records. */
    long heldBytes() {
        return heldBytes;
    }

    private Held<Arrival> held(Ref ref, StateCodec.HeldRecord record, byte @Nullable [] decision) {
        Arrival arrival = record.arrival();
        return decision == null
                ? new Held.Pending<>(ref, record.arrivalMillis(), signer.apply(arrival), arrival)
                : new Held.Decided<>(ref, StateCodec.decodeDecision(decision), arrival);
    }

    @Override
    public void addOriginal(Ref document, Original original) {
        originals.put(originalKey(document), StateCodec.encode(original));
    }

    @Override
    public Optional<Original> original(Ref document) {
        return Optional.ofNullable(originals.get(originalKey(document))).map(StateCodec::decodeOriginal);
    }

    private static Bytes pendingKey(Ref document, byte kind) {
        return Bytes.wrap(ByteBuffer.allocate(Long.BYTES + 1)
                .putLong(document.sequence())
                .put(kind)
                .array());
    }

    private static Bytes originalKey(Ref document) {
        return Bytes.wrap(bytes(document.sequence()));
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private static long number(byte @Nullable [] bytes) {
        return bytes == null ? 0 : ByteBuffer.wrap(bytes).getLong();
    }
}
