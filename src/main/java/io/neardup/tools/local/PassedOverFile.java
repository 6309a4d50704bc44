package io.neardup.tools.local;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.neardup.tools.feed.PassedOverPart;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The parts of an input that are no records, one a line: JSON objects with {@code file}, {@code record},
 * {@code offset}, {@code kind} and {@code detail}. Thread-safe; what comes after {@link #close} is ignored.
 */
public final class PassedOverFile implements Closeable {
    /** Of an archive most parts may be none: more than so many are not written. */
    public static final int PARTS_MAX = 100_000;

    private static final JsonFactory JSON = new JsonFactory();
    private static final int BUFFER_LENGTH = 1 << 16;

    private final JsonGenerator lines;
    private int parts;

    /** @throws IOException if it cannot be written; an earlier one is replaced */
    public PassedOverFile(Path file) throws IOException {
        this.lines = JSON.createGenerator(new BufferedOutputStream(Files.newOutputStream(file), BUFFER_LENGTH))
                .setRootValueSeparator(null);
    }

    /** Writes a part, if it is among the first {@value #PARTS_MAX}. */
    public synchronized void add(PassedOverPart part) throws IOException {
        if (parts < PARTS_MAX && !lines.isClosed()) {
            parts++;
            lines.writeStartObject();
            lines.writeStringField("file", part.file());
            lines.writeNumberField("record", part.record());
            lines.writeNumberField("offset", part.offset());
            lines.writeStringField("kind", part.kind().code());
            lines.writeStringField("detail", part.detail());
            lines.writeEndObject();
            lines.writeRaw('\n');
        }
    }

    @Override
    public synchronized void close() throws IOException {
        lines.close();
    }
}
