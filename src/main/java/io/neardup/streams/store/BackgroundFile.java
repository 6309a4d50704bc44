package io.neardup.streams.store;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A file that another thread writes: the one that fills it never waits for the disk. It appears under its name when it
 * is whole and on the disk, or not at all.
 */
final class BackgroundFile implements WritableByteChannel {
    /** How much may wait in the system for the disk, so that the end does not wait long for it. */
    private static final long BYTES_FORCED = 16 << 20;

    private final Path file;
    private final Path unfinished;
    private final Executor writer;
    private final Queue<ByteBuffer> spare = new ConcurrentLinkedQueue<>();
    private final AtomicLong queued = new AtomicLong();
    private volatile boolean cancelled;
    private volatile boolean finished;
    private volatile @Nullable IOException failure;
    private boolean open = true;

    // Of the writing thread.
    private @Nullable FileChannel channel;
    private long unforced;

    /** @param writer a single thread: it does what it is given in order */
    BackgroundFile(Path file, Executor writer) {
        this.file = file;
        this.unfinished = file.resolveSibling(file.getFileName() + ".slices.tmp");
        this.writer = writer;
        later(() -> channel = FileChannel.open(unfinished, CREATE, TRUNCATE_EXISTING, WRITE));
    }

    private interface Work {
        void run() throws IOException;
    }

    private void later(Work work) {
        writer.execute(() -> {
            try {
                if (!cancelled && failure == null) {
                    work.run();
                }
            } catch (IOException e) {
                failure = e;
            }
        });
    }

    /** Takes all bytes at once. */
    @Override
    public int write(ByteBuffer bytes) {
        int count = bytes.remaining();
        ByteBuffer spared = spare.poll();
        ByteBuffer copy = spared != null && spared.capacity() >= count ? spared.clear() : ByteBuffer.allocate(count);
        copy.put(bytes).flip();
        queued.addAndGet(count);
        later(() -> append(copy));
        return count;
    }

    private void append(ByteBuffer bytes) throws IOException {
        int count = bytes.remaining();
        while (bytes.hasRemaining()) {
            channel().write(bytes);
        }
        spare.add(bytes);
        queued.addAndGet(-count);
        unforced += count;
        if (unforced >= BYTES_FORCED) {
            channel().force(false);
            unforced = 0;
        }
    }

    private FileChannel channel() {
        return Objects.requireNonNull(channel, "the file is not open");
    }

    /** How many bytes the thread has not written yet. */
    long queuedBytes() {
        return queued.get();
    }

    /** Lets the thread give the file its name, once all is on the disk. Nothing may be written any more. */
    void finish() {
        open = false;
        later(() -> {
            channel().force(true);
            channel().close();
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
            finished = true;
        });
    }

    /** Whether it has its name. */
    boolean isFinished() {
        return finished;
    }

    /** @throws IOException if the disk has not taken something of it */
    void throwFailure() throws IOException {
        IOException failed = failure;
        if (failed != null) {
            throw failed;
        }
    }

    /** Waits until the thread has done what it was given. */
    void await() {
        CompletableFuture.runAsync(() -> {}, writer).join();
    }

    /** Gives the file up if it is not finished, and waits until the thread has let go of it. */
    @Override
    public void close() {
        open = false;
        cancelled = true;
        CompletableFuture.runAsync(this::discard, writer).join();
    }

    /** What is left on a disk that fails is overwritten by the next file. */
    private void discard() {
        try {
            if (channel != null) {
                channel.close();
            }
            Files.deleteIfExists(unfinished);
        } catch (IOException e) {
            failure = e;
        }
    }

    @Override
    public boolean isOpen() {
        return open;
    }
}
