package io.neardup.engine.lsh;

import java.io.IOException;

/** Documents that are written into a {@link BandSegment}: what does not change while that lasts. */
interface SegmentSource {
    /** How many of its documents are written. */
    int documents();

    /** Whether a document is written: it was not gone when the source was made. */
    boolean isWritten(int number);

    /** The place of one that is written among those of this source. */
    int number(int number);

    /** The entries of a band, rising by key. */
    Entries entries(int band) throws IOException;

    /** Those that are written, the oldest first. */
    void forEach(Documents into) throws IOException;

    /** Takes one document after the other. */
    interface Documents {
        void accept(long document, long tag) throws IOException;
    }

    /** One entry after the other. */
    interface Entries {
        /** Goes to the next; false at the end. */
        boolean next() throws IOException;

        long key();

        /** The document's place among those that are written of its source. */
        int number();
    }
}
