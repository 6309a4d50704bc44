package io.neardup.streams.metrics;

import io.neardup.engine.similarity.Valley;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * How similar the nearest original of each document is, of the last hour and the last day: of a duplicate its original,
 * of a unique document the nearest one that was rejected. Counts of {@value Valley#BINS} bins of .01, in slots of a
 * minute and of an hour, some 130 KB in all. Documents that were compared with none do not count. Thread-safe.
 */
public final class NearestSimilarities {
    private static final int BINS = Valley.BINS;

    private final NavigableMap<Long, long[]> minutes = new TreeMap<>();
    private final NavigableMap<Long, long[]> hours = new TreeMap<>();

    /**
     * What was counted.
     *
     * @param unique unique documents that were compared with an original, by bin
     * @param duplicates by bin
     */
    public record Counted(List<Long> unique, List<Long> duplicates) {}

    /**
     * Takes a document that has left.
     *
     * @param similarity to its nearest original; 0 where it was compared with none
     * @param millis when it left
     */
    public synchronized void add(boolean isDuplicate, double similarity, long millis) {
        if (similarity > 0) {
            int bin = Math.min((int) (similarity * BINS + 1e-9), BINS - 1) + (isDuplicate ? BINS : 0);
            add(minutes, TimeUnit.MILLISECONDS.toMinutes(millis), 60, bin);
            add(hours, TimeUnit.MILLISECONDS.toHours(millis), 24, bin);
        }
    }

    private static void add(NavigableMap<Long, long[]> slots, long slot, int slotsMax, int bin) {
        if (!slots.containsKey(slot)) {
            slots.headMap(slot - slotsMax, true).clear();
        }
        slots.computeIfAbsent(slot, unused -> new long[2 * BINS])[bin]++;
    }

    /** Of the last 60 minutes; the one that has begun is not full. */
    public synchronized Counted ofHour(long nowMillis) {
        return sum(minutes, TimeUnit.MILLISECONDS.toMinutes(nowMillis) - 60);
    }

    /** Of the last 24 hours; the one that has begun is not full. */
    public synchronized Counted ofDay(long nowMillis) {
        return sum(hours, TimeUnit.MILLISECONDS.toHours(nowMillis) - 24);
    }

    private static Counted sum(NavigableMap<Long, long[]> slots, long after) {
        long[] sum = new long[2 * BINS];
        slots.tailMap(after, false).values().forEach(slot -> Arrays.setAll(sum, bin -> sum[bin] + slot[bin]));
        return new Counted(
                LongStream.of(sum).limit(BINS).boxed().toList(),
                LongStream.of(sum).skip(BINS).boxed().toList());
    }
}
