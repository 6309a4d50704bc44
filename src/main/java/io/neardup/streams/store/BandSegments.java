package io.neardup.streams.store;

import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.BandTable.OnDisk;
import io.neardup.engine.lsh.BandTable.Rewrite;
import io.neardup.engine.lsh.DamagedSegmentException;
import io.neardup.streams.metrics.DiskFailures;
import io.neardup.streams.store.BandFiles.Manifest;
import io.neardup.streams.store.BandFiles.Position;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A band table with its segments on the disk. Background threads flush its memory to segments and merge these; the
 * thread that uses the table swaps finished segments in between its steps.
 *
 * <p>The memory is flushed when it is full, when the manifest is some hours old, and at a clean close. A start after a
 * kill restores what came after the last flush from the changelog, and flushes it in the same way.
 *
 * <p>If a write to the disk fails, it is tried again a minute later. Meanwhile the memory may grow by a quarter; then
 * the work waits for the disk, and fails if that does.
 *
 * <p>If a segment is not as it was written, {@link DamagedSegmentException} is thrown.
 */
final class BandSegments {
    private static final Logger LOG = LoggerFactory.getLogger(BandSegments.class);

    /**
     * Memory of all index partitions together when it is full, most of it outside of the heap where these are few; a
     * quarter more while the disk takes nothing, and up to 70 MB for what a flush writes. A start after a kill restores
     * so much from the changelog.
     */
    private static final int MEMORY_BYTES = 256_000_000;

    private static final int DOCUMENTS_MAX = 1 << 20;

    /** An older manifest is replaced even if little has changed: well before it is too old to be used. */
    private static final Duration AGE_MAX = StateFolder.AGE_MAX.dividedBy(4);

    private static final Duration AGAIN_AFTER = Duration.ofMinutes(1);

    private final BandFiles files;
    private final BandTable buckets;
    private final LoggedBandTable table;
    private final int inMemoryMax;
    private final Threads threads;
    private final DiskFailures failures;
    private final LongSupplier nowMillis;
    private final List<Path> unused = new ArrayList<>();
    private int nextFile;
    private Optional<Manifest> manifest;
    private @Nullable Write flush;
    private @Nullable Write merge;

    /** All documents up to there are in segments. */
    private Position flushed;

    private boolean isManifestDue;

    /** When a write to the disk failed the last time. */
    private @Nullable Long failedMillis;

    /** While the changelog is restored: the time of the manifest that this began at. */
    private @Nullable Long restoringAsOfMillis;

    /**
     * The threads that write the segments of all tables.
     *
     * @param flushing for flushes, which so wait for no merge
     * @param merging for merges
     */
    record Threads(Executor flushing, Executor merging) {
        /** One of each. */
        static final Threads OF_PROCESS = new Threads(single("neardup-flush"), single("neardup-merge"));

        private static Executor single(String name) {
            return Executors.newSingleThreadExecutor(work -> {
                Thread thread = new Thread(work, name);
                thread.setDaemon(true);
                return thread;
            });
        }
    }

    /** A segment to be written, by the first thread that runs this. */
    private static final class Write implements Runnable {
        final Rewrite rewrite;
        final Path file;
        /** Of a flush, the position that segments will have reached; null for a merge. */
        final @Nullable Position position;

        boolean isQueued;
        private volatile boolean isDone;
        private boolean isWhole;
        private @Nullable Throwable failure;

        Write(Rewrite rewrite, Path file, @Nullable Position position) {
            this.rewrite = rewrite;
            this.file = file;
            this.position = position;
        }

        @Override
        public synchronized void run() {
            if (isDone) {
                return;
            }
            try {
                isWhole = rewrite.write(file);
                failure = null;
            } catch (IOException | RuntimeException | Error e) {
                failure = e;
            }
            isDone = true;
        }

        /** Writes it here, or waits for the thread that has begun to; returns whether it is there as a whole. */
        synchronized boolean await() throws IOException {
            run();
            if (failure instanceof IOException disk) {
                throw disk;
            } else if (failure != null) {
                throw new IllegalStateException(file + ": could not be written", failure);
            }
            return isWhole;
        }

        synchronized void tryAgain() {
            isDone = false;
            isQueued = false;
        }
    }

    /**
     * Opens the segments of the manifest; if one is missing or damaged, none of them.
     *
     * @param log where the table writes its changes
     * @param inMemoryMax {@link BandTable#inMemory} when it is full
     */
    BandSegments(
            BandFiles files,
            LoggedBandTable.Log log,
            int inMemoryMax,
            Threads threads,
            DiskFailures failures,
            LongSupplier nowMillis)
            throws IOException {
        this.files = files;
        this.inMemoryMax = inMemoryMax;
        this.threads = threads;
        this.failures = failures;
        this.nowMillis = nowMillis;
        Optional<Manifest> found = files.read(nowMillis.getAsLong());
        BandTable opened;
        try {
            opened = files.open(found);
        } catch (NoSuchFileException | DamagedSegmentException e) {
            files.logUnusable(e.toString());
            found = Optional.empty();
            opened = files.open(found);
        }
        manifest = found;
        buckets = opened;
        flushed = manifest.map(Manifest::reached).orElse(new Position(nowMillis.getAsLong(), 0, 0));
        restoringAsOfMillis = flushed.atMillis();
        table = new LoggedBandTable(
                buckets, flushed.firstBatch(), manifest.map(Manifest::nextBatch).orElse(0L), log);
        try {
            nextFile = files.tidy(manifest);
        } catch (IOException e) {
            buckets.close();
            throw e;
        }
    }

    /** The manifest that was read or written last. */
    Optional<Manifest> manifest() {
        return manifest;
    }

    /** How many documents fill the memory of an index partition. */
    static int inMemoryMax(int bands, int indexPartitions) {
        return Math.min(MEMORY_BYTES / BandTable.bytesPerDocument(bands, indexPartitions), DOCUMENTS_MAX);
    }

    LoggedBandTable table() {
        return table;
    }

    BandTable buckets() {
        return buckets;
    }

    /**
     * Swaps finished segments in, and begins flushes and merges that are due. To be called often, between steps.
     *
     * @param offset the last one of the changelog; none while a change of the table is not known to be committed
     * @throws IOException if writes to the disk have failed for long
     */
    void advance(Optional<Long> offset) throws IOException {
        restoringAsOfMillis = null;
        advance(offset.orElse(null), table.nextId() > 0 && isOld());
    }

    /** Whether a segment or the manifest is to be written: {@link #advance} is to be called again soon. */
    boolean isWriting() {
        return flush != null || merge != null || isManifestDue;
    }

    /**
     * The same while the changelog is restored. The manifest keeps the time of the one that this began at: how long the
     * markers of removals that are still to be read are kept counts from before that.
     *
     * @param offset the last one that was restored
     */
    void advanceRestored(long offset) throws IOException {
        advance(offset, false);
    }

    private void advance(@Nullable Long offset, boolean isDue) throws IOException {
        flush = takeIfDone(flush);
        merge = takeIfDone(merge);
        if (buckets.inMemory() > inMemoryMax / 4) {
            awaitFlush();
        }
        if (offset == null) {
            return;
        }
        if (flush == null && (isDue || buckets.inMemory() >= inMemoryMax)) {
            freeze(offset);
        }
        Rewrite next = merge == null ? buckets.nextMerge(inMemoryMax) : null;
        if (next != null) {
            merge = new Write(next, files.segment(nextFile++), null);
        }
        if (failedMillis != null && !StateFolder.isOlderThan(failedMillis, AGAIN_AFTER, nowMillis.getAsLong())) {
            return;
        }
        queue(flush, threads.flushing);
        queue(merge, threads.merging);
        if (isManifestDue) {
            writeManifest();
        }
    }

    private boolean isOld() {
        return StateFolder.isOlderThan(flushed.atMillis(), AGE_MAX, nowMillis.getAsLong());
    }

    /** Begins a flush of all that is in memory. */
    private void freeze(long offset) {
        long asOf = restoringAsOfMillis == null ? nowMillis.getAsLong() : restoringAsOfMillis;
        Rewrite frozen = buckets.inMemory() > 0 ? buckets.freeze() : null;
        Position now = new Position(asOf, offset, table.firstToRead());
        if (frozen != null) {
            flush = new Write(frozen, files.segment(nextFile++), now);
        } else {
            flushed = now;
            isManifestDue = true;
        }
    }

    private void queue(@Nullable Write write, Executor thread) {
        if (write != null && !write.isQueued && (write.position != null || hasRoomFor(write))) {
            write.isQueued = true;
            thread.execute(write);
        }
    }

    /** A merge that filled the disk before it failed would leave no room to anything else meanwhile. */
    private boolean hasRoomFor(Write merge) {
        OnDisk all = buckets.onDisk();
        long bytesEach = (all.hotBytes() + all.coldBytes()) / Math.max(1, all.documents()) + 1;
        long neededBytes = bytesEach * ((long) merge.rewrite.documents() + inMemoryMax);
        long foundBytes = files.folder().toFile().getUsableSpace();
        boolean isKnownToLackRoom = foundBytes > 0 && foundBytes < neededBytes;
        if (isKnownToLackRoom) {
            failed(
                    merge.file,
                    new IOException("expected " + (neededBytes >> 20) + " MB free to merge segments, found "
                            + (foundBytes >> 20) + " MB"));
        }
        return !isKnownToLackRoom;
    }

    private @Nullable Write takeIfDone(@Nullable Write write) throws IOException {
        return write != null && write.isDone ? take(write) : write;
    }

    /** Takes the result of a write; returns the write if it is to be tried again. */
    private @Nullable Write take(Write write) throws IOException {
        boolean isWhole;
        try {
            isWhole = write.await();
        } catch (DamagedSegmentException e) {
            throw e;
        } catch (IOException e) {
            write.tryAgain();
            failed(write.file, e);
            return write;
        }
        if (isWhole) {
            finish(write);
        }
        return null;
    }

    private void finish(Write write) throws IOException {
        unused.addAll(buckets.finish(write.rewrite));
        if (write.position != null) {
            flushed = write.position;
        }
        isManifestDue = true;
        failures.written(write.file);
        LOG.debug("wrote segment file={} documents={}", write.file, write.rewrite.documents());
    }

    /** It has the documents of the last flush, and the removals up to now: restoring these again changes nothing. */
    private void writeManifest() {
        try {
            manifest = Optional.of(files.write(flushed, table.nextId(), buckets.segments()));
            for (Path file : unused) {
                Files.deleteIfExists(file);
            }
            unused.clear();
            isManifestDue = false;
            failures.written(files.folder());
        } catch (IOException e) {
            failed(files.folder(), e);
        }
    }

    private void failed(Path file, IOException cause) {
        failedMillis = nowMillis.getAsLong();
        LOG.warn(
                "buckets could not be written, which is tried again in a minute; check the disk file={} cause={}",
                file,
                cause.toString());
        failures.failed(file, cause);
    }

    private void awaitFlush() throws IOException {
        flush = flush == null ? null : take(flush);
        if (flush != null) {
            throw new IOException(
                    flush.rewrite.documents() + " documents, and those that came since, wait to be written",
                    flush.failure);
        }
    }

    /**
     * Ends all writes; if all changes of the table are committed, flushes it first. If the disk does not take that, the
     * next start takes longer.
     *
     * @param offset the last one of the changelog; none if a change of the table is not known to be committed
     */
    void close(Optional<Long> offset) {
        try {
            abandon(merge);
            if (offset.isPresent()) {
                save(offset.get());
            }
        } catch (IOException e) {
            LOG.warn("the buckets could not be written folder={} cause={}", files.folder(), e.toString());
        } finally {
            abandon(flush);
            try {
                buckets.close();
            } catch (IOException e) {
                LOG.debug("segments could not be closed folder={} cause={}", files.folder(), e.toString());
            }
        }
    }

    private void save(long offset) throws IOException {
        awaitFlush();
        boolean isThere = manifest.isPresent() && manifest.get().reached().offset() == offset;
        if (!isManifestDue && isThere && buckets.inMemory() == 0) {
            return;
        }
        freeze(offset);
        awaitFlush();
        writeManifest();
    }

    /** Ends a write that is not needed: soon, or before a thread begins it. After this no thread writes its file. */
    private void abandon(@Nullable Write write) {
        if (write == null) {
            return;
        }
        write.rewrite.cancel();
        try {
            if (write.await()) {
                finish(write);
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("a segment was not needed file={} cause={}", write.file, e.toString());
        }
    }
}
