package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.engine.protocol.CoordinatorRules.Slice;
import io.neardup.engine.protocol.CoordinatorState;
import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.engine.protocol.CoordinatorState.Tombstone;
import io.neardup.engine.protocol.Decision;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.engine.protocol.Original;
import io.neardup.engine.protocol.RecordKey;
import io.neardup.engine.protocol.SequenceAllocator.SequenceBlock;
import io.neardup.engine.text.Hash128;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.apache.kafka.common.utils.Bytes;

/**
 * A coordinator's state in two stores of its task.
 *
 * <ul>
 *   <li>{@code originals}: sequence -> what later documents are judged against, and their sketch. Grows with the index;
 *       on disk. A key of 8 bytes, the first of which is 0. Behind them, each with a byte for the kind: sequence
 *       -> when last repeated; time and sequence of refreshed expiries. And the {@linkplain
 *       OriginalStore#secondaryKeys secondary keys} of the originals: record key and sequence, for those that have a
 *       record key; hash of the id and sequence, where versions are replaced; the ref in the predecessor and sequence,
 *       for those that were taken over.
 *   <li>{@code progress}: where the coordinator stands. A byte for the kind, then: its epoch; by its first sequence
 *       number, a block; by topic, how far it has released; by sequence, decisions that wait for an earlier document;
 *       how far originals have expired; by record key, tombstones in work; what is left to a successor; up to where
 *       numbers are those of originals of a predecessor. In memory; small, as it holds only what is in flight.
 * </ul>
 *
 * <p>{@link StateKeys} lays out the keys, {@link StateCodec} the values.
 */
public final class KafkaCoordinatorState implements CoordinatorState {
    private static final Slice EVERYTHING = new Slice(Integer.MAX_VALUE, Long.MAX_VALUE);

    private final int coordinator;
    private final ProgressStore progress;
    private final OriginalStore originals;
    private final Hash128 hash128 = new Hash128();

    /** There is no refreshed expiry before it: a look from zero on would pass all that were removed, each time. */
    private long firstRefreshedMillis;

    public KafkaCoordinatorState(int coordinator, ProgressStore progress, OriginalStore originals) {
        this.coordinator = coordinator;
        this.progress = progress;
        this.originals = originals;
    }

    @Override
    public int raiseEpoch() {
        int epoch = noted(StateKeys.OF_EPOCH, StateCodec.EPOCH)
                .map(last -> Math.incrementExact(last))
                .orElse(1);
        progress.put(StateKeys.OF_EPOCH, StateCodec.EPOCH.encode(epoch));
        return epoch;
    }

    @Override
    public void begin(SequenceBlock block) {
        progress.put(StateKeys.block(block.firstSequence()), StateCodec.BLOCK.encode(block));
    }

    @Override
    public void forget(SequenceBlock block) {
        progress.delete(StateKeys.block(block.firstSequence()));
    }

    @Override
    public List<SequenceBlock> blocks() {
        return all(StateKeys.BLOCK, StateCodec.BLOCK);
    }

    @Override
    public void notePosition(String topic, InputPosition position) {
        progress.put(StateKeys.position(topic), StateCodec.POSITION.encode(position));
    }

    @Override
    public Map<String, InputPosition> positions() {
        Map<String, InputPosition> positions = new HashMap<>();
        progress.ofKind(StateKeys.POSITION)
                .forEach(
                        (key, value) -> positions.put(StateKeys.topicOf(key.get()), StateCodec.POSITION.decode(value)));
        return positions;
    }

    @Override
    public void note(Handover handover) {
        progress.put(StateKeys.OF_HANDOVER, StateCodec.HANDOVER.encode(handover));
    }

    @Override
    public Optional<Handover> handover() {
        return noted(StateKeys.OF_HANDOVER, StateCodec.HANDOVER);
    }

    private <T> Optional<T> noted(Bytes key, Layout<T> layout) {
        return Optional.ofNullable(progress.get(key)).map(layout::decode);
    }

    @Override
    public void noteDecision(DocumentRef document, Decision decision) {
        progress.put(StateKeys.decision(document.sequence()), StateCodec.DECISION.encode(decision));
    }

    @Override
    public Optional<Decision> decision(DocumentRef document) {
        return noted(StateKeys.decision(document.sequence()), StateCodec.DECISION);
    }

    @Override
    public void forgetDecision(DocumentRef document) {
        progress.delete(StateKeys.decision(document.sequence()));
    }

    @Override
    public void addOriginal(DocumentRef document, Original original) {
        originals.put(StateKeys.original(document.sequence()), StateCodec.ORIGINAL.encode(original));
    }

    @Override
    public boolean removeOriginal(Entry original) {
        DocumentRef document = original.ref();
        originals.delete(StateKeys.original(document.sequence()));
        boolean wasRepeated = lastRepeated(document) > 0;
        if (wasRepeated) {
            originals.delete(StateKeys.repeated(document.sequence()));
        }
        return wasRepeated;
    }

    @Override
    public List<Entry> originalsOf(RecordKey key, long fromSequence, long beforeSequence, Slice max) {
        return fromSequence >= beforeSequence
                ? List.of()
                : originalsUnder(
                        StateKeys.byRecordKey(key, fromSequence), StateKeys.byRecordKey(key, beforeSequence - 1), max);
    }

    /** The originals that a range of secondary keys names. */
    private List<Entry> originalsUnder(Bytes from, Bytes to, Slice max) {
        Taken taken = new Taken(max);
        originals.disk().visit(from.get(), to.get(), (key, nothing) -> {
            DocumentRef ref = ref(key);
            return taken.add(entry(ref).orElseThrow(() -> inconsistent(ref)));
        });
        return taken.entries;
    }

    /** Entries, one after the other, until a slice is full. */
    private static final class Taken {
        private final Slice max;
        private final List<Entry> entries = new ArrayList<>();
        private long bytes;

        Taken(Slice max) {
            this.max = max;
        }

        /** Returns whether there is room for one more. */
        boolean add(Entry entry) {
            entries.add(entry);
            bytes += entry.bytes();
            return !max.isFull(entries.size(), bytes);
        }
    }

    private static IllegalStateException inconsistent(DocumentRef original) {
        return new IllegalStateException("originals: expected an entry of " + original
                + ", which their secondary keys name, found none; delete the state.dir of this instance and start"
                + " again, so that all is restored from the changelogs");
    }

    @Override
    public List<Entry> originalsTakenOverAs(DocumentRef predecessorRef) {
        return originalsUnder(
                StateKeys.byPredecessorRef(predecessorRef, 0),
                StateKeys.byPredecessorRef(predecessorRef, DocumentRef.SEQUENCE_MAX),
                EVERYTHING);
    }

    @Override
    public void noteTakenOver(TakenOver takenOver) {
        progress.put(StateKeys.OF_TAKEN_OVER, StateCodec.TAKEN_OVER.encode(takenOver));
    }

    @Override
    public TakenOver takenOver() {
        return noted(StateKeys.OF_TAKEN_OVER, StateCodec.TAKEN_OVER).orElse(TakenOver.NONE);
    }

    @Override
    public List<Entry> originalsWithId(String id) {
        byte[] hash = hash128.of(id.getBytes(UTF_8));
        return originalsUnder(StateKeys.byId(hash, 0), StateKeys.byId(hash, DocumentRef.SEQUENCE_MAX), EVERYTHING);
    }

    @Override
    public void note(Tombstone tombstone) {
        progress.put(StateKeys.tombstone(tombstone), StateCodec.TOMBSTONE.encode(tombstone));
    }

    @Override
    public void forget(Tombstone tombstone) {
        progress.delete(StateKeys.tombstone(tombstone));
    }

    @Override
    public List<Tombstone> tombstones() {
        return all(StateKeys.TOMBSTONE, StateCodec.TOMBSTONE);
    }

    @Override
    public void noteRepeat(DocumentRef original, long eventMillis) {
        originals.put(StateKeys.repeated(original.sequence()), StateCodec.REPEATED.encode(eventMillis));
    }

    @Override
    public long lastRepeated(DocumentRef original) {
        return stored(StateKeys.repeated(original.sequence()))
                .map(StateCodec.REPEATED::decode)
                .orElse(0L);
    }

    @Override
    public void note(RefreshedExpiry entry) {
        firstRefreshedMillis = Math.min(firstRefreshedMillis, entry.fromMillis());
        originals.put(
                StateKeys.refreshedExpiry(entry.fromMillis(), entry.ref().sequence()),
                StateCodec.KEY_ALONE.encode(true));
    }

    @Override
    public List<RefreshedExpiry> refreshed(long fromMillisMax, int max) {
        List<RefreshedExpiry> found = new ArrayList<>();
        if (fromMillisMax < firstRefreshedMillis) {
            return found;
        }
        Bytes from = StateKeys.refreshedExpiry(firstRefreshedMillis, 0);
        Bytes to = StateKeys.refreshedExpiry(fromMillisMax, DocumentRef.SEQUENCE_MAX);
        originals.disk().visit(from.get(), to.get(), (key, value) -> {
            StateCodec.KEY_ALONE.decode(value);
            found.add(new RefreshedExpiry(ref(key), StateKeys.numberOf(key)));
            return found.size() < max;
        });
        firstRefreshedMillis =
                found.isEmpty() ? fromMillisMax + 1 : found.get(0).fromMillis();
        return found;
    }

    @Override
    public void forget(RefreshedExpiry entry) {
        originals.delete(
                StateKeys.refreshedExpiry(entry.fromMillis(), entry.ref().sequence()));
    }

    @Override
    public List<Entry> originalsFrom(long sequence, LongPredicate timestampMillis, Slice max) {
        Taken taken = new Taken(max);
        Bytes from = StateKeys.original(sequence);
        Bytes to = StateKeys.original(DocumentRef.SEQUENCE_MAX);
        originals.disk().visit(from.get(), to.get(), (key, value) -> {
            Entry entry = StateCodec.decodeEntry(ref(key), value);
            return timestampMillis.test(entry.origin().timestampMillis()) && taken.add(entry);
        });
        return taken.entries;
    }

    @Override
    public void noteExpiry(Expiry expiry) {
        progress.put(StateKeys.OF_EXPIRY, StateCodec.EXPIRY.encode(expiry));
    }

    @Override
    public Expiry expiry() {
        return noted(StateKeys.OF_EXPIRY, StateCodec.EXPIRY).orElse(Expiry.NONE);
    }

    @Override
    public Optional<Entry> entry(DocumentRef document) {
        return stored(StateKeys.original(document.sequence())).map(bytes -> StateCodec.decodeEntry(document, bytes));
    }

    @Override
    public Optional<Original> original(DocumentRef document) {
        return stored(StateKeys.original(document.sequence())).map(StateCodec.ORIGINAL::decode);
    }

    private Optional<byte[]> stored(Bytes key) {
        return Optional.ofNullable(originals.disk().get(key.get()));
    }

    private <T> List<T> all(byte kind, Layout<T> layout) {
        return progress.ofKind(kind).values().stream().map(layout::decode).toList();
    }

    private DocumentRef ref(byte[] key) {
        return new DocumentRef(coordinator, StateKeys.lastSequence(key));
    }
}
