package io.neardup.streams.store;

import io.neardup.streams.store.MigrationEvent.Asked;
import io.neardup.streams.store.MigrationEvent.Empty;
import io.neardup.streams.store.MigrationEvent.Fixed;
import io.neardup.streams.store.MigrationEvent.Flushed;
import io.neardup.streams.store.MigrationEvent.Undone;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How far an index is with handing its input over, by the events in its settings topic up to a point. Who reads more
 * of them comes to a later state of the same course: no two readers ever judge a request in two ways.
 *
 * <pre>
 * NONE  -- asked --> ASKED -- the first coordinator has fixed --> FIXED -- all coordinators are empty --> EMPTY
 *                                                                            and flushed
 *   ^-- undone ------'
 * </pre>
 *
 * <p>What is asked while a request stands counts for nothing. So does what coordinators note under a request that was
 * undone before: such a coordinator takes records again, of which none is lost. What is undone after the first
 * coordinator has fixed counts for nothing either.
 *
 * @param asked the request that stands; null where there is none
 * @param sinceMillis when the stage began; 0 for none
 * @param positions by coordinator that has fixed, {@link Fixed#positions()}
 * @param empty by coordinator that is empty, {@link Empty#eventMillis()}; each of them has fixed
 * @param flushed those of them that are flushed, where coordinators send each other tombstones
 * @param undone the requests that were undone in time
 */
public record Cutover(
        CutoverStage stage,
        @Nullable Asked asked,
        long sinceMillis,
        Map<Integer, Map<String, Long>> positions,
        Map<Integer, Long> empty,
        Set<Integer> flushed,
        Set<String> undone) {
    /** Nothing was ever asked. */
    public static final Cutover NONE = new Cutover(CutoverStage.NONE, null, 0, Map.of(), Map.of(), Set.of(), Set.of());

    /** How far it is. */
    public enum CutoverStage {
        /** The index keeps its input. */
        NONE,
        /** The coordinators are to stop; it can be undone. */
        ASKED,
        /** A coordinator has stopped, and left the rest to the successor: there is no way back. */
        FIXED,
        /** All that was taken has left. */
        EMPTY
    }

    /**
     * What follows with the next event.
     *
     * @param atMillis when it was noted
     */
    public Cutover with(MigrationEvent event, long atMillis) {
        if (event instanceof Asked request) {
            return stage == CutoverStage.NONE ? in(CutoverStage.ASKED, request, atMillis) : this;
        }
        if (asked == null || !asked.request().equals(event.request())) {
            return this;
        }
        if (event instanceof Undone) {
            return stage == CutoverStage.ASKED ? undone(asked, atMillis) : this;
        } else if (event instanceof Fixed fixed) {
            return fixed(asked, fixed, atMillis);
        } else if (event instanceof Flushed coordinator) {
            return flushed(asked, coordinator, atMillis);
        }
        return empty(asked, (Empty) event, atMillis);
    }

    private Cutover in(CutoverStage next, @Nullable Asked request, long atMillis) {
        return new Cutover(next, request, next == stage ? sinceMillis : atMillis, positions, empty, flushed, undone);
    }

    private Cutover undone(Asked request, long atMillis) {
        Set<String> more = new HashSet<>(undone);
        more.add(request.request());
        return new Cutover(CutoverStage.NONE, null, atMillis, Map.of(), Map.of(), Set.of(), Set.copyOf(more));
    }

    private Cutover fixed(Asked request, Fixed fixed, long atMillis) {
        if (fixed.coordinator() >= request.coordinators() || positions.containsKey(fixed.coordinator())) {
            return this;
        }
        Map<Integer, Map<String, Long>> more = new HashMap<>(positions);
        more.put(fixed.coordinator(), fixed.positions());
        return new Cutover(stage, request, sinceMillis, Map.copyOf(more), empty, flushed, undone)
                .in(CutoverStage.FIXED, request, atMillis);
    }

    private Cutover empty(Asked request, Empty coordinator, long atMillis) {
        if (!positions.containsKey(coordinator.coordinator())) {
            return this;
        }
        Map<Integer, Long> more = new HashMap<>(empty);
        more.putIfAbsent(coordinator.coordinator(), coordinator.eventMillis());
        return new Cutover(stage, request, sinceMillis, positions, Map.copyOf(more), flushed, undone)
                .ended(request, atMillis);
    }

    private Cutover flushed(Asked request, Flushed coordinator, long atMillis) {
        if (!empty.containsKey(coordinator.coordinator()) || empty.size() < request.coordinators()) {
            return this;
        }
        Set<Integer> more = new HashSet<>(flushed);
        more.add(coordinator.coordinator());
        return new Cutover(stage, request, sinceMillis, positions, empty, Set.copyOf(more), undone)
                .ended(request, atMillis);
    }

    private Cutover ended(Asked request, long atMillis) {
        return in(coordinatorsLeft() == 0 ? CutoverStage.EMPTY : stage, request, atMillis);
    }

    /** The request that coordinators are to heed, which stands; empty where there is none. */
    public Optional<Asked> request() {
        return Optional.ofNullable(asked);
    }

    /** Whether what was fixed under a request counts for nothing: it was undone in time. */
    public boolean isUndone(String request) {
        return undone.contains(request);
    }

    /** How many coordinators have not fixed. */
    public int coordinatorsToFix() {
        return request().map(Asked::coordinators).orElse(0) - positions.size();
    }

    /** How many coordinators are not empty, or not flushed where they are to be. */
    public int coordinatorsLeft() {
        return request()
                .map(request -> request.coordinators() - (request.isSpread() ? flushed : empty.keySet()).size())
                .orElse(0);
    }

    /**
     * The coordinators that are to learn that all are empty, so that they are flushed; none as long as any is not.
     */
    public Set<Integer> toFlush() {
        Set<Integer> left = new TreeSet<>();
        if (asked != null && asked.isSpread() && empty.size() == asked.coordinators()) {
            left.addAll(empty.keySet());
            left.removeAll(flushed);
        }
        return left;
    }
}
