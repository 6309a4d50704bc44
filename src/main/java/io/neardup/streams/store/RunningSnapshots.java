package io.neardup.streams.store;

import io.neardup.streams.store.BandSnapshot.Header;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
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

    /** Where the changelog is, as far as all of the table is committed. */
    public interface CommittedOffset {
        /** The offset of the last record; none while something in the table is not known to be committed. */
        Optional<Long> find();
    }

    /**
     * Goes on with a snapshot, or begins one that is due. To be called often, between steps.
     *
     * @return what was written, once each
     * @throws IOException if the disk does not take it; another is begun later
     */
    public Optional<Header> advance(CommittedOffset offset) throws IOException {
        try {
            return advanceOrFail(offset);
        } catch (IOException e) {
            giveUp();
            throw e;
        }
    }

    private Optional<Header> advanceOrFail(CommittedOffset offset) throws IOException {
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

    private void seal(RunningSnapshot ready, CommittedOffset offset) throws IOException {
        Optional<Long> committed = offset.find();
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
}
