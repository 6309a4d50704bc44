package io.neardup.tools.feed;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The records of one file, in one format. Not thread-safe. */
abstract class FormatReader {
    /** The file, as its records name it. */
    final String source;

    final Skipped skipped;
    /** Longer records come without their bytes. */
    final int recordBytesMax;

    /** Which part of the file is being read, from 1: a line, a row, an item, a record. */
    long number;

    FormatReader(String source, Skipped skipped, int recordBytesMax) {
        this.source = source;
        this.skipped = skipped;
        this.recordBytesMax = recordBytesMax;
    }

    /**
     * The next record, or null at the end. What is broken inside the file is skipped, and counted.
     *
     * @throws DamagedException if what the file is packed with breaks off, so that nothing more can be read
     * @throws UnusableFileException if it unpacks to too much, or needs a dictionary
     */
    @Nullable
    abstract FeedRecord next() throws IOException;

    /** The part that is being read is no record. */
    final void skip(Skip skip, long offset, String found) {
        skipped.add(skip, source, number, offset, found);
    }

    /** The part that is being read is a record; an oversized one in its place, if it is. */
    final FeedRecord record(RecordJson json) {
        byte[] bytes = json.bytes();
        return bytes.length > recordBytesMax
                ? FeedRecord.oversized(source, number, bytes.length)
                : FeedRecord.of(source, number, bytes);
    }
}
