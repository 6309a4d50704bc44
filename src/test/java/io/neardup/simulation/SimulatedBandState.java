package io.neardup.simulation;

import io.neardup.lsh.BandKeys;
import io.neardup.protocol.BandState;
import io.neardup.protocol.Candidate;
import io.neardup.protocol.Found;
import io.neardup.protocol.Ref;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The buckets by brute force: every document with its keys, compared one by one. */
public final class SimulatedBandState implements BandState {
    private final Map<Ref, BandKeys> documents;

    public SimulatedBandState() {
        this(new LinkedHashMap<>());
    }

    private SimulatedBandState(Map<Ref, BandKeys> documents) {
        this.documents = documents;
    }

    SimulatedBandState copy() {
        return new SimulatedBandState(new LinkedHashMap<>(documents));
    }

    @Override
    public Found find(Ref document, BandKeys keys, int max) {
        List<Candidate> all = documents.entrySet().stream()
                .filter(other -> !other.getKey().equals(document))
                .map(other -> new Candidate(other.getKey(), shared(keys, other.getValue())))
                .filter(candidate -> candidate.bandsShared() > 0)
                .sorted(Comparator.comparingInt(Candidate::bandsShared)
                        .reversed()
                        .thenComparing(Candidate::ref))
                .toList();
        int named = Math.min(max, all.size());
        return new Found(all.subList(0, named), all.size() - named);
    }

    int size() {
        return documents.size();
    }

    private static int shared(BandKeys a, BandKeys b) {
        return (int) IntStream.range(0, a.bands())
                .filter(band -> a.key(band) == b.key(band))
                .count();
    }

    @Override
    public void insert(Ref document, BandKeys keys) {
        documents.putIfAbsent(document, keys);
    }

    @Override
    public void remove(Ref document, BandKeys keys) {
        documents.remove(document);
    }

    @Override
    public void endStep() {
        // Steps are undone as a whole by going back to a copy.
    }
}
