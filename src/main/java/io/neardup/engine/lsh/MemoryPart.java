package io.neardup.engine.lsh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Stream;

/** The youngest documents, in memory. Once its segment is being written, nothing is added any more. */
final class MemoryPart extends BandPart {
    private final BandBuckets[] bands;
    private long[] documents = new long[64];
    private long[] tags = new long[64];
    private int count;

    /** By band, the entries of documents that were restored since the last lookup, 0 if the bucket refused one. */
    private final long[][] restored;

    private int restoredCount;

    MemoryPart(int bands) {
        super(new BitSet());
        this.restored = new long[bands][0];
        this.bands = Stream.generate(BandBuckets::new).limit(bands).toArray(BandBuckets[]::new);
    }

    /** Gives a document the next number. */
    int append(long document, long tag) {
        if (count > 0 && tag <= lastTag()) {
            throw new IllegalArgumentException("expected a tag above " + lastTag() + ", got " + tag);
        }
        if (count == BandBuckets.NUMBERS_MAX) {
            throw new IllegalStateException(
                    "a band table takes at most " + count + " documents in memory: they are to be written to segments");
        }
        if (count == documents.length) {
            documents = Arrays.copyOf(documents, 2 * count);
            tags = Arrays.copyOf(tags, 2 * count);
        }
        documents[count] = document;
        tags[count] = tag;
        return count++;
    }

    void addToBucket(int band, long key, int number) {
        bands[band].add(key, number);
    }

    /**
     * Puts a document into its buckets at the next lookup, unless it was removed by then. In a compacted changelog the
     * removal of a document may come long after it: a bucket of all of these can be a hundred times as long as a full
     * one.
     *
     * @param refused the bands that did not take it
     */
    void restore(int number, long[] keys, List<Integer> refused) {
        if (restoredCount == restored[0].length) {
            Arrays.setAll(restored, band -> Arrays.copyOf(restored[band], Math.max(64, restoredCount * 3 / 2)));
        }
        for (int band = 0; band < bands.length; band++) {
            restored[band][restoredCount] = refused.contains(band) ? 0 : BandBuckets.entry(keys[band], number);
        }
        restoredCount++;
    }

    /** To be called before anything but {@link #restore} and {@link #markGone}. */
    void putRestored() {
        if (restoredCount == 0) {
            return;
        }
        for (int band = 0; band < bands.length; band++) {
            bands[band].addAll(Arrays.stream(restored[band], 0, restoredCount), this::isGone);
            restored[band] = new long[0];
        }
        restoredCount = 0;
    }

    /** The same without the documents that are gone. */
    MemoryPart compacted() {
        putRestored();
        Renumbering renumbering = new Renumbering(gone(), count);
        MemoryPart left = new MemoryPart(bands.length);
        for (int number = 0; number < count; number++) {
            if (!isGone(number)) {
                left.append(documents[number], tags[number]);
            }
        }
        for (int band = 0; band < bands.length; band++) {
            left.bands[band].addAll(bands[band].left(renumbering), number -> false);
        }
        return left;
    }

    /** Removes a document from the buckets that took it. */
    void removeFromBuckets(long[] keys, int number) {
        for (int band = 0; band < bands.length; band++) {
            bands[band].remove(keys[band], number);
        }
    }

    @Override
    int documents() {
        return count;
    }

    /** Entries of all bands. */
    long entries() {
        long entries = (long) restoredCount * bands.length;
        for (BandBuckets buckets : bands) {
            entries += buckets.size();
        }
        return entries;
    }

    @Override
    boolean mayHave(long document) {
        return true;
    }

    @Override
    void begin(long[] keys) {
        putRestored();
    }

    @Override
    long touch(long[] keys) {
        long sum = 0;
        for (int band = 0; band < bands.length; band++) {
            sum += bands[band].touch(keys[band]);
        }
        return sum;
    }

    @Override
    void gather(int band, long key, int base, BandBuckets.NumberList into) {
        BandBuckets buckets = bands[band];
        for (int at = buckets.firstSlot(key); buckets.isOf(at, key); at++) {
            int number = buckets.number(at);
            if (!isGone(number)) {
                into.add(base + number);
            }
        }
    }

    @Override
    long document(int number) {
        return documents[number];
    }

    @Override
    long[] tags(int first, int many) {
        return Arrays.copyOfRange(tags, first, first + many);
    }

    @Override
    long tag(int number) {
        return tags[number];
    }

    @Override
    long lastTag() {
        return count == 0 ? Long.MIN_VALUE : tags[count - 1];
    }

    @Override
    long memoryBytes() {
        return super.memoryBytes()
                + Long.BYTES * (2L * documents.length + (long) bands.length * restored[0].length)
                + Arrays.stream(bands).mapToLong(BandBuckets::bytes).sum();
    }

    @Override
    public void close() {
        Arrays.stream(bands).forEach(BandBuckets::close);
    }

    @Override
    Entries entries(int band) {
        return bands[band].entries();
    }

    /** The tail is -1 for a band that refused a document: only one key of 256 has this tail. */
    @Override
    Documents documentColumn() throws IOException {
        int documentBytes = SegmentLayout.documentBytes(bands.length);
        ByteBuffer column =
                ByteBuffer.allocate(Math.multiplyExact(count, documentBytes)).order(ByteOrder.LITTLE_ENDIAN);
        Arrays.fill(column.array(), (byte) -1);
        for (int number = 0; number < count; number++) {
            column.putLong(number * documentBytes, documents[number]);
        }
        long[] keys = new long[count];
        int[] numbers = new int[count];
        for (int band = 0; band < bands.length; band++) {
            int entries = bands[band].entries().read(keys, numbers);
            int at = Long.BYTES + band;
            for (int i = 0; i < entries; i++) {
                column.put(numbers[i] * documentBytes + at, SegmentLayout.tail(keys[i]));
            }
        }
        return () -> column;
    }

    @Override
    Column tagColumn() {
        return Arrays.stream(tags, 0, count).iterator()::nextLong;
    }
}
