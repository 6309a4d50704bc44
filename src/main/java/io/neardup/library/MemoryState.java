package io.neardup.library;

import io.neardup.engine.protocol.CoordinatorRules.Slice;
import io.neardup.engine.protocol.CoordinatorState;
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
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongPredicate;

/**
 * The originals of a coordinator that never starts again: what the others must find after a crash is not noted. There
 * are no tombstones and no other index, so that nothing is found of these.
 */
final class MemoryState implements CoordinatorState {
    private final NavigableMap<DocumentRef, Original> originals = new TreeMap<>();
    private final Map<String, NavigableSet<DocumentRef>> byId = new HashMap<>();
    private final Map<DocumentRef, Long> repeats = new HashMap<>();
    private final NavigableSet<RefreshedExpiry> refreshed =
            new TreeSet<>(Comparator.comparing(RefreshedExpiry::fromMillis).thenComparing(RefreshedExpiry::ref));

    int originals() {
        return originals.size();
    }

    // ---- originals

    @Override
    public void addOriginal(DocumentRef document, Original original) {
        originals.put(document, original);
        byId.computeIfAbsent(original.document().id(), id -> new TreeSet<>()).add(document);
    }

    @Override
    public Optional<Original> original(DocumentRef document) {
        return Optional.ofNullable(originals.get(document));
    }

    @Override
    public Optional<Entry> entry(DocumentRef document) {
        return original(document).map(original -> original.entry(document));
    }

    @Override
    public boolean removeOriginal(Entry original) {
        originals.remove(original.ref());
        byId.computeIfPresent(original.id(), (id, refs) -> refs.remove(original.ref()) && refs.isEmpty() ? null : refs);
        return repeats.remove(original.ref()) != null;
    }

    @Override
    public List<Entry> originalsFrom(long sequence, LongPredicate timestampMillis, Slice max) {
        List<Entry> read = new ArrayList<>();
        long bytes = 0;
        for (Map.Entry<DocumentRef, Original> each :
                originals.tailMap(new DocumentRef(0, sequence)).entrySet()) {
            if (!timestampMillis.test(each.getValue().origin().timestampMillis()) || max.isFull(read.size(), bytes)) {
                break;
            }
            Entry entry = each.getValue().entry(each.getKey());
            read.add(entry);
            bytes += entry.bytes();
        }
        return read;
    }

    @Override
    public List<Entry> originalsWithId(String id) {
        return byId.getOrDefault(id, new TreeSet<>()).stream()
                .flatMap(ref -> entry(ref).stream())
                .toList();
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
    public void note(RefreshedExpiry expiry) {
        refreshed.add(expiry);
    }

    @Override
    public void forget(RefreshedExpiry expiry) {
        refreshed.remove(expiry);
    }

    @Override
    public List<RefreshedExpiry> refreshed(long fromMillisMax, int max) {
        return refreshed.stream()
                .takeWhile(expiry -> expiry.fromMillis() <= fromMillisMax)
                .limit(max)
                .toList();
    }

    // ---- what only another start would read

    @Override
    public int raiseEpoch() {
        return 1;
    }

    @Override
    public void begin(SequenceBlock block) {}

    @Override
    public void forget(SequenceBlock block) {}

    @Override
    public List<SequenceBlock> blocks() {
        return List.of();
    }

    @Override
    public void notePosition(String topic, InputPosition position) {}

    @Override
    public Map<String, InputPosition> positions() {
        return Map.of();
    }

    @Override
    public void noteDecision(DocumentRef document, Decision decision) {}

    @Override
    public Optional<Decision> decision(DocumentRef document) {
        return Optional.empty();
    }

    @Override
    public void forgetDecision(DocumentRef document) {}

    @Override
    public void noteExpiry(Expiry expiry) {}

    @Override
    public Expiry expiry() {
        return Expiry.NONE;
    }

    // ---- what does not come here

    @Override
    public List<Entry> originalsOf(RecordKey key, long fromSequence, long beforeSequence, Slice max) {
        return List.of();
    }

    @Override
    public List<Entry> originalsTakenOverAs(DocumentRef predecessorRef) {
        return List.of();
    }

    @Override
    public void note(Tombstone tombstone) {}

    @Override
    public void forget(Tombstone tombstone) {}

    @Override
    public List<Tombstone> tombstones() {
        return List.of();
    }

    @Override
    public void note(Handover handover) {}

    @Override
    public Optional<Handover> handover() {
        return Optional.empty();
    }

    @Override
    public void noteTakenOver(TakenOver takenOver) {}

    @Override
    public TakenOver takenOver() {
        return TakenOver.NONE;
    }
}
