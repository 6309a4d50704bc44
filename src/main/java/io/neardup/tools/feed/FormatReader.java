package io.neardup.tools.feed;

import io.neardup.engine.text.HtmlBoundException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The records of one file, in one format. Not thread-safe. */
abstract class FormatReader {
    final String source;

    /** Longer records come without their bytes. */
    final int recordBytesMax;

    private final Skipped skipped;
    /** Which part of the file is being read, from 1: a line, a row, an item, a record. */
    long number;

    /** Where that part begins, as {@link PackedInput#offset}. */
    long offset;

    FormatReader(String source, Skipped skipped, int recordBytesMax) {
        this.source = source;
        this.skipped = skipped;
        this.recordBytesMax = recordBytesMax;
    }

    /** The part that is being read is no record; others may follow. */
    static final class SkippedException extends Exception {
        private static final long serialVersionUID = 1L;

        private final Skip skip;

        SkippedException(Skip skip, String found) {
            super(found);
            this.skip = skip;
        }
    }

    /**
     * The next record, or null at the end. What is broken inside the file is skipped, and counted.
     *
     * @throws DamagedException if what the file is packed with breaks off, so that nothing more can be read
     * @throws UnusableFileException if it unpacks to too much
     */
    final @Nullable FeedRecord next() throws IOException {
        while (true) {
            number++;
            try {
                return read();
            } catch (SkippedException e) {
                skip(e.skip, e);
            } catch (HtmlBoundException e) {
                skip(e.isDepth() ? Skip.TOO_DEEP : Skip.TOO_LARGE, e);
            }
        }
    }

    private void skip(Skip skip, Exception found) {
        skipped.add(skip, source, number, offset, String.valueOf(found.getMessage()));
    }

    /** The next part, which has got its number; null at the end. */
    abstract @Nullable FeedRecord read() throws IOException, SkippedException, HtmlBoundException;

    /** The record of the part that is being read, or an oversized one in its place. */
    final FeedRecord record(RecordJson json) throws IOException {
        byte[] bytes = json.bytes();
        return new FeedRecord(source, number, bytes.length > recordBytesMax ? new byte[0] : bytes, bytes.length);
    }
}
