package io.neardup.engine.lsh;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of the bands that one index partition owns, in memory. It answers which documents share a bucket with
 * this one.
 *
 * <p>A document is any 64-bit reference. Its keys, one a band, are always the same. It is found through its buckets
 * alone, so a document that every bucket refused is unknown here. A bucket takes at most {@code bucketMax} documents.
 * Candidates are lost by that; {@link #bucketsFull()} counts the refusals. The order within a bucket is not kept.
 *
 * <p>In the table a document has a number, which is used again when the document is gone. The caller may give it a tag,
 * and {@link #sweep} removes documents by their tags where their keys are not at hand.
 *
 * <p>Memory, from some 100,000 documents up: for each document 9.2 to 12 bytes a band and about 12 more. There is no
 * peak while it grows: a band is split into 1,024 tables that grow one by one, by a fifth each. Fewer documents take
 * more each, but in all at most some 0.2 MB a band.
 *
 * <p>Error: only 42 bits of a key count, so two unlike keys of a band are one bucket with probability 2^-42. With 10
 * million documents that makes about 2 false candidates a band in a million lookups. Verification drops them.
 *
 * <p>Not thread-safe.
 */
public final class BandTable {
    private static final long ARRAY_HEADER_BYTES = 16;
    private static final int BYTES_A_BAND = 12;
    private static final int BYTES_A_PARTITION = 14;

    private final int bucketMax;
    private final BandBuckets[] bands;
    private final DocumentNumbers numbers = new DocumentNumbers();

    private final long[] hashes;
    /** The numbers in the document's buckets, band after band; those of band b end at {@code ends[b]}. */
    private final BandBuckets.NumberList gathered = new BandBuckets.NumberList();

    private final int[] ends;

    /**
     * The keys whose buckets are gathered: most documents are inserted right after their lookup, with nothing changed
     * in between.
     */
    private @Nullable BandKeys gatheredKeys;

    /** The number of the document that was looked up last with these keys; 0 if it is not here. */
    private int own;

    private long ownOf;
    private boolean isOwnKnown;

    private List<Integer> refused = List.of();
    private @Nullable BandTableCopy copy;
    private long bucketsFull;
    private int fullBuckets;

    /** Never read. A read whose result is stored is not compiled away. */
    @SuppressWarnings("unused")
    private long touched;

    /**
     * An empty table.
     *
     * @param bands bands of this partition, at least 1
     * @param bucketMax documents a bucket takes, at least 1
     */
    public BandTable(int bands, int bucketMax) {
        this.bucketMax = bucketMax;
        this.bands = emptyBuckets(bands, bucketMax);
        hashes = new long[bands];
        ends = new int[bands];
    }

    private static BandBuckets[] emptyBuckets(int bands, int bucketMax) {
        if (bands < 1 || bucketMax < 1) {
            throw new IllegalArgumentException(
                    "expected bands and bucketMax of at least 1, got bands=" + bands + " bucketMax=" + bucketMax);
        }
        return Stream.generate(BandBuckets::new).limit(bands).toArray(BandBuckets[]::new);
    }

    /**
     * Begins to write all that is here while it changes. One copy at a time; it takes insertions and removals, not
     * {@link #restore} nor {@link #sweep}.
     */
    public void beginCopy(ArrayOutput to) {
        if (copy != null) {
            throw new IllegalStateException("a copy has begun: expected it to be ended or dropped first");
        }
        copy = new BandTableCopy(bands, numbers, to);
    }

    /** Writes about so many more bytes of the copy; whether only its end is missing. */
    public boolean advanceCopy(long bytes) throws IOException {
        return copy().advance(bytes);
    }

    /** Writes all that is missing of the copy, and ends it: what is read from it is the table as it is now. */
    public void endCopy() throws IOException {
        copy().finish();
        copy = null;
    }

    /** Gives the copy up, if there is one. */
    public void dropCopy() {
        if (copy != null) {
            copy.cancel();
            copy = null;
        }
    }

    private BandTableCopy copy() {
        return Objects.requireNonNull(copy, "no copy has begun");
    }

    /** The table that was copied, which had as many bands and the same {@code bucketMax}. */
    public static BandTable readFrom(ArrayInput from, int bands, int bucketMax) throws IOException {
        BandTable read = new BandTable(bands, bucketMax);
        BandTableCopy.read(from, read.bands, read.numbers);
        return read;
    }

    /**
     * Puts the document into its buckets. Full ones refuse it; {@link #refused} tells which.
     *
     * @param keys the bucket key of each band
     * @return its number; 0, with nothing changed, if it is in one of its buckets already or none takes it
     */
    public int insert(long document, BandKeys keys) {
        gather(keys);
        refused = List.of();
        if (numberOf(document) != 0) {
            return 0;
        }
        int number = 0;
        int start = 0;
        for (int band = 0; band < bands.length; band++) {
            if (ends[band] - start >= bucketMax) {
                refuse(band);
            } else {
                number = number == 0 ? numbers.take(document) : number;
                bands[band].add(hashes[band], number);
            }
            start = ends[band];
        }
        gatheredKeys = number == 0 ? gatheredKeys : null;
        if (copy != null && number != 0) {
            copy.inserted(number, hashes, refused);
        }
        return number;
    }

    private void refuse(int band) {
        if (refused.isEmpty()) {
            refused = new ArrayList<>();
        }
        refused.add(band);
        bucketsFull++;
    }

    /** The bands, rising, whose full buckets did not take the document that was inserted last. */
    public List<Integer> refused() {
        return refused;
    }

    /**
     * Puts the document back into the buckets that took it when it was inserted. It must not be there; nothing checks
     * that. While documents that were removed since wait for a sweep, a bucket may be full of them: they leave a full
     * bucket at once.
     *
     * @param refused the bands that did not take it, rising
     * @param dead the tags of documents that are to be swept out
     * @return its number
     */
    public int restore(long document, BandKeys keys, List<Integer> refused, IntPredicate dead) {
        requireKeys(keys);
        gatheredKeys = null;
        touchAll(keys);
        int number = numbers.take(document);
        for (int band = 0; band < bands.length; band++) {
            if (refused.isEmpty() || !refused.contains(band)) {
                if (bands[band].count(hashes[band]) >= bucketMax) {
                    bands[band].removeIf(hashes[band], other -> dead.test(numbers.tag(other)));
                }
                bands[band].add(hashes[band], number);
            }
        }
        return number;
    }

    /** Removes the document from its buckets; false if it is in none of them. */
    public boolean remove(long document, BandKeys keys) {
        int number = find(document, keys);
        if (number == 0) {
            return false;
        }
        removeFromBuckets(number);
        numbers.free(number);
        return true;
    }

    /** From those of the keys that were gathered last. */
    private void removeFromBuckets(int number) {
        gatheredKeys = null;
        for (int band = 0; band < bands.length; band++) {
            bands[band].remove(hashes[band], number);
        }
    }

    /** Removes the document from these of its buckets alone; it keeps its number, and is found through the others. */
    public void drop(long document, BandKeys keys) {
        int number = find(document, keys);
        if (number != 0) {
            removeFromBuckets(number);
        }
    }

    /**
     * Removes every document whose tag matches, in one pass over all buckets.
     *
     * @return how many
     */
    public int sweep(IntPredicate tags) {
        gatheredKeys = null;
        BitSet gone = numbers.tagged(tags);
        for (BandBuckets band : bands) {
            band.removeAll(gone);
        }
        gone.stream().forEach(numbers::free);
        return gone.cardinality();
    }

    /** Whether the document is in some of its buckets, and another, which refused it when it was full, has room now. */
    public boolean hasRoomAgain(long document, BandKeys keys) {
        int number = find(document, keys);
        boolean hasRoom = false;
        for (int band = 0, start = 0; number != 0 && band < bands.length; start = ends[band++]) {
            hasRoom |= ends[band] - start < bucketMax && !gathered.contains(number, start, ends[band]);
        }
        return hasRoom;
    }

    /** The number of the document if it is in at least one of its buckets, else 0. */
    public int find(long document, BandKeys keys) {
        gather(keys);
        return numberOf(document);
    }

    /** The tag of a document in the table, 0 if none was given. */
    public int tag(int number) {
        return numbers.tag(number);
    }

    /** Gives a document in the table a tag of at least 0. */
    public void tag(int number, int tag) {
        numbers.tag(number, tag);
    }

    /** Adds every other document in these buckets to {@code into}, which is empty, with the bands that it shares. */
    public void candidates(long document, BandKeys keys, SharedBands into) {
        gather(keys);
        addGathered(into);
        into.remove(numberOf(document));
        into.name(numbers::document);
    }

    private void addGathered(SharedBands into) {
        for (int i = 0; i < gathered.size(); i++) {
            into.add(gathered.get(i));
        }
    }

    /**
     * The other documents in these buckets, at most {@code max} of them: those that share the most bands first, of
     * equals the oldest.
     *
     * @param age the age by a document's tag: the smaller, the longer it has been here; no two may be equal
     * @param into empty
     * @return how many were left out
     */
    public int candidates(long document, BandKeys keys, int max, IntToLongFunction age, SharedBands into) {
        gather(keys);
        fullBuckets = 0;
        for (int band = 0, start = 0; band < bands.length; start = ends[band++]) {
            fullBuckets += ends[band] - start >= bucketMax ? 1 : 0;
        }
        addGathered(into);
        // The documents lie apart in memory: reading what does not depend on another lets the cache misses overlap.
        touched = into.sum(numbers::touch);
        own = into.numberOf(document, numbers);
        ownOf = document;
        isOwnKnown = true;
        into.remove(own);
        int leftOut = into.keepMostShared(max, number -> age.applyAsLong(numbers.tag(number)));
        into.name(numbers::document);
        return leftOut;
    }

    /** How many of the buckets in which candidates were looked for last were full. */
    public int fullBuckets() {
        return fullBuckets;
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
        long sum = numbers.bytes() + gathered.bytes() + 2 * longs(bands.length) + ints(bands.length);
        for (BandBuckets band : bands) {
            sum += band.bytes();
        }
        return sum;
    }

    /**
     * The most bytes of a unique document in the tables of all index partitions together.
     *
     * @param partitions over which the bands are spread, at least 1
     */
    public static int bytesPerDocument(Banding banding, int partitions) {
        return BYTES_A_BAND * banding.bands() + BYTES_A_PARTITION * Math.min(partitions, banding.bands());
    }

    /** The heap that an array of longs takes, in bytes. */
    static long longs(int length) {
        return ARRAY_HEADER_BYTES + 8L * length;
    }

    /** The heap that an array of ints takes, or one of references (of 4 bytes: a heap below 32 GB), in bytes. */
    static long ints(int length) {
        return ARRAY_HEADER_BYTES + 4L * length;
    }

    private void requireKeys(BandKeys keys) {
        if (keys.bands() != bands.length) {
            throw new IllegalArgumentException("expected " + bands.length + " keys, one a band, got " + keys.bands());
        }
    }

    private void gather(BandKeys keys) {
        requireKeys(keys);
        if (keys.equals(gatheredKeys)) {
            return;
        }
        touchAll(keys);
        isOwnKnown = false;
        gathered.clear();
        for (int band = 0; band < bands.length; band++) {
            bands[band].gather(hashes[band], gathered);
            ends[band] = gathered.size();
        }
        gatheredKeys = keys;
    }

    /** A document's buckets lie apart in memory. Reading their first slots in a loop lets the cache misses overlap. */
    private void touchAll(BandKeys keys) {
        long sum = 0;
        for (int band = 0; band < keys.bands(); band++) {
            hashes[band] = BandBuckets.hash(keys.key(band));
            sum += bands[band].touch(hashes[band]);
        }
        touched = sum;
    }

    /** The document's number if it is among those gathered, else 0. */
    private int numberOf(long document) {
        if (isOwnKnown && ownOf == document) {
            return own;
        }
        for (int i = 0; i < gathered.size(); i++) {
            if (numbers.document(gathered.get(i)) == document) {
                return gathered.get(i);
            }
        }
        return 0;
    }
}
