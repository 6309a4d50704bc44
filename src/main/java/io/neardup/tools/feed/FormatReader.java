package io.neardup.tools.feed;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The records of one file, in one format. Not thread-safe. */
interface FormatReader {
    /**
     * The next record, or null at the end. What is broken inside the file is skipped, and told to the reader's
     * {@link Skipped}.
     *
     * @throws DamagedException if what the file is packed with breaks off, so that nothing more can be read
     * @throws RefusedPackingException if it unpacks to too much, or needs a dictionary
     */
    @Nullable
    FeedRecord next() throws IOException;

    /** Which part of the file is being read, from 1: a line, a row, an item, a record. */
    long number();
}
