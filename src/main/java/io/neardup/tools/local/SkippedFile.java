package io.neardup.tools.local;

import io.neardup.tools.feed.SkippedPart;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The parts of an input that are no records, one a line: JSON objects with {@code file}, {@code record},
 * {@code offset}, {@code kind} and {@code detail}. Thread-safe; what comes after {@link #close} is ignored.
 */
public final class SkippedFile implements Closeable {
    /** Of an archive most parts may be none: more than so many are not written. */
    public static final int PARTS_MAX = 100_000;

    private final LineFile lines;
    private int parts;

    /** @throws IOException if it cannot be written; an earlier one is replaced */
    public SkippedFile(Path file) throws IOException {
        this.lines = new LineFile(file);
    }

    private record Line(String file, long record, long offset, String kind, String detail) {}

    /** Writes a part, if it is among the first {@value #PARTS_MAX}. */
    public synchronized void add(SkippedPart part) throws IOException {
        if (parts < PARTS_MAX) {
            parts++;
            lines.json(new Line(
                    part.file(), part.record(), part.offset(), part.kind().code(), part.detail()));
        }
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
