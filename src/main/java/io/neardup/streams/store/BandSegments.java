package io.neardup.streams.store;

import io.neardup.engine.lsh.BandTable.Rewrite;
import io.neardup.streams.metrics.DiskFailures;
import io.neardup.streams.store.BandFiles.Manifest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves what is in the memory of a table to segments on the disk, and merges these, beside the work: other threads
 * write the files, and the thread that uses the table takes them between its steps.
 *
 * <p>The memory is written when it holds {@value #IN_MEMORY_MAX} documents, when the manifest is some hours old, and at
 * a clean close. A start after a kill reads what came after the last time from the changelog.
 *
 * <p>Where the disk takes nothing, it is tried again a minute later. Meanwhile the memory grows, to
 * {@value #MEMORIES_MAX} times that; then the work waits for the disk, or stops where that fails.
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
    private final LoggedBandTable table;
    private final int inMemoryMax;
    private final SegmentThreads threads;
    private final DiskFailures failures;
    private final LongSupplier nowMillis;
    private final List<Path> unused = new ArrayList<>();
    private int nextFile;
    private Optional<Manifest> manifest;
    private @Nullable Write flush;
    private @Nullable Write merge;

    /** As of which all documents are in segments; none where that is not known. */
    private @Nullable Position flushed;

    private boolean isManifestDue;
    private long nextTryMillis = Long.MIN_VALUE;

    /**
     * A place in the changelog.
     *
     * @param firstBatch that comes behind it
     * @param atMillis when it was the end
     */
    private record Position(long offset, long firstBatch, long atMillis) {}

    /** A segment that another thread writes. */
    private static final class Write {
        final Rewrite rewrite;
        final Path file;
        final Executor thread;
        /** As of when it was in memory; none for a merge. */
        final @Nullable Position position;
        /** Whether it is there as a whole; none where it is to be begun, or begun again. */
        @Nullable
        CompletableFuture<Boolean> done;

        Write(Rewrite rewrite, Path file, Executor thread, @Nullable Position position) {
            this.rewrite = rewrite;
            this.file = file;
            this.thread = thread;
            this.position = position;
        }

        boolean now() {
            try {
                return rewrite.write(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * @param manifest of the segments that the table has
     * @param inMemoryMax as {@link #IN_MEMORY_MAX}
     */
    BandSegments(
            BandFiles files,
            LoggedBandTable table,
            Optional<Manifest> manifest,
            int inMemoryMax,
            SegmentThreads threads,
            DiskFailures failures,
            LongSupplier nowMillis)
            throws IOException {
        this.files = files;
        this.table = table;
        this.manifest = manifest;
        this.inMemoryMax = inMemoryMax;
        this.threads = threads;
        this.failures = failures;
        this.nowMillis = nowMillis;
        this.nextFile = files.tidy(manifest);
        this.flushed = manifest.map(of -> new Position(of.offset(), of.firstBatch(), of.atMillis()))
                .orElse(null);
    }

    /** The last that was read or written. */
    Optional<Manifest> manifest() {
        return manifest;
    }

    /**
     * Goes on: takes what was written, and begins what is due. To be called often, between steps.
     *
     * @param offset the last one of the changelog; none while something in the table is not known to be committed
     * @throws IOException if the disk has not taken anything for long
     */
    void advance(Optional<Long> offset) throws IOException {
        flush = take(flush);
        merge = take(merge);
        if (table.inMemory() > MEMORIES_MAX * inMemoryMax) {
            awaitFlush();
        }
        if (nowMillis.getAsLong() < nextTryMillis) {
            return;
        }
        if (offset.isPresent()) {
            begin(new Position(offset.get(), table.nextId(), nowMillis.getAsLong()));
        }
    }

    private void begin(Position now) {
        if (flush == null && isFlushDue()) {
            if (table.inMemory() > 0) {
                flush = new Write(table.freeze(), files.nextSegment(nextFile++), threads.flushing(), now);
            } else {
                flushed = now;
                isManifestDue = true;
            }
        }
        Rewrite next = merge == null ? table.nextMerge() : null;
        if (next != null) {
            merge = new Write(next, files.nextSegment(nextFile++), threads.merging(), null);
        }
        begin(flush);
        begin(merge);
        if (isManifestDue) {
            writeManifest();
        }
    }

    private boolean isFlushDue() {
        return table.inMemory() >= inMemoryMax || (table.nextId() > 0 && isOld());
    }

    private boolean isOld() {
        return flushed == null || Math.abs(nowMillis.getAsLong() - flushed.atMillis) > AGE_MAX.toMillis();
    }

    private static void begin(@Nullable Write write) {
        if (write != null && write.done == null) {
            write.done = CompletableFuture.supplyAsync(write::now, write.thread);
        }
    }

    /** Puts what was written in its place; gives back what is still being written, or is to be begun again. */
    private @Nullable Write take(@Nullable Write write) throws IOException {
        if (write == null || write.done == null || !write.done.isDone()) {
            return write;
        }
        try {
            boolean unused = write.done.join();
        } catch (CompletionException e) {
            write.done = null;
            failed(new IOException(e.getCause()));
            Files.deleteIfExists(write.file);
            return write;
        }
        finish(write);
        return null;
    }

    private void finish(Write write) throws IOException {
        unused.addAll(table.finish(write.rewrite, write.file));
        if (write.position != null) {
            flushed = write.position;
        }
        isManifestDue = true;
        LOG.debug("wrote segment file={} documents={}", write.file, write.rewrite.documents());
    }

    /** What is gone is as of now, what is there as of the last flush: what is read again tells of the same twice. */
    private void writeManifest() {
        if (flushed == null) {
            return;
        }
        try {
            manifest = Optional.of(files.write(
                    flushed.atMillis, flushed.offset, flushed.firstBatch, table.nextId(), table.segments()));
            for (Path file : unused) {
                Files.deleteIfExists(file);
            }
            unused.clear();
            isManifestDue = false;
            failures.written(files.folder());
        } catch (IOException e) {
            failed(e);
        }
    }

    private void failed(IOException cause) {
        LOG.warn(
                "a restart takes longer, as the buckets could not be written; check the disk folder={} cause={}",
                files.folder(),
                cause.toString());
        failures.failed(files.folder(), cause);
        nextTryMillis = nowMillis.getAsLong() + AGAIN_AFTER.toMillis();
    }

    /** While the changelog is read: writes the memory where it is too full, at once. */
    void keepMemoryBounded() throws IOException {
        if (table.inMemory() < 2 * inMemoryMax) {
            return;
        }
        endMerge();
        awaitFlush();
        for (Rewrite next = table.freeze(); next != null; next = table.nextMerge()) {
            writeNow(next);
        }
        flushed = null; // Until all that is read is written, too.
    }

    private void writeNow(Rewrite rewrite) throws IOException {
        Path file = files.nextSegment(nextFile++);
        boolean unused = rewrite.write(file);
        this.unused.addAll(table.finish(rewrite, file));
        isManifestDue = true;
    }

    private void awaitFlush() throws IOException {
        Write waited = flush;
        flush = null;
        if (waited != null && waited.done != null) {
            try {
                boolean unused = waited.done.join();
            } catch (CompletionException e) {
                Files.deleteIfExists(waited.file);
                throw new IOException(e.getCause());
            }
            finish(waited);
        } else if (waited != null) {
            throw new IOException("it could not be written before, and " + table.inMemory() + " documents wait");
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
            endMerge();
            awaitFlush();
            if (offset.isPresent() && !isSaved(offset.get())) {
                Position now = new Position(offset.get(), table.nextId(), nowMillis.getAsLong());
                if (table.inMemory() > 0) {
                    writeNow(table.freeze());
                }
                flushed = now;
                writeManifest();
            }
        } catch (IOException e) {
            failed(e);
        } finally {
            try {
                table.close();
            } catch (IOException e) {
                LOG.debug("segments could not be closed folder={} cause={}", files.folder(), e.toString());
            }
        }
    }

    private boolean isSaved(long offset) {
        return !isManifestDue && manifest.isPresent() && manifest.get().offset() == offset && table.inMemory() == 0;
    }

    private void endMerge() throws IOException {
        Write ended = merge;
        merge = null;
        if (ended == null || ended.done == null) {
            return;
        }
        ended.rewrite.cancel();
        boolean isWhole = ended.done.exceptionally(failure -> false).join();
        if (isWhole) {
            finish(ended);
        } else {
            Files.deleteIfExists(ended.file);
        }
    }
}
