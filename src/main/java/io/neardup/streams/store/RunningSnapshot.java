package io.neardup.streams.store;

import io.neardup.engine.lsh.ArrayOutput;
import io.neardup.streams.store.BandSnapshot.Header;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * A {@link BandSnapshot} that is written while its table is used, in slices. The thread that uses the table copies it
 * slice by slice between its steps, and another one writes what was copied. It holds the table as it is when it is
 * {@link #seal sealed}.
 *
 * <p>Memory: 1 MB, what waits for the disk, and the numbers of the documents that are removed meanwhile.
 */
public final class RunningSnapshot {
    /** While more waits for the disk nothing is copied but who is inserted. */
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
     * Copies the rest: the numbers that have changed since they were written, and all pages. That is some 2 bytes a
     * document, at once.
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
