package io.neardup.tools.local;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.tools.feed.Skipped;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file that is written line by line. Thread-safe; what comes after {@link #close} is ignored. What fails names the
 * file.
 */
public final class LineFile implements Closeable {
    /** Of an archive most parts may be no records: of defects, and of others, more than so many are not written. */
    public static final int SKIPPED_MAX = 100_000;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BUFFER_LENGTH = 1 << 16;

    private final Path file;
    private final OutputStream out;
    /** Of sound parts, and of defects. */
    private final int[] skipped = new int[2];

    private boolean closed;
    private @Nullable IOException failure;

    /**
     * @param goesOn whether lines of an earlier one stay; else it is replaced
     * @throws IOException if it cannot be written
     */
    public LineFile(Path file, boolean goesOn) throws IOException {
        this.file = file;
        OpenOption earlier = goesOn ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING;
        this.out = new BufferedOutputStream(
                Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, earlier),
                BUFFER_LENGTH);
        if (goesOn && breaksOff(file)) {
            out.write('\n');
        }
    }

    /** As after a kill. */
    private static boolean breaksOff(Path file) throws IOException {
        try (FileChannel earlier = FileChannel.open(file)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            return earlier.size() > 0 && earlier.read(last, earlier.size() - 1) == 1 && last.get(0) != '\n';
        }
    }

    synchronized void bytes(byte[] line) throws IOException {
        if (!closed) {
            try {
                out.write(line);
                out.write('\n');
            } catch (IOException e) {
                throw unwritten(e);
            }
        }
    }

    void json(Record line) throws IOException {
        bytes(JSON.writeValueAsBytes(line));
    }

    /**
     * Writes a part of an input that is no record, if it is among the first {@value #SKIPPED_MAX} defects, or the first
     * of the parts that belong into sound files. What fails is thrown by {@link #close}: it is no fault of the input.
     */
    public synchronized void skipped(Skipped.Part part) {
        int kind = part.kind().isDefect() ? 1 : 0;
        if (skipped[kind] < SKIPPED_MAX && failure == null) {
            skipped[kind]++;
            try {
                json(part);
            } catch (IOException e) {
                failure = e;
            }
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        try {
            out.close();
        } catch (IOException e) {
            throw unwritten(e);
        }
        if (failure != null) {
            throw failure;
        }
    }

    private IOException unwritten(IOException e) {
        return new IOException(file + " cannot be written: " + e.getMessage(), e);
    }
}
