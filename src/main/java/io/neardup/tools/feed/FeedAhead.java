package io.neardup.tools.feed;

import io.neardup.tools.feed.SentPositions.SentFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a feed ahead, on a thread of its own: so who takes the records can wait for the next one no longer than it
 * wants, also where a feed stands still, as a standard input does that somebody writes to now and then. Of
 * what is read ahead it holds {@value #BYTES_MAX} bytes and one record more. For one taker.
 */
final class FeedAhead implements AutoCloseable {
    private static final long BYTES_MAX = 4 << 20;
    /** What a record takes beside its bytes. */
    private static final int RECORD_BYTES = 200;

    private final Feed feed;
    private final Supplier<SentFile> file;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Ahead> read = new ArrayDeque<>();
    private long bytes;
    private volatile boolean isClosed;
    private boolean isRead;
    private @Nullable Throwable failure;
    private SkippedTotals skippedTotals = SkippedTotals.NONE;

    /** A record, and what it is of. */
    record Ahead(FeedRecord record, SentFile file) {}

    /**
     * Begins to read; the feed is closed at its end, or when this is closed.
     *
     * @param file what the last record of the feed is of
     */
    FeedAhead(Feed feed, Supplier<SentFile> file) {
        this.feed = feed;
        this.file = file;
        // Reading the standard input cannot be interrupted; a daemon does not keep the process alive.
        Thread thread = new Thread(this::run, "neardup-feed");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try (feed) {
            FeedRecord record = feed.next();
            while (record != null && !isClosed) {
                add(new Ahead(record, file.get()));
                record = feed.next();
            }
            end(null);
        } catch (IOException | RuntimeException | Error e) {
            end(e);
        }
    }

    /** Waits for room, as long as somebody takes records. */
    private void add(Ahead record) {
        lock.lock();
        try {
            skippedTotals = bytes >= BYTES_MAX ? feed.skippedTotals() : skippedTotals;
            while (bytes >= BYTES_MAX && !isClosed) {
                changed.awaitUninterruptibly();
            }
            read.add(record);
            bytes += cost(record);
            if (read.size() == 1) {
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private void end(@Nullable Throwable thrown) {
        lock.lock();
        try {
            isRead = true;
            failure = thrown;
            skippedTotals = feed.skippedTotals();
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private static long cost(Ahead ahead) {
        return (long) RECORD_BYTES + ahead.record.bytes().length;
    }

    /**
     * The next record; null at the end, or where none came in time.
     *
     * @throws IOException as {@link Feed#next}
     */
    @Nullable
    Ahead next(long waitMillis) throws IOException, InterruptedException {
        lock.lock();
        try {
            long leftNanos = TimeUnit.MILLISECONDS.toNanos(waitMillis);
            while (read.isEmpty() && !isRead && leftNanos > 0) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
            Ahead record = read.poll();
            if (record != null) {
                boolean wasFull = bytes >= BYTES_MAX;
                bytes -= cost(record);
                if (wasFull && bytes < BYTES_MAX) {
                    changed.signal();
                }
            } else if (failure != null) {
                throw failed(failure);
            }
            return record;
        } finally {
            lock.unlock();
        }
    }

    private static IOException failed(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof UncheckedIOException && failure.getCause() instanceof IOException told) {
            return told;
        }
        if (failure instanceof RuntimeException unexpected) {
            throw unexpected;
        }
        return failure instanceof IOException io ? io : new IOException(failure);
    }

    /** Whether all was taken. */
    boolean isEnded() {
        lock.lock();
        try {
            return isRead && read.isEmpty() && failure == null;
        } finally {
            lock.unlock();
        }
    }

    /** What of the feed was no record: at its end of all of it, before of a part. */
    SkippedTotals skippedTotals() {
        lock.lock();
        try {
            return skippedTotals;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }
}
