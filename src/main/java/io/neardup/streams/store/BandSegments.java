package io.neardup.streams.store;

import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.BandTable.OnDisk;
import io.neardup.engine.lsh.BandTable.Rewrite;
import io.neardup.engine.lsh.DamagedSegmentException;
import io.neardup.streams.metrics.DiskFailures;
import io.neardup.streams.store.BandFiles.Manifest;
import io.neardup.streams.store.BandFiles.Position;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table whose memory moves to segments on the disk, which are merged, beside the work: other threads write the files,
 * and the thread that uses the table takes them between its steps.
 *
 * <p>The memory is written when it holds {@value #IN_MEMORY_MAX} documents, when the manifest is some hours old, and at
 * a clean close. A start after a kill reads what came after the last time from the changelog, and writes what it has
 * read in the same way.
 *
 * <p>Where the disk takes nothing, it is tried again a minute later. Meanwhile the memory grows, to
 * {@value #MEMORIES_MAX} times that; then the work waits for the disk, or stops where that fails.
 *
 * <p>Where a segment cannot be read as it was written, {@link DamagedSegmentException} is thrown.
 */
final class BandSegments {
    private static final Logger LOG = LoggerFactory.getLogger(BandSegments.class);

    /** Some 30 MB with 26 bands in one index partition. */
    static final int IN_MEMORY_MAX = 1 << 17;

    private static final int MEMORIES_MAX = 4;

    /** A manifest that is older is replaced though little has changed: far below the age at which it is of no use. */
    private static final Duration AGE_MAX = BandFiles.AGE_MAX.dividedBy(4);

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

    /** As of which all documents are in segments; none where they were never written. */
    private @Nullable Position flushed;

    private boolean isManifestDue;
    private long nextManifestMillis = Long.MIN_VALUE;

    /** While the changelog is read: as of when it has all markers that come behind what was there before. */
    private @Nullable Long restoringAsOfMillis;

    /**
     * The threads that write segments, of all tables.
     *
     * @param flushing writes what was in memory, and so waits for no merge
     * @param merging writes one of several
     */
    record Threads(Executor flushing, Executor merging) {
        private static final int IDLE_SECONDS = 10;

        /** One of each, which are there only while they have something to write. */
        static final Threads OF_PROCESS = new Threads(single("neardup-flush"), single("neardup-merge"));

        private static Executor single(String name) {
            ThreadPoolExecutor single =
                    new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                        Thread thread = new Thread(work, name);
                        thread.setDaemon(true);
                        return thread;
                    });
            single.allowCoreThreadTimeOut(true);
            return single;
        }
    }

    /** A segment that is to be written. */
    private static final class Write {
        final Rewrite rewrite;
        final Path file;
        final Executor thread;
        /** As of when it was in memory; none for a merge. */
        final @Nullable Position position;
        /** None where it is to be begun, or begun again. */
        @Nullable
        Attempt attempt;

        /** Of the last attempt. */
        @Nullable
        IOException failure;

        long notBeforeMillis = Long.MIN_VALUE;

        Write(Rewrite rewrite, Path file, Executor thread, @Nullable Position position) {
            this.rewrite = rewrite;
            this.file = file;
            this.thread = thread;
            this.position = position;
        }

        void begin() {
            attempt = new Attempt(this);
            thread.execute(attempt);
        }

        boolean isDone() {
            return attempt != null && attempt.written.isDone();
        }

        /** Writes it here, unless a thread has begun to: then waits for that. Whether it is there as a whole. */
        boolean await() throws IOException {
            Attempt awaited = attempt == null ? new Attempt(this) : attempt;
            attempt = null;
            awaited.run();
            try {
                return awaited.written.join();
            } catch (CompletionException e) {
                if (e.getCause() instanceof IOException disk) {
                    throw disk;
                }
                throw e;
            }
        }
    }

    /** One of writing a segment, by the thread that comes to it first. */
    private static final class Attempt implements Runnable {
        final CompletableFuture<Boolean> written = new CompletableFuture<>();
        private final AtomicReference<@Nullable Write> toWrite;

        Attempt(Write toWrite) {
            this.toWrite = new AtomicReference<>(toWrite);
        }

        @Override
        public void run() {
            Write write = toWrite.getAndSet(null);
            if (write == null) {
                return;
            }
            try {
                written.complete(write.rewrite.write(write.file));
            } catch (InternalError | UncheckedIOException e) {
                written.completeExceptionally(new DamagedSegmentException(e.toString()));
            } catch (IOException | RuntimeException | Error e) {
                written.completeExceptionally(e);
            }
        }
    }

    /**
     * Opens what is in the files; nothing of it where a part cannot be used.
     *
     * @param log where the table writes its changes
     * @param inMemoryMax as {@link #IN_MEMORY_MAX}
     */
    static BandSegments open(
            BandFiles files,
            LoggedBandTable.Log log,
            int inMemoryMax,
            Threads threads,
            DiskFailures failures,
            LongSupplier nowMillis)
            throws IOException {
        Optional<Manifest> manifest = files.read(nowMillis.getAsLong());
        BandTable buckets;
        try {
            buckets = files.open(manifest);
        } catch (IOException e) {
            files.logUnusable(e.getMessage());
            manifest = Optional.empty();
            buckets = files.open(manifest);
        }
        try {
            int nextFile = files.tidy(manifest);
            return new BandSegments(
                    files, buckets, manifest, nextFile, log, inMemoryMax, threads, failures, nowMillis);
        } catch (IOException e) {
            buckets.close();
            throw e;
        }
    }

    private BandSegments(
            BandFiles files,
            BandTable buckets,
            Optional<Manifest> manifest,
            int nextFile,
            LoggedBandTable.Log log,
            int inMemoryMax,
            Threads threads,
            DiskFailures failures,
            LongSupplier nowMillis) {
        this.files = files;
        this.buckets = buckets;
        this.manifest = manifest;
        this.nextFile = nextFile;
        this.inMemoryMax = inMemoryMax;
        this.threads = threads;
        this.failures = failures;
        this.nowMillis = nowMillis;
        this.flushed = manifest.map(Manifest::reached).orElse(null);
        this.restoringAsOfMillis = flushed == null ? nowMillis.getAsLong() : flushed.atMillis();
        this.table = new LoggedBandTable(
                buckets,
                manifest.map(of -> of.reached().firstBatch()).orElse(0L),
                manifest.map(Manifest::nextBatch).orElse(0L),
                log);
    }

    /** The last that was read or written. */
    Optional<Manifest> manifest() {
        return manifest;
    }

    LoggedBandTable table() {
        return table;
    }

    /** Of the table. */
    BandTable buckets() {
        return buckets;
    }

    /**
     * Goes on: takes what was written, and begins what is due. To be called often, between steps.
     *
     * @param offset the last one of the changelog; none while something in the table is not known to be committed
     * @throws IOException if the disk has not taken anything for long
     */
    void advance(Optional<Long> offset) throws IOException {
        restoringAsOfMillis = null;
        advance(offset.orElse(null), table.nextId() > 0 && isOld());
    }

    /**
     * The same while the changelog is read. A manifest is no younger then than the one that the reading began at:
     * markers of removals that are not read yet are kept for a time that began before that.
     *
     * @param offset the last one that was read
     */
    void advanceRestored(long offset) throws IOException {
        advance(offset, false);
    }

    private void advance(@Nullable Long offset, boolean isDue) throws IOException {
        flush = takeIfDone(flush);
        merge = takeIfDone(merge);
        if (buckets.inMemory() > MEMORIES_MAX * inMemoryMax) {
            awaitFlush();
        }
        if (offset == null) {
            return;
        }
        if (flush == null && (isDue || buckets.inMemory() >= inMemoryMax)) {
            freeze(offset);
        }
        Rewrite next = merge == null ? buckets.nextMerge() : null;
        if (next != null) {
            merge = new Write(next, files.segment(nextFile++), threads.merging, null);
        }
        beginIfDue(flush);
        beginIfDue(merge);
        if (isManifestDue && nowMillis.getAsLong() >= nextManifestMillis) {
            writeManifest();
        }
    }

    private boolean isOld() {
        return flushed == null || flushed.isOlderThan(AGE_MAX, nowMillis.getAsLong());
    }

    /** All that is in memory is to be written. */
    private void freeze(long offset) {
        long asOf = restoringAsOfMillis == null ? nowMillis.getAsLong() : restoringAsOfMillis;
        Rewrite frozen = buckets.inMemory() > 0 ? buckets.freeze() : null;
        Position now = new Position(asOf, offset, table.firstToRead());
        if (frozen != null) {
            flush = new Write(frozen, files.segment(nextFile++), threads.flushing, now);
        } else {
            flushed = now;
            isManifestDue = true;
        }
    }

    private void beginIfDue(@Nullable Write write) {
        if (write != null
                && write.attempt == null
                && nowMillis.getAsLong() >= write.notBeforeMillis
                && (write.position != null || hasRoomFor(write))) {
            write.begin();
        }
    }

    /** A merge that fills the disk before it fails would leave no room to all else meanwhile. */
    private boolean hasRoomFor(Write merge) {
        OnDisk all = buckets.onDisk();
        long bytesEach = (all.hotBytes() + all.coldBytes()) / Math.max(1, all.documents()) + 1;
        long neededBytes = bytesEach * ((long) merge.rewrite.documents() + inMemoryMax);
        long foundBytes = files.folder().toFile().getUsableSpace();
        boolean isKnownToLackRoom = foundBytes > 0 && foundBytes < neededBytes;
        if (isKnownToLackRoom) {
            failed(merge, new IOException("bytes free to merge: expected " + neededBytes + ", found " + foundBytes));
        }
        return !isKnownToLackRoom;
    }

    private @Nullable Write takeIfDone(@Nullable Write write) throws IOException {
        return write != null && write.isDone() ? take(write) : write;
    }

    /** Puts what was written in its place; gives it back where it is to be written again. */
    private @Nullable Write take(Write write) throws IOException {
        boolean isWhole;
        try {
            isWhole = write.await();
        } catch (DamagedSegmentException e) {
            throw e;
        } catch (IOException e) {
            failed(write, e);
            return write;
        }
        if (isWhole) {
            finish(write);
        }
        return null;
    }

    private void finish(Write write) throws IOException {
        unused.addAll(buckets.finish(write.rewrite, write.file));
        if (write.position != null) {
            flushed = write.position;
        }
        isManifestDue = true;
        failures.written(write.file);
        LOG.debug("wrote segment file={} documents={}", write.file, write.rewrite.documents());
    }

    /** What is gone is as of now, what is there as of the last flush: what is read again tells of the same twice. */
    private void writeManifest() {
        try {
            manifest = Optional.of(
                    files.write(Objects.requireNonNull(flushed), table.nextId(), buckets.segments()));
            for (Path file : unused) {
                Files.deleteIfExists(file);
            }
            unused.clear();
            isManifestDue = false;
            failures.written(files.folder());
        } catch (IOException e) {
            nextManifestMillis = againMillis();
            failed(files.folder(), e);
        }
    }

    private void failed(Write write, IOException cause) {
        write.failure = cause;
        write.notBeforeMillis = againMillis();
        failed(write.file, cause);
    }

    private long againMillis() {
        return nowMillis.getAsLong() + AGAIN_AFTER.toMillis();
    }

    private void failed(Path file, IOException cause) {
        LOG.warn(
                "a restart takes longer, as the buckets could not be written; check the disk file={} cause={}",
                file,
                cause.toString());
        failures.failed(file, cause);
    }

    private void awaitFlush() throws IOException {
        flush = flush == null ? null : take(flush);
        if (flush != null) {
            throw new IOException(buckets.inMemory() + " documents wait to be written", flush.failure);
        }
    }

    /**
     * Ends all that is being written, and where all in the table is committed, writes it. A disk that does not take it
     * costs the next start some time.
     *
     * @param offset the last one of the changelog; none where something in the table is not known to be committed
     */
    void close(Optional<Long> offset) {
        try {
            abandon(merge);
            if (offset.isPresent()) {
                save(offset.get());
            } else {
                abandon(flush);
            }
        } catch (IOException e) {
            LOG.warn("the buckets could not be written folder={} cause={}", files.folder(), e.toString());
        } finally {
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

    /** Nobody needs it: ends it soon, or before a thread has come to it. */
    private void abandon(@Nullable Write write) {
        if (write == null || write.attempt == null) {
            return;
        }
        write.rewrite.cancel();
        try {
            if (write.await()) {
                finish(write);
            }
        } catch (IOException e) {
            LOG.debug("a segment was not needed file={} cause={}", write.file, e.toString());
        }
    }
}
