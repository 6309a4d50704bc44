package io.neardup.engine.lsh;

import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@link BandTable} that is written while it is used: in slices, between which it changes. What was written early is
 * of an earlier time than what was written late. Reading makes one of it, the table as it was at {@link #finish}.
 *
 * <p>Who is inserted while buckets are copied goes into those that were written already by an entry of its own, behind
 * them. Who is removed stays in those that were written already, and is swept out when they are read. Until the end no
 * number of a document is used for another one: so an entry that is read never means a wrong document. The documents of
 * the numbers come last, and those that change meanwhile are written again.
 *
 * <p>Layout: blocks, each behind its kind. 1: band, first segment, and so many segments as a block has. 2: a number,
 * how many, and so many pairs of band and hash. 3: a chunk of documents by number; the last of each counts. 0: the end.
 */
public final class BandTableCopy {
    private static final int END = 0;
    private static final int BUCKETS = 1;
    private static final int INSERTED = 2;
    private static final int DOCUMENTS = 3;

    private static final int SEGMENTS_OF_BLOCK = 8;
    private static final int BLOCKS_OF_BAND = BandBuckets.SEGMENTS / SEGMENTS_OF_BLOCK;
    /** How often all chunks that have changed are written again, before the rest is written in one go. */
    private static final int ROUNDS = 3;

    private final BandBuckets[] bands;
    private final DocumentNumbers numbers;
    private final ArrayOutput to;
    private int nextBlock;
    private int nextChunk;
    private int round;
    private @Nullable IOException failure;

    BandTableCopy(BandBuckets[] bands, DocumentNumbers numbers, ArrayOutput to) {
        this.bands = bands;
        this.numbers = numbers;
        this.to = to;
        numbers.holdFreed();
    }

    /**
     * Writes about so many more bytes.
     *
     * @return whether only the end is missing
     */
    boolean advance(long bytes) throws IOException {
        throwFailure();
        long enough = bytes > Long.MAX_VALUE - to.bytes() ? Long.MAX_VALUE : to.bytes() + bytes;
        while (nextBlock < bands.length * BLOCKS_OF_BAND && to.bytes() < enough) {
            writeBuckets(nextBlock++);
        }
        while (round < ROUNDS && nextBlock == bands.length * BLOCKS_OF_BAND && to.bytes() < enough) {
            writeDocuments();
        }
        return round == ROUNDS;
    }

    private void writeBuckets(int block) throws IOException {
        int band = block / BLOCKS_OF_BAND;
        int first = block % BLOCKS_OF_BAND * SEGMENTS_OF_BLOCK;
        to.writeInt(BUCKETS);
        to.writeInt(band);
        to.writeInt(first);
        bands[band].writeTo(to, first, first + SEGMENTS_OF_BLOCK);
    }

    private void writeDocuments() throws IOException {
        int chunk = numbers.changedFrom(nextChunk);
        if (chunk < 0) {
            round++;
            nextChunk = 0;
        } else {
            to.writeInt(DOCUMENTS);
            numbers.writeChunk(to, chunk);
            nextChunk = chunk + 1;
        }
    }

    /** A document was inserted. Bands are missing where a full bucket refused it. */
    void inserted(int number, long[] hashes, List<Integer> refused) {
        try {
            writeInserted(number, hashes, refused);
        } catch (IOException e) {
            failure = e;
        }
    }

    private void writeInserted(int number, long[] hashes, List<Integer> refused) throws IOException {
        int pairs = 0;
        for (int band = 0; band < hashes.length; band++) {
            pairs += isLacking(band, hashes[band], refused) ? 1 : 0;
        }
        if (pairs == 0) {
            return;
        }
        to.writeInt(INSERTED);
        to.writeInt(number);
        to.writeInt(pairs);
        for (int band = 0; band < hashes.length; band++) {
            if (isLacking(band, hashes[band], refused)) {
                to.writeInt(band);
                to.writeLong(hashes[band]);
            }
        }
    }

    /** Whether its bucket was written before it came. */
    private boolean isLacking(int band, long hash, List<Integer> refused) {
        int block = band * BLOCKS_OF_BAND + BandBuckets.segmentOf(hash) / SEGMENTS_OF_BLOCK;
        return block < nextBlock && (refused.isEmpty() || !refused.contains(band));
    }

    /** Writes what is missing, all at once. */
    void finish() throws IOException {
        advance(Long.MAX_VALUE);
        int held = numbers.held();
        numbers.reuseFreed();
        // To use freed numbers again changes a chunk, too.
        for (int chunk = numbers.changedFrom(0); chunk >= 0; chunk = numbers.changedFrom(chunk)) {
            to.writeInt(DOCUMENTS);
            numbers.writeChunk(to, chunk);
        }
        to.writeInt(END);
        to.writeInt(held);
        numbers.writeEnds(to);
    }

    /** Gives it up. */
    void cancel() {
        numbers.reuseFreed();
    }

    private void throwFailure() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    /** Reads a table into an empty one. */
    static void read(ArrayInput from, BandBuckets[] bands, DocumentNumbers numbers) throws IOException {
        for (int kind = from.readInt(); kind != END; kind = from.readInt()) {
            switch (kind) {
                case BUCKETS -> {
                    BandBuckets band = bands[from.readInt()];
                    int first = from.readInt();
                    band.readFrom(from, first, first + SEGMENTS_OF_BLOCK);
                }
                case INSERTED -> readInserted(from, bands);
                case DOCUMENTS -> numbers.readChunk(from);
                default -> throw new IOException("kind of block: expected 0 to 3, found " + kind);
            }
        }
        int removed = from.readInt();
        numbers.readEnds(from);
        if (removed > 0) {
            BitSet gone = numbers.firstFree(removed);
            for (BandBuckets band : bands) {
                band.removeAll(gone);
            }
        }
    }

    private static void readInserted(ArrayInput from, BandBuckets[] bands) throws IOException {
        int number = from.readInt();
        for (int more = from.readInt(); more > 0; more--) {
            int band = from.readInt();
            bands[band].add(from.readLong(), number);
        }
    }
}
