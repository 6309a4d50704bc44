package io.neardup.simulation;

import io.neardup.protocol.Decision;
import io.neardup.protocol.HomeState;
import io.neardup.protocol.NumberBlock;
import io.neardup.protocol.Original;
import io.neardup.protocol.RecordKey;
import io.neardup.protocol.Ref;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** A home's state in memory, of which a copy is what survives a crash. */
public final class SimulatedHomeState implements HomeState {
    private final Map<Long, NumberBlock> blocks;
    private final Map<String, Long> left;
    private final Map<Ref, Decision> decisions;
    private final Map<Ref, Original> originals;
    private final Map<Ref, Long> repeats = new HashMap<>();
    private final TreeSet<SetAside> setAside =
            new TreeSet<>(Comparator.comparing(SetAside::repeatedMillis).thenComparing(SetAside::ref));
    private int attempt;
    private Expiry expiry = Expiry.NONE;

    public SimulatedHomeState() {
        this(Map.of(), Map.of(), Map.of(), Map.of(), 0);
    }

    private SimulatedHomeState(
            Map<Long, NumberBlock> blocks,
            Map<String, Long> left,
            Map<Ref, Decision> decisions,
            Map<Ref, Original> originals,
            int attempt) {
        this.blocks = new TreeMap<>(blocks);
        this.left = new HashMap<>(left);
        this.decisions = new HashMap<>(decisions);
        this.originals = new TreeMap<>(originals);
        this.attempt = attempt;
    }

    SimulatedHomeState copy() {
        SimulatedHomeState copy = new SimulatedHomeState(blocks, left, decisions, originals, attempt);
        copy.expiry = expiry;
        copy.repeats.putAll(repeats);
        copy.setAside.addAll(setAside);
        return copy;
    }

    @Override
    public int raiseAttempt() {
        return ++attempt;
    }

    @Override
    public void begin(NumberBlock block) {
        blocks.put(block.firstSequence(), block);
    }

    @Override
    public void forget(NumberBlock block) {
        blocks.remove(block.firstSequence());
    }

    @Override
    public List<NumberBlock> blocks() {
        return List.copyOf(blocks.values());
    }

    @Override
    public void left(String topic, long nextOffset) {
        left.put(topic, nextOffset);
    }

    @Override
    public Map<String, Long> left() {
        return Map.copyOf(left);
    }

    @Override
    public void decide(Ref document, Decision decision) {
        decisions.put(document, decision);
    }

    @Override
    public Optional<Decision> decision(Ref document) {
        return Optional.ofNullable(decisions.get(document));
    }

    @Override
    public void forgetDecision(Ref document) {
        decisions.remove(document);
    }

    /** How many decisions are noted. */
    public int decisions() {
        return decisions.size();
    }

    @Override
    public void addOriginal(Ref document, Original original) {
        originals.put(document, original);
    }

    @Override
    public Optional<Original> original(Ref document) {
        return Optional.ofNullable(originals.get(document));
    }

    @Override
    public void removeOriginal(Ref document, Original original) {
        originals.remove(document);
        repeats.remove(document);
    }

    @Override
    public List<Ref> originalsOf(RecordKey key) {
        return refs(original -> key.equals(original.origin().key()));
    }

    @Override
    public List<Ref> originalsNamed(String id) {
        return refs(original -> id.equals(original.id()));
    }

    private List<Ref> refs(Predicate<Original> wanted) {
        return originals.entrySet().stream()
                .filter(entry -> wanted.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    @Override
    public void repeat(Ref original, long eventMillis) {
        repeats.put(original, eventMillis);
    }

    @Override
    public long lastRepeated(Ref original) {
        return repeats.getOrDefault(original, 0L);
    }

    @Override
    public void setAside(SetAside entry) {
        setAside.add(entry);
    }

    @Override
    public List<SetAside> setAside(long repeatedMillisMax, int max) {
        return setAside.stream()
                .takeWhile(entry -> entry.repeatedMillis() <= repeatedMillisMax)
                .limit(max)
                .toList();
    }

    @Override
    public void forget(SetAside entry) {
        setAside.remove(entry);
    }

    @Override
    public List<Entry> originalsFrom(long sequence, long timestampMillisMax, int max) {
        return originals.entrySet().stream()
                .filter(entry -> entry.getKey().sequence() >= sequence)
                .takeWhile(entry -> entry.getValue().origin().timestampMillis() <= timestampMillisMax)
                .limit(max)
                .map(entry -> new Entry(entry.getKey(), entry.getValue()))
                .toList();
    }

    @Override
    public void expired(Expiry noted) {
        expiry = noted;
    }

    @Override
    public Expiry expiry() {
        return expiry;
    }

    Map<Ref, Original> originals() {
        return originals;
    }
}
