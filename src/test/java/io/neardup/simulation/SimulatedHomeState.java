package io.neardup.simulation;

import io.neardup.protocol.Decision;
import io.neardup.protocol.Held;
import io.neardup.protocol.HomeState;
import io.neardup.protocol.Original;
import io.neardup.protocol.Ref;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A home's state in memory, of which a copy is what survives a crash. */
public final class SimulatedHomeState<P> implements HomeState<P> {
    private final Map<Ref, Held<P>> held;
    private final Map<Ref, Original> originals;
    private int attempt;
    private long nextSequence;

    public SimulatedHomeState() {
        this(Map.of(), new HashMap<>(), 0, 0);
    }

    private SimulatedHomeState(Map<Ref, Held<P>> held, Map<Ref, Original> originals, int attempt, long nextSequence) {
        this.held = new TreeMap<>(held);
        this.originals = originals;
        this.attempt = attempt;
        this.nextSequence = nextSequence;
    }

    SimulatedHomeState<P> copy() {
        return new SimulatedHomeState<>(held, new HashMap<>(originals), attempt, nextSequence);
    }

    @Override
    public int raiseAttempt() {
        return ++attempt;
    }

    @Override
    public long nextSequence() {
        return nextSequence++;
    }

    @Override
    public void hold(Held<P> document) {
        held.put(document.ref(), document);
    }

    @Override
    public void decide(Ref document, Decision decision) {
        P payload = Optional.ofNullable(held.get(document)).orElseThrow().payload();
        held.put(document, new Held.Decided<>(document, decision, payload));
    }

    @Override
    public void release(Ref document) {
        held.remove(document);
    }

    @Override
    public List<Held<P>> held() {
        return List.copyOf(held.values());
    }

    @Override
    public void addOriginal(Ref document, Original original) {
        originals.put(document, original);
    }

    @Override
    public Optional<Original> original(Ref document) {
        return Optional.ofNullable(originals.get(document));
    }
}
