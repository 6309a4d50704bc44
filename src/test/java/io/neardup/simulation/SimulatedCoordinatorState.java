package io.neardup.simulation;

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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.stream.Stream;

/** A coordinator's state in memory, of which a copy is what survives a crash. */
public class SimulatedCoordinatorState implements CoordinatorState {
    private final Map<Long, SequenceBlock> blocks = new TreeMap<>();
    private final Map<String, InputPosition> positions = new HashMap<>();
    private final Map<DocumentRef, Decision> decisions = new HashMap<>();
    private final Map<DocumentRef, Original> originals = new TreeMap<>();
    private final Map<DocumentRef, Long> repeats = new HashMap<>();
    private final TreeSet<RefreshedExpiry> refreshed =
            new TreeSet<>(Comparator.comparing(RefreshedExpiry::fromMillis).thenComparing(RefreshedExpiry::ref));
    private final Map<RecordKey, Tombstone> tombstones = new HashMap<>();
    private Optional<Handover> handover = Optional.empty();
    private int epoch;
    private long originalsRead;
    private Expiry expiry = Expiry.NONE;
    private TakenOver takenOver = TakenOver.NONE;

    /** What a crash leaves of it, if it is committed now. */
    public SimulatedCoordinatorState copy() {
        SimulatedCoordinatorState copy = new SimulatedCoordinatorState();
        copy.blocks.putAll(blocks);
        copy.positions.putAll(positions);
        copy.decisions.putAll(decisions);
        copy.originals.putAll(originals);
        copy.epoch = epoch;
        copy.expiry = expiry;
        copy.handover = handover;
        copy.takenOver = takenOver;
        copy.repeats.putAll(repeats);
        copy.refreshed.addAll(refreshed);
        copy.tombstones.putAll(tombstones);
        return copy;
    }

    @Override
    public int raiseEpoch() {
        return ++epoch;
    }

    @Override
    public void begin(SequenceBlock block) {
        blocks.put(block.firstSequence(), block);
    }

    @Override
    public void forget(SequenceBlock block) {
        blocks.remove(block.firstSequence());
    }

    @Override
    public List<SequenceBlock> blocks() {
        return List.copyOf(blocks.values());
    }

    @Override
    public void notePosition(String topic, InputPosition position) {
        positions.put(topic, position);
    }

    @Override
    public Map<String, InputPosition> positions() {
        return Map.copyOf(positions);
    }

    @Override
    public void note(Handover left) {
        handover = Optional.of(left);
    }

    @Override
    public Optional<Handover> handover() {
        return handover;
    }

    @Override
    public void noteDecision(DocumentRef document, Decision decision) {
        decisions.put(document, decision);
    }

    @Override
    public Optional<Decision> decision(DocumentRef document) {
        return Optional.ofNullable(decisions.get(document));
    }

    @Override
    public void forgetDecision(DocumentRef document) {
        decisions.remove(document);
    }

    /** How many decisions are noted. */
    public int decisions() {
        return decisions.size();
    }

    @Override
    public void addOriginal(DocumentRef document, Original original) {
        originals.put(document, original);
    }

    /** How often an original was looked for with its evidence, found or not. */
    public long originalsRead() {
        return originalsRead;
    }

    @Override
    public Optional<Original> original(DocumentRef document) {
        originalsRead++;
        return Optional.ofNullable(originals.get(document));
    }

    @Override
    public Optional<Entry> entry(DocumentRef document) {
        return Optional.ofNullable(originals.get(document)).map(original -> original.entry(document));
    }

    @Override
    public boolean removeOriginal(Entry original) {
        boolean wasRepeated = lastRepeated(original.ref()) > 0;
        originals.remove(original.ref());
        repeats.remove(original.ref());
        return wasRepeated;
    }

    private Stream<Entry> entries() {
        return originals.entrySet().stream().map(known -> known.getValue().entry(known.getKey()));
    }

    private static List<Entry> slice(Stream<Entry> entries, Slice max) {
        List<Entry> taken = new ArrayList<>();
        long bytes = 0;
        for (Entry entry : (Iterable<Entry>) entries::iterator) {
            taken.add(entry);
            bytes += entry.bytes();
            if (max.isFull(taken.size(), bytes)) {
                break;
            }
        }
        return taken;
    }

    @Override
    public List<Entry> originalsOf(RecordKey key, long fromSequence, long beforeSequence, Slice max) {
        return slice(
                entries()
                        .filter(entry -> entry.ref().sequence() >= fromSequence)
                        .filter(entry -> entry.ref().sequence() < beforeSequence)
                        .filter(entry -> key.equals(entry.origin().key())),
                max);
    }

    @Override
    public void note(Tombstone tombstone) {
        tombstones.put(tombstone.key(), tombstone);
    }

    @Override
    public void forget(Tombstone tombstone) {
        tombstones.remove(tombstone.key());
    }

    @Override
    public List<Tombstone> tombstones() {
        return List.copyOf(tombstones.values());
    }

    @Override
    public List<Entry> originalsTakenOverAs(DocumentRef predecessorRef) {
        return entries()
                .filter(entry -> predecessorRef.equals(entry.origin().predecessorRef()))
                .toList();
    }

    @Override
    public void noteTakenOver(TakenOver noted) {
        takenOver = noted;
    }

    @Override
    public TakenOver takenOver() {
        return takenOver;
    }

    @Override
    public List<Entry> originalsWithId(String id) {
        return entries().filter(entry -> id.equals(entry.id())).toList();
    }

    @Override
    public void noteRepeat(DocumentRef original, long eventMillis) {
        repeats.put(original, eventMillis);
    }

    @Override
    public long lastRepeated(DocumentRef original) {
        return repeats.getOrDefault(original, 0L);
    }

    @Override
    public void note(RefreshedExpiry refreshed) {
        this.refreshed.add(refreshed);
    }

    @Override
    public List<RefreshedExpiry> refreshed(long fromMillisMax, int max) {
        return refreshed.stream()
                .takeWhile(entry -> entry.fromMillis() <= fromMillisMax)
                .limit(max)
                .toList();
    }

    @Override
    public void forget(RefreshedExpiry refreshed) {
        this.refreshed.remove(refreshed);
    }

    @Override
    public List<Entry> originalsFrom(long sequence, LongPredicate timestampMillis, Slice max) {
        return slice(
                entries()
                        .filter(entry -> entry.ref().sequence() >= sequence)
                        .takeWhile(entry -> timestampMillis.test(entry.origin().timestampMillis())),
                max);
    }

    @Override
    public void noteExpiry(Expiry noted) {
        expiry = noted;
    }

    @Override
    public Expiry expiry() {
        return expiry;
    }

    Map<DocumentRef, Original> originals() {
        return originals;
    }
}
