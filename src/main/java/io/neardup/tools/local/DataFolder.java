package io.neardup.tools.local;

import io.neardup.tools.feed.UnusableFileException;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A folder with the broker's log and the service's state that later starts go on with. A file in it says so: its first
 * line is the layout, the second one is there when all files of the last start were sent. One process at a time has it
 * locked.
 */
final class DataFolder implements Closeable {
    private static final String MARK = "neardup-local";
    private static final String LAYOUT = "layout 1";
    private static final String SENT = "sent";

    private final RandomAccessFile mark;
    private final boolean isBrokenOff;

    /**
     * Makes the folder if it is missing.
     *
     * @throws UnusableFileException if it is another's, or in use
     */
    DataFolder(Path folder) throws IOException {
        ResultFiles.prepare(folder);
        if (!Files.exists(folder.resolve(MARK)) && !isEmpty(folder)) {
            throw new UnusableFileException(
                    folder + ": expected an empty folder, or one of local --serve --data, found other files in it: take"
                            + " another folder");
        }
        this.mark = new RandomAccessFile(folder.resolve(MARK).toFile(), "rw");
        try {
            lock(folder);
            this.isBrokenOff = wasBrokenOff(folder);
        } catch (IOException e) {
            mark.close();
            throw e;
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }

    private void lock(Path folder) throws IOException {
        @Nullable FileLock lock;
        try {
            lock = mark.getChannel().tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            throw new UnusableFileException(
                    folder + ": expected a folder that nobody uses, found one that another local --serve uses: stop"
                            + " that one, or take another folder");
        }
    }

    private boolean wasBrokenOff(Path folder) throws IOException {
        String layout = mark.readLine();
        if (layout == null) {
            mark.writeBytes(LAYOUT + "\n" + SENT + "\n"); // Nothing that is to be sent again.
            return false;
        }
        if (!layout.equals(LAYOUT)) {
            throw new UnusableFileException(folder + ": expected " + LAYOUT + ", found " + layout
                    + ": start the release that made it, or take another folder");
        }
        return !SENT.equals(mark.readLine());
    }

    /** Whether the last start ended before it had sent all of its files. */
    boolean isBrokenOff() {
        return isBrokenOff;
    }

    /** Notes whether all files have been sent. */
    void noteSent(boolean all) throws IOException {
        mark.setLength(LAYOUT.length() + 1L);
        if (all) {
            mark.seek(mark.length());
            mark.writeBytes(SENT + "\n");
        }
    }

    @Override
    public void close() throws IOException {
        mark.close();
    }
}
