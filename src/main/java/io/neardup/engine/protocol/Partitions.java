package io.neardup.engine.protocol;

import io.neardup.engine.lsh.BandKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Which index partition owns which bucket. Fixed for the life of an index.
 *
 * <p>With at least as many bands as partitions, partition w owns the bands w, w + W, w + 2W, ... whole. With more
 * partitions than bands, band b is split by bucket key among the partitions b, b + bands, b + 2 bands, ..., so that
 * every partition has work; a document then has one partition a band.
 */
public final class Partitions {
    private final int indexPartitions;
    private final int bands;
    /** By partition, the bands of which it owns buckets, rising. */
    private final int[][] owned;

    /**
     * @param indexPartitions W, at least 1
     * @param bands at least 1
     */
    public Partitions(int indexPartitions, int bands) {
        if (indexPartitions < 1 || bands < 1) {
            throw new IllegalArgumentException("expected at least 1 index partition and 1 band, found "
                    + indexPartitions + " index partitions and " + bands + " bands");
        }
        this.indexPartitions = indexPartitions;
        this.bands = bands;
        this.owned = new int[indexPartitions][];
        Arrays.setAll(owned, this::owned);
    }

    private int[] owned(int indexPartition) {
        if (indexPartitions > bands) {
            return new int[] {indexPartition % bands};
        }
        int[] some = new int[(bands - indexPartition + indexPartitions - 1) / indexPartitions];
        Arrays.setAll(some, i -> indexPartition + i * indexPartitions);
        return some;
    }

    /** Of a document. */
    public int bands() {
        return bands;
    }

    /** Over which the bands are spread. */
    public int indexPartitions() {
        return indexPartitions;
    }

    /** The bands of which a partition owns buckets, rising. */
    public int[] bandsOf(int indexPartition) {
        return owned[indexPartition].clone();
    }

    /** The partitions that own the keys of a document: those of {@link #split}. */
    BitSet owners(BandKeys keys) {
        BitSet owners = new BitSet(indexPartitions);
        if (indexPartitions <= bands) {
            owners.set(0, indexPartitions);
        } else {
            for (int band = 0; band < bands; band++) {
                owners.set(owner(band, keys.key(band)));
            }
        }
        return owners;
    }

    /** The keys of a document by the partition that owns them; every band is in exactly one share. */
    public List<Share> split(BandKeys keys) {
        if (keys.bands() != bands) {
            throw new IllegalArgumentException("expected keys of " + bands + " bands, found " + keys.bands());
        }
        return indexPartitions > bands ? splitByKey(keys) : splitByBand(keys);
    }

    private List<Share> splitByBand(BandKeys keys) {
        List<Share> shares = new ArrayList<>(indexPartitions);
        for (int w = 0; w < indexPartitions; w++) {
            shares.add(new Share(w, keys.select(owned[w])));
        }
        return shares;
    }

    private List<Share> splitByKey(BandKeys keys) {
        List<Share> shares = new ArrayList<>(bands);
        for (int band = 0; band < bands; band++) {
            long key = keys.key(band);
            shares.add(new Share(owner(band, key), BandKeys.owning(new long[] {key})));
        }
        return shares;
    }

    /** Which of the partitions that split a band owns a key. */
    private int owner(int band, long key) {
        int splits = (indexPartitions - band + bands - 1) / bands;
        int split = (int) Long.remainderUnsigned(key, splits);
        return band + split * bands;
    }

    /** The keys that one partition owns, in the order of {@link #bandsOf}. */
    public record Share(int indexPartition, BandKeys keys) {}
}
