package io.neardup.lsh;

import org.jspecify.annotations.Nullable;

/**
 * The buckets of the bands that one band partition owns, in memory: which documents share a bucket with this one?
 *
 * <p>A document is any 64-bit reference; its keys, one a band, are always the same. It is found through its buckets
 * alone, so a document that every bucket refused is unknown here. A bucket takes at most {@code bucketMax} documents;
 * the caller loses candidates by this, which {@link #bucketsFull()} counts. The order within a bucket is not kept.
 *
 * <p>Memory: 9.2 to 12 bytes a band and about 8 a document, at any size from some 100,000 documents up, with no peak
 * while it grows: a band is split into 1,024 tables that grow one by one, by a fifth each. Fewer documents take more
 * each, but at most some 0.2 MB a band.
 *
 * <p>Error: only 42 bits of a key are told apart, so two unlike keys of a band are one bucket with probability 2^-42:
 * about 2 false candidates in a million lookups for each band of 10 million documents. Verification drops them.
 *
 * <p>Not thread-safe.
 */
public final class BandTable {
    private final int bucketMax;
    private final BandBuckets[] bands;
    private final DocumentNumbers numbers = new DocumentNumbers();

    private final long[] hashes;
    /** The numbers in the document's buckets, band after band; those of band b end at {@code ends[b]}. */
    private final NumberList gathered = new NumberList();

    private final int[] ends;

    /** Whose buckets are gathered: most documents are looked up and then inserted, with nothing changed in between. */
    private @Nullable BandKeys gatheredKeys;

    private long bucketsFull;

    /** Written only: what is stored cannot be compiled away. */
    @SuppressWarnings("unused")
    private long touched;

    /**
     * An empty table.
     *
     * @param bands bands of this partition, at least 1
     * @param bucketMax documents a bucket takes, at least 1
     */
    public BandTable(int bands, int bucketMax) {
        if (bands < 1 || bucketMax < 1) {
            throw new IllegalArgumentException(
                    "expected bands and bucketMax of at least 1, got bands=" + bands + " bucketMax=" + bucketMax);
        }
        this.bucketMax = bucketMax;
        this.bands = new BandBuckets[bands];
        for (int band = 0; band < bands; band++) {
            this.bands[band] = new BandBuckets();
        }
        hashes = new long[bands];
        ends = new int[bands];
    }

    /**
     * Puts the document into its buckets; those that are full do not take it.
     *
     * @param keys the bucket key of each band
     * @return false, with nothing changed, if the document is in one of its buckets already
     */
    public boolean insert(long document, BandKeys keys) {
        gather(keys);
        if (numberOf(document) != 0) {
            return false;
        }
        gatheredKeys = null;
        int number = 0;
        int start = 0;
        for (int band = 0; band < bands.length; band++) {
            if (ends[band] - start >= bucketMax) {
                bucketsFull++;
            } else {
                number = number == 0 ? numbers.take(document) : number;
                bands[band].add(hashes[band], number);
            }
            start = ends[band];
        }
        return true;
    }

    /** Takes the document out of its buckets; false if it is in none of them. */
    public boolean remove(long document, BandKeys keys) {
        gather(keys);
        int number = numberOf(document);
        if (number == 0) {
            return false;
        }
        gatheredKeys = null;
        for (int band = 0; band < bands.length; band++) {
            bands[band].remove(hashes[band], number);
        }
        numbers.free(number);
        return true;
    }

    /** Whether the document is in at least one of its buckets. */
    public boolean contains(long document, BandKeys keys) {
        gather(keys);
        return numberOf(document) != 0;
    }

    /** Adds every other document in these buckets to {@code into}, with the number of bands in which it is. */
    public void candidates(long document, BandKeys keys, Candidates into) {
        gather(keys);
        for (int i = 0; i < gathered.size(); i++) {
            long other = numbers.document(gathered.get(i));
            if (other != document) {
                into.add(other, 1);
            }
        }
    }

    /** Documents in at least one bucket. */
    public long documents() {
        return numbers.used();
    }

    /** Since this table was made, how often a full bucket refused a document. */
    public long bucketsFull() {
        return bucketsFull;
    }

    /** Heap taken, in bytes; an estimate that takes references to be of 4 bytes. */
    public long bytes() {
        long sum = numbers.bytes() + gathered.bytes() + 2 * HeapSize.longs(bands.length) + HeapSize.ints(bands.length);
        for (BandBuckets band : bands) {
            sum += band.bytes();
        }
        return sum;
    }

    private void gather(BandKeys keys) {
        if (keys.bands() != bands.length) {
            throw new IllegalArgumentException("expected " + bands.length + " keys, one a band, got " + keys.bands());
        }
        if (keys.equals(gatheredKeys)) {
            return;
        }
        touchAll(keys);
        gathered.clear();
        for (int band = 0; band < bands.length; band++) {
            bands[band].gather(hashes[band], gathered);
            ends[band] = gathered.size();
        }
        gatheredKeys = keys;
    }

    /** A document's buckets lie apart in memory; reading their first slots in a loop lets them arrive together. */
    private void touchAll(BandKeys keys) {
        long sum = 0;
        for (int band = 0; band < keys.bands(); band++) {
            hashes[band] = mix(keys.key(band));
            sum += bands[band].touch(hashes[band]);
        }
        touched = sum;
    }

    /** The document's number if one of the gathered is its own, else 0. */
    private int numberOf(long document) {
        for (int i = 0; i < gathered.size(); i++) {
            if (numbers.document(gathered.get(i)) == document) {
                return gathered.get(i);
            }
        }
        return 0;
    }

    /** Keys need not be hashes: a bijection that spreads every bit into the upper ones, which the buckets use. */
    private static long mix(long key) {
        long product = key * 0x9E37_79B9_7F4A_7C15L;
        return (product ^ (product >>> 32)) * 0xD6E8_FEB8_6659_FD93L;
    }
}
