package io.neardup.tools.local;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that is written line by line. Thread-safe; what comes after {@link #close} is ignored. */
final class LineFile implements Closeable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BUFFER_LENGTH = 1 << 16;

    private final OutputStream out;
    private boolean closed;

    /** @throws IOException if it cannot be written; an earlier one is replaced */
    LineFile(Path file) throws IOException {
        this.out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER_LENGTH);
    }

    /** Writes bytes as they are. */
    synchronized void bytes(byte[] line) throws IOException {
        if (!closed) {
            out.write(line);
            out.write('\n');
        }
    }

    /** Writes a record as a JSON object. */
    void json(Record line) throws IOException {
        bytes(JSON.writeValueAsBytes(line));
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        out.close();
    }
}
