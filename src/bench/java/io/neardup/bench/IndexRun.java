package io.neardup.bench;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.BandTable.OnDisk;
import io.neardup.engine.lsh.BandTable.Rewrite;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.lsh.SharedBands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A band table alone, of generated keys: grown to a size, with its segments written and merged in threads beside.
 * At the end three in ten documents share each band with a probability of 18 in 26 with an original of any age; they
 * are looked up, inserted and removed, as the service does with duplicates.
 */
public final class IndexRun {
    private static final int DUPLICATES_OF_TEN = 3;
    private static final int CANDIDATES_MAX = 500;
    private static final int BUCKET_MAX = 1_000;
    private static final int PROGRESS_DOCUMENTS = 1 << 16;
    /** Of a size, the part before this share of the originals is inserted alone: lookups leave nothing behind. */
    private static final double GROWN = 0.88;

    /** The part behind this share is measured. */
    private static final double WARM_UP = 0.9;

    private final Path folder;
    private final Banding banding;
    private final int inMemoryMax;
    private final BandTable table;
    private final SharedBands found = new SharedBands();
    /** As in the service: a flush waits for no merge. */
    private final ExecutorService flushing = Executors.newSingleThreadExecutor();

    private final ExecutorService merging = Executors.newSingleThreadExecutor();
    private long nextTag;
    private int files;
    private @Nullable Writing flush;
    private @Nullable Writing merge;
    private long newNanos;
    private long duplicateNanos;
    private long insertNanos;
    private long missed;

    /**
     * What a size showed.
     *
     * @param hotBytesPerOriginal mapped columns of segments, and a bit
     * @param memoryBytes of what is not in segments
     * @param coldBytesPerOriginal of files beside the mapped columns
     * @param lookupMicros of one document, the mean of the last tenth
     * @param newLookupMicros of these, of one that is like none: it reads hot columns alone
     * @param duplicateLookupMicros of one that is a near-duplicate: its original is read in cold columns too
     * @param missed duplicates whose original was not found, of those measured
     */
    public record Size(
            long originals,
            int bands,
            int rows,
            int segments,
            double hotBytesPerOriginal,
            long memoryBytes,
            double coldBytesPerOriginal,
            double lookupMicros,
            double newLookupMicros,
            double duplicateLookupMicros,
            double insertMicros,
            double seconds,
            long missed) {}

    private record Writing(Rewrite rewrite, CompletableFuture<Void> written) {}

    /** Learns how far it is. */
    public interface Progress {
        void update(long originals, int segments);
    }

    private IndexRun(Path folder, Banding banding, int inMemoryMax) {
        this.folder = folder;
        this.banding = banding;
        this.inMemoryMax = inMemoryMax;
        this.table = new BandTable(banding.bands(), BUCKET_MAX);
    }

    /**
     * Grows a table to a size.
     *
     * @param folder for its segments, empty
     * @param inMemoryMax documents in memory before a segment is written
     */
    public static Size run(Path folder, Banding banding, long originals, int inMemoryMax, Progress progress)
            throws IOException {
        IndexRun run = new IndexRun(folder, banding, inMemoryMax);
        try {
            return run.grow(originals, progress);
        } finally {
            run.end();
        }
    }

    private Size grow(long originals, Progress progress) throws IOException {
        long start = System.nanoTime();
        long measured = 0;
        long measuredOriginals = 0;
        long grown = (long) (GROWN * originals);
        long first = (long) (WARM_UP * originals);
        for (long document = 0, original = 0; original < originals; document++) {
            boolean isDuplicate = original > grown && Math.floorMod(mix(document), 10) < DUPLICATES_OF_TEN;
            BandKeys keys = isDuplicate ? duplicate(document, original) : keys(original);
            if (original == first && !isDuplicate) {
                newNanos = 0;
                duplicateNanos = 0;
                insertNanos = 0;
                missed = 0;
                measured = 0;
                measuredOriginals = 0;
            }
            if (original == grown) {
                awaitMerges();
            }
            if (original < grown) {
                table.restore(original, keys, List.of(), nextTag++);
            } else {
                take(isDuplicate ? -1 - document : original, keys, isDuplicate);
            }
            measured++;
            if (!isDuplicate) {
                original++;
                measuredOriginals++;
                if (original % PROGRESS_DOCUMENTS == 0) {
                    progress.update(original, table.onDisk().segments());
                }
            }
            advance();
        }
        return size(originals, measured, measuredOriginals, System.nanoTime() - start);
    }

    private void take(long document, BandKeys keys, boolean isDuplicate) {
        long start = System.nanoTime();
        table.candidates(document, keys, CANDIDATES_MAX, found);
        long looked = System.nanoTime();
        table.insert(document, keys, nextTag++);
        long inserted = System.nanoTime();
        if (isDuplicate) {
            duplicateNanos += looked - start;
            missed += found.size() == 0 ? 1 : 0;
            table.remove(document, keys);
        } else {
            newNanos += looked - start;
            insertNanos += inserted - looked;
        }
    }

    private BandKeys keys(long original) {
        long[] keys = new long[banding.bands()];
        for (int band = 0; band < keys.length; band++) {
            keys[band] = mix(original * keys.length + band);
        }
        return BandKeys.owning(keys);
    }

    private BandKeys duplicate(long document, long originals) {
        long original = Math.floorMod(mix(~document), originals);
        long[] keys = new long[banding.bands()];
        for (int band = 0; band < keys.length; band++) {
            boolean isShared = Math.floorMod(mix(~(band - document * keys.length)), 26) < 18;
            keys[band] = isShared ? mix(original * keys.length + band) : mix(~(document * keys.length + band));
        }
        return BandKeys.owning(keys);
    }

    /** The finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
    private static long mix(long value) {
        long z = (value + 1) * 0x9E37_79B9_7F4A_7C15L;
        z = (z ^ z >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ z >>> 27) * 0x94D0_49BB_1331_11EBL;
        return z ^ z >>> 31;
    }

    /** What a store does between its steps. */
    private void advance() throws IOException {
        boolean isFull = table.inMemory() > inMemoryMax / 4;
        flush = finished(flush, isFull);
        merge = finished(merge, false);
        if (flush == null && table.inMemory() >= inMemoryMax) {
            flush = begin(table.freeze(), flushing);
        }
        Rewrite next = merge == null ? table.nextMerge(inMemoryMax) : null;
        if (next != null) {
            merge = begin(next, merging);
        }
    }

    /** Who is not held up by lookups inserts faster than one thread merges. */
    private void awaitMerges() throws IOException {
        for (advance(); merge != null; advance()) {
            merge.written.join();
        }
    }

    private @Nullable Writing finished(@Nullable Writing writing, boolean isAwaited) throws IOException {
        boolean isDone = writing != null && (isAwaited || writing.written.isDone());
        if (writing == null || !isDone) {
            return writing;
        }
        writing.written.join();
        for (Path unused : table.finish(writing.rewrite)) {
            Files.delete(unused);
        }
        return null;
    }

    private Writing begin(Rewrite rewrite, ExecutorService thread) {
        Path file = folder.resolve(files++ + ".segment");
        return new Writing(rewrite, CompletableFuture.runAsync(() -> write(rewrite, file), thread));
    }

    private static void write(Rewrite rewrite, Path file) {
        try {
            rewrite.write(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Size size(long originals, long measured, long measuredOriginals, long nanos) {
        OnDisk onDisk = table.onDisk();
        double inSegments = Math.max(1, onDisk.documents());
        return new Size(
                originals,
                banding.bands(),
                banding.rows(),
                onDisk.segments(),
                onDisk.hotBytes() / inSegments + 1.0 / Byte.SIZE,
                table.bytes(),
                onDisk.coldBytes() / inSegments,
                (newNanos + duplicateNanos) / 1e3 / measured,
                newNanos / 1e3 / measuredOriginals,
                duplicateNanos / 1e3 / Math.max(1, measured - measuredOriginals),
                insertNanos / 1e3 / measuredOriginals,
                nanos / 1e9,
                missed);
    }

    private void end() throws IOException {
        flushing.shutdown();
        merging.shutdown();
        if (merge != null) {
            merge.rewrite.cancel();
        }
        try (table) {
            Stream.of(flush, merge).filter(Objects::nonNull).forEach(writing -> writing.written.join());
        } finally {
            try (Stream<Path> left = Files.walk(folder)) {
                for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }
}
