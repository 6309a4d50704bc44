package io.neardup.streams.store;

import io.neardup.engine.lsh.ArrayOutput;
import io.neardup.streams.store.BandSnapshot.Header;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes snapshots of a table while it is used, so that a start after a kill has little to read from the changelog.
 *
 * <p>One begins when so many documents have come or gone since the one before that a start would need some seconds for
 * them: a quarter of those in the table, within bounds. So what is written to the disk keeps a proportion to what
 * happens. It goes on at {@value #BYTES_PER_SECOND} bytes a second at the most, for all tables of a process together,
 * beside what is inserted meanwhile.
 */
public final class RunningSnapshots {
    static final long CHANGES_MIN = 50_000;
    static final long CHANGES_MAX = 500_000;
    private static final int SHARE = 4;

    /** A few percent of what a disk writes. */
    static final long BYTES_PER_SECOND = 16 << 20;

    /** One that is older is replaced though little has changed: far below the age at which it is of no use. */
    private static final Duration AGE_MAX = BandSnapshot.AGE_MAX.dividedBy(4);

    /** Whoever comes back late does not write all at once what was not written meanwhile. */
    private static final long MILLIS_MAX = 500;

    private final BandSnapshot snapshot;
    private final LoggedBandTable table;
    private final SnapshotTurn turn;
    private final LongSupplier nowMillis;
    /** When the last one was written or tried. */
    private @Nullable Long beforeMillis;

    private long changesBefore;
    private long lastMillis;
    private @Nullable RunningSnapshot running;

    /** @param before what the table was read from, none if it was empty */
    public RunningSnapshots(
            BandSnapshot snapshot,
            LoggedBandTable table,
            SnapshotTurn turn,
            LongSupplier nowMillis,
            Optional<Header> before) {
        this.beforeMillis = before.map(Header::writtenMillis).orElse(null);
        this.snapshot = snapshot;
        this.table = table;
        this.turn = turn;
        this.nowMillis = nowMillis;
    }

    /**
     * Goes on with a snapshot, or begins one that is due. To be called often, between steps.
     *
     * @param offset of the last record of the changelog; none while something in the table is not known to be committed
     * @return what was written, once each
     * @throws IOException if the disk does not take it; another is begun later
     */
    public Optional<Header> advance(Supplier<Optional<Long>> offset) throws IOException {
        try {
            return advanceOrFail(offset);
        } catch (IOException e) {
            giveUp();
            throw e;
        }
    }

    private Optional<Header> advanceOrFail(Supplier<Optional<Long>> offset) throws IOException {
        if (running == null && isDue() && turn.take()) {
            running = RunningSnapshot.begin(snapshot, table, turn.writer());
            lastMillis = nowMillis.getAsLong();
        }
        if (running == null) {
            return Optional.empty();
        }
        if (running.isSealed()) {
            return running.written().isPresent() ? end() : Optional.empty();
        }
        if (running.advance(bytesSinceLast()) && !table.hasUnwrittenChanges()) {
            seal(running, offset);
        }
        return Optional.empty();
    }

    private void giveUp() {
        end();
        beforeMillis = nowMillis.getAsLong();
        changesBefore = table.changes();
    }

    private boolean isDue() {
        long enough = isBeforeOld() ? 1 : Math.max(CHANGES_MIN, Math.min(CHANGES_MAX, table.documents() / SHARE));
        return table.changes() - changesBefore >= enough;
    }

    private boolean isBeforeOld() {
        return beforeMillis == null || Math.abs(nowMillis.getAsLong() - beforeMillis) > AGE_MAX.toMillis();
    }

    private long bytesSinceLast() {
        long now = nowMillis.getAsLong();
        long millis = Math.min(MILLIS_MAX, Math.max(0, now - lastMillis));
        lastMillis = now;
        return BYTES_PER_SECOND * millis / 1_000;
    }

    private void seal(RunningSnapshot ready, Supplier<Optional<Long>> offset) throws IOException {
        Optional<Long> committed = offset.get();
        if (committed.isPresent()) {
            Header header = new Header(nowMillis.getAsLong(), committed.get());
            ready.seal(header);
            beforeMillis = header.writtenMillis();
            changesBefore = table.changes();
        }
    }

    /**
     * Ends the one that is being written, if there is one. One that is sealed is still written. Waits for the disk.
     *
     * @return what was written
     */
    public Optional<Header> end() {
        RunningSnapshot ended = running;
        if (ended == null) {
            return Optional.empty();
        }
        running = null;
        try {
            return ended.end();
        } finally {
            turn.give();
        }
    }

    /**
     * A {@link BandSnapshot} that is written while its table is used, in slices. The thread that uses the table copies
     * it slice by slice between its steps, and another one writes what was copied. It holds the table as it is when it
     * is {@link #seal sealed}.
     *
     * <p>Memory: 1 MB, what waits for the disk, and the numbers of the documents that are removed meanwhile.
     */
    static final class RunningSnapshot {
        /** While more waits for the disk nothing is copied but what is inserted. */
        private static final long QUEUED_MAX = 8 << 20;

        /** What is inserted while a disk stands still must not fill the memory. */
        private static final long QUEUED_GIVE_UP = 64 << 20;

        private final LoggedBandTable table;
        private final BackgroundFile file;
        private final ArrayOutput to;
        private Optional<Header> sealed = Optional.empty();

        private RunningSnapshot(LoggedBandTable table, BackgroundFile file) {
            this.table = table;
            this.file = file;
            this.to = new ArrayOutput(file);
        }

        /** @param writer a single thread */
        static RunningSnapshot begin(BandSnapshot snapshot, LoggedBandTable table, Executor writer) throws IOException {
            RunningSnapshot begun = new RunningSnapshot(table, new BackgroundFile(snapshot.file(), writer));
            snapshot.writeStart(begun.to);
            table.beginCopy(begun.to);
            return begun;
        }

        /**
         * Copies about so many bytes more; fewer where the disk is behind.
         *
         * @return whether it may be sealed
         * @throws IOException if the disk does not take it; it is to be given up then
         */
        boolean advance(long bytes) throws IOException {
            file.throwFailure();
            long queued = file.queuedBytes();
            if (queued > QUEUED_GIVE_UP) {
                throw new IOException("the disk takes less than is inserted");
            }
            return table.advanceCopy(queued > QUEUED_MAX ? 0 : bytes);
        }

        /**
         * Copies the rest: the numbers that have changed since they were written, and all segments. That is some 2
         * bytes a document, at once.
         */
        void seal(Header header) throws IOException {
            table.endCopy(to);
            BandSnapshot.writeEnd(to, header);
            file.finish();
            sealed = Optional.of(header);
        }

        boolean isSealed() {
            return sealed.isPresent();
        }

        /**
         * What the file is of, once it has replaced the one before.
         *
         * @throws IOException if the disk did not take it
         */
        Optional<Header> written() throws IOException {
            file.throwFailure();
            return file.isFinished() ? sealed : Optional.empty();
        }

        /** Gives it up; one that is sealed is still written. Waits for the disk. */
        Optional<Header> end() {
            if (sealed.isPresent()) {
                file.await();
            } else {
                table.dropCopy();
            }
            file.close();
            return file.isFinished() ? sealed : Optional.empty();
        }
    }

    /**
     * What the band tables of a process write their {@link RunningSnapshot} with: one table at a time, by one thread,
     * which is there only while it has to write.
     */
    static final class SnapshotTurn {
        private static final int IDLE_SECONDS = 10;

        private final Semaphore turn = new Semaphore(1);
        private final ExecutorService writer;

        public SnapshotTurn() {
            ThreadPoolExecutor single = new ThreadPoolExecutor(
                    1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), SnapshotTurn::thread);
            single.allowCoreThreadTimeOut(true);
            writer = single;
        }

        private static Thread thread(Runnable work) {
            Thread thread = new Thread(work, "neardup-snapshots");
            thread.setDaemon(true);
            return thread;
        }

        boolean take() {
            return turn.tryAcquire();
        }

        void give() {
            turn.release();
        }

        ExecutorService writer() {
            return writer;
        }
    }
}
