package io.neardup.simulation;

import io.neardup.lsh.BandKeys;
import io.neardup.protocol.BandState;
import io.neardup.protocol.Found;
import io.neardup.protocol.Ref;
import io.neardup.protocol.Refs;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The buckets by brute force: every document with its keys, compared one by one. */
public final class SimulatedBandState implements BandState {
    private final Map<Ref, Taken> documents;
    private final int bucketMax;
    private long bucketsFull;

    /** A document that is in the buckets of these bands alone: the others were full. */
    private record Taken(BandKeys keys, List<Integer> bands) {
        boolean isIn(int band, long key) {
            return bands.contains(band) && keys.key(band) == key;
        }

        int shared(BandKeys other) {
            return (int) bands.stream()
                    .filter(band -> keys.key(band) == other.key(band))
                    .count();
        }
    }

    public SimulatedBandState() {
        this(Integer.MAX_VALUE);
    }

    /** @param bucketMax documents a bucket takes */
    SimulatedBandState(int bucketMax) {
        this(new LinkedHashMap<>(), bucketMax);
    }

    private SimulatedBandState(Map<Ref, Taken> documents, int bucketMax) {
        this.documents = documents;
        this.bucketMax = bucketMax;
    }

    SimulatedBandState copy() {
        return new SimulatedBandState(new LinkedHashMap<>(documents), bucketMax);
    }

    @Override
    public Found find(Ref document, BandKeys keys, int max) {
        Map<Integer, List<Ref>> byBandsShared = new TreeMap<>(Comparator.reverseOrder());
        documents.forEach((other, taken) -> {
            if (!other.equals(document) && taken.shared(keys) > 0) {
                byBandsShared
                        .computeIfAbsent(taken.shared(keys), shared -> new ArrayList<>())
                        .add(other);
            }
        });
        List<Ref> all = inTurns(byBandsShared.values());
        int named = Math.min(max, all.size());
        int full = (int) IntStream.range(0, keys.bands())
                .filter(band -> isFull(band, keys.key(band)))
                .count();
        return new Found(Refs.of(all.subList(0, named)), all.size() - named, full);
    }

    /** The first of each, then the second of each, and so on. */
    private static List<Ref> inTurns(Collection<List<Ref>> groups) {
        List<Ref> all = new ArrayList<>();
        for (int turn = 0; groups.stream().mapToInt(List::size).sum() > all.size(); turn++) {
            for (List<Ref> group : groups) {
                if (turn < group.size()) {
                    all.add(group.get(turn));
                }
            }
        }
        return all;
    }

    int size() {
        return documents.size();
    }

    /** How often a full bucket refused a document since this copy was made. */
    long bucketsFull() {
        return bucketsFull;
    }

    @Override
    public void insert(Ref document, BandKeys keys) {
        if (documents.containsKey(document)) {
            return;
        }
        List<Integer> open = IntStream.range(0, keys.bands())
                .filter(band -> !isFull(band, keys.key(band)))
                .boxed()
                .toList();
        bucketsFull += keys.bands() - open.size();
        if (!open.isEmpty()) {
            documents.put(document, new Taken(keys, open));
        }
    }

    private boolean isFull(int band, long key) {
        return documents.values().stream()
                        .filter(taken -> taken.isIn(band, key))
                        .count()
                >= bucketMax;
    }

    @Override
    public void remove(Ref document, BandKeys keys) {
        documents.remove(document);
    }
}
