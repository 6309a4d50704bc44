package io.neardup.streams.store;

import io.neardup.streams.store.CutoverEvent.Asked;
import io.neardup.streams.store.CutoverEvent.Empty;
import io.neardup.streams.store.CutoverEvent.Flushed;
import io.neardup.streams.store.CutoverEvent.Folded;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How far an index is with handing its input over, by the events in its settings topic up to a point. Who reads more
 * of them comes to a later state of the same course: no two readers ever judge a request in two ways.
 *
 * <pre>
 * NONE -- asked --> ASKED -- all coordinators are empty, and flushed, and their stories folded --> EMPTY
 * </pre>
 *
 * <p>There is no way back. The first request counts for good, and any other for nothing.
 *
 * @param asked the request; null where there is none
 * @param sinceMillis when the stage began; 0 for none
 * @param empty by coordinator that is empty, what it has noted of that
 * @param flushed those of them that are flushed, where coordinators send each other tombstones
 * @param folded the partitions of stories of which all is folded
 */
public record Cutover(
        @Nullable Asked asked, long sinceMillis, Map<Integer, Empty> empty, Set<Integer> flushed, Set<Integer> folded) {
    public static final Cutover NONE = new Cutover(null, 0, Map.of(), Set.of(), Set.of());

    public enum CutoverStage {
        /** The index keeps its input. */
        NONE,
        /** Each coordinator stops where it is, and lets leave what it has taken. */
        ASKED,
        /** All that was taken has left: the successor goes on. */
        EMPTY
    }

    /**
     * What follows with the next event.
     *
     * @param atMillis when it was noted
     */
    public Cutover with(CutoverEvent event, long atMillis) {
        if (event instanceof Asked request) {
            return asked == null ? new Cutover(request, atMillis, empty, flushed, folded) : this;
        }
        if (asked == null || stage() == CutoverStage.EMPTY) {
            return this;
        }
        Map<Integer, Empty> emptyThen = new HashMap<>(empty);
        Set<Integer> flushedThen = new HashSet<>(flushed);
        Set<Integer> foldedThen = new HashSet<>(folded);
        if (event instanceof Empty emptied && emptied.coordinator() < asked.coordinators()) {
            emptyThen.putIfAbsent(emptied.coordinator(), emptied);
        } else if (event instanceof Flushed flush && toFlush().contains(flush.coordinator())) {
            flushedThen.add(flush.coordinator());
        } else if (event instanceof Folded stories && toFold().contains(stories.partition())) {
            foldedThen.add(stories.partition());
        }
        Cutover next =
                new Cutover(asked, sinceMillis, Map.copyOf(emptyThen), Set.copyOf(flushedThen), Set.copyOf(foldedThen));
        return next.stage() == stage() ? next : new Cutover(asked, atMillis, next.empty, next.flushed, next.folded);
    }

    /** Whether stories of coordinators that are empty are, or will be, still to be folded. */
    public boolean leavesStories() {
        return stage() == CutoverStage.ASKED
                && empty.values().stream().anyMatch(coordinator -> coordinator.storyPartitions() > 0);
    }

    public CutoverStage stage() {
        if (asked == null) {
            return CutoverStage.NONE;
        }
        return coordinatorsLeft() == 0 && toFold().isEmpty() ? CutoverStage.EMPTY : CutoverStage.ASKED;
    }

    /** The request that coordinators are to apply; empty where there is none. */
    public Optional<Asked> request() {
        return Optional.ofNullable(asked);
    }

    /** The application.id of the index that is to take over; empty where nothing is asked. */
    public Optional<String> successor() {
        return request().map(Asked::successor);
    }

    /** How many coordinators are not empty, or not flushed where they are to be. */
    public int coordinatorsLeft() {
        return request()
                .map(request -> request.coordinators() - (request.isSpread() ? flushed : empty.keySet()).size())
                .orElse(0);
    }

    /** By coordinator that is empty, {@link Empty#positions()}. */
    public Map<Integer, Map<String, Long>> positions() {
        return empty.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, coordinator -> coordinator.getValue().positions()));
    }

    /** By coordinator that is empty, {@link Empty#eventMillis()}. */
    public Map<Integer, Long> eventMillis() {
        return empty.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, coordinator -> coordinator.getValue().eventMillis()));
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

    /**
     * The partitions of stories that are to learn that no more comes, so that they are folded; none as long as more may
     * come.
     */
    public Set<Integer> toFold() {
        Set<Integer> left = new TreeSet<>();
        if (asked != null && coordinatorsLeft() == 0) {
            int partitions = empty.values().stream()
                    .mapToInt(Empty::storyPartitions)
                    .max()
                    .orElse(0);
            IntStream.range(0, partitions).forEach(left::add);
            left.removeAll(folded);
        }
        return left;
    }
}
