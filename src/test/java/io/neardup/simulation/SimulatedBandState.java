package io.neardup.simulation;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.BandIndex.BandState;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.DocumentRefs;
import io.neardup.engine.protocol.Message.Found;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The buckets by brute force: every document with its keys, compared one by one. */
public final class SimulatedBandState implements BandState {
    private final Map<DocumentRef, Taken> documents;
    private final int bucketMax;
    private long takenAgain;

    /** A document that is in the buckets of these bands alone: the others were full. */
    private record Taken(BandKeys keys, BitSet bands) {
        boolean isIn(int band, long key) {
            return bands.get(band) && keys.key(band) == key;
        }

        int shared(BandKeys other) {
            int shared = 0;
            for (int band = bands.nextSetBit(0); band >= 0; band = bands.nextSetBit(band + 1)) {
                shared += keys.key(band) == other.key(band) ? 1 : 0;
            }
            return shared;
        }
    }

    public SimulatedBandState() {
        this(Integer.MAX_VALUE);
    }

    /** @param bucketMax documents a bucket takes */
    public SimulatedBandState(int bucketMax) {
        this(new LinkedHashMap<>(), bucketMax);
    }

    private SimulatedBandState(Map<DocumentRef, Taken> documents, int bucketMax) {
        this.documents = documents;
        this.bucketMax = bucketMax;
    }

    SimulatedBandState copy() {
        return new SimulatedBandState(new LinkedHashMap<>(documents), bucketMax);
    }

    /** The others in these buckets, and how many bands each shares; the oldest first. */
    public Map<DocumentRef, Integer> shared(DocumentRef document, BandKeys keys) {
        Map<DocumentRef, Integer> shared = new LinkedHashMap<>();
        documents.forEach((other, taken) -> {
            if (!other.equals(document) && taken.shared(keys) > 0) {
                shared.put(other, taken.shared(keys));
            }
        });
        return shared;
    }

    @Override
    public Found find(DocumentRef document, BandKeys keys, int max) {
        // A stable sort: of equals the oldest stay first.
        List<DocumentRef> all = shared(document, keys).entrySet().stream()
                .sorted(Map.Entry.<DocumentRef, Integer>comparingByValue().reversed())
                .map(Map.Entry::getKey)
                .toList();
        int named = Math.min(max, all.size());
        int full = keys.bands() - openBands(keys).cardinality();
        return new Found(DocumentRefs.of(all.subList(0, named)), all.size() - named, full);
    }

    public int size() {
        return documents.size();
    }

    Set<DocumentRef> documents() {
        return documents.keySet();
    }

    /** How often a bucket took a document that it had refused before, since this copy was made. */
    long takenAgain() {
        return takenAgain;
    }

    @Override
    public void insert(DocumentRef document, BandKeys keys) {
        Taken known = documents.get(document);
        if (known == null) {
            put(document, keys);
        } else if (hasRoomAgain(known)) {
            takenAgain++;
            documents.remove(document);
            put(document, keys);
        }
    }

    private boolean hasRoomAgain(Taken known) {
        BitSet others = openBands(known.keys());
        others.andNot(known.bands());
        return !others.isEmpty();
    }

    private void put(DocumentRef document, BandKeys keys) {
        BitSet open = openBands(keys);
        if (!open.isEmpty()) {
            documents.put(document, new Taken(keys, open));
        }
    }

    /** The bands whose bucket takes one more. */
    private BitSet openBands(BandKeys keys) {
        BitSet open = new BitSet();
        for (int band = 0; band < keys.bands(); band++) {
            open.set(band, !isFull(band, keys.key(band)));
        }
        return open;
    }

    private boolean isFull(int band, long key) {
        if (documents.size() < bucketMax) {
            return false;
        }
        int inBucket = 0;
        for (Taken taken : documents.values()) {
            inBucket += taken.isIn(band, key) ? 1 : 0;
        }
        return inBucket >= bucketMax;
    }

    @Override
    public void remove(DocumentRef document, BandKeys keys) {
        documents.computeIfPresent(
                document,
                (ref, taken) ->
                        taken.bands().stream().anyMatch(band -> taken.isIn(band, keys.key(band))) ? null : taken);
    }
}
