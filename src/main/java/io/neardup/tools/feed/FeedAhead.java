package io.neardup.tools.feed;

import io.neardup.tools.feed.SentPositions.SentFile;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a feed ahead, on a thread of its own: so who takes the records can wait for the next one no longer than it
 * wants, also where a feed stands still, as a standard input does that somebody writes to now and then. Of
 * what is read ahead it holds {@value #BYTES_MAX} bytes, or one record that is longer. For one taker.
 */
final class FeedAhead implements AutoCloseable {
    private static final int BYTES_MAX = 4 << 20;
    /** What a record takes beside its bytes. */
    private static final int RECORD_BYTES = 200;

    private final Feed feed;
    private final Supplier<SentFile> file;
    private final Semaphore room = new Semaphore(BYTES_MAX);
    private final BlockingQueue<Read> read = new LinkedBlockingQueue<>();
    private final Queue<Ahead> again = new ArrayDeque<>();
    private volatile boolean isClosed;

    private sealed interface Read {}

    record Ahead(FeedRecord record, SentFile file) implements Read {}

    /** After the last record; stays where it is. */
    private record End(@Nullable Throwable failure) implements Read {}

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
                Ahead ahead = new Ahead(record, file.get());
                room.acquireUninterruptibly(cost(ahead));
                read.add(ahead);
                record = feed.next();
            }
        } catch (IOException | RuntimeException | Error e) {
            read.add(new End(e));
            return;
        }
        read.add(new End(null));
    }

    private static int cost(Ahead ahead) {
        return Math.min(RECORD_BYTES + ahead.record.bytes().length, BYTES_MAX);
    }

    /** The next record; null at the end, or where none came in time. */
    @Nullable
    Ahead next(long waitMillis) throws IOException, InterruptedException {
        if (!again.isEmpty()) {
            return again.poll();
        }
        Read next = read.poll(waitMillis, TimeUnit.MILLISECONDS);
        if (next instanceof End end) {
            read.add(end);
            if (end.failure != null) {
                throw failed(end.failure);
            }
        }
        if (next instanceof Ahead ahead) {
            room.release(cost(ahead));
            return ahead;
        }
        return null;
    }

    private static IOException failed(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof IOException io ? io : new IOException(failure);
    }

    /** Gives these once more, before all others; they count no longer as read ahead. */
    void putBack(List<Ahead> records) {
        again.addAll(records);
    }

    /** Whether all was taken. */
    boolean isEnded() {
        return again.isEmpty() && read.peek() instanceof End end && end.failure == null;
    }

    /** Whoever waits for room goes on. */
    @Override
    public void close() {
        isClosed = true;
        room.release(BYTES_MAX);
    }
}
