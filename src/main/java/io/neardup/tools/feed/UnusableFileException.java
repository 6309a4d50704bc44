package io.neardup.tools.feed;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A file or folder that was named cannot be taken: it is missing, or not what it should be, or it unpacks to so much
 * that it may have been made to fill a memory. The message names it.
 */
public final class UnusableFileException extends IOException {
    private static final long serialVersionUID = 1L;

    public UnusableFileException(String message) {
        super(message);
    }

    public UnusableFileException(String message, @Nullable IOException cause) {
        super(message, cause);
    }

    public static UnusableFileException missing(Object file) {
        return new UnusableFileException(file + " does not exist: check the path");
    }

    /** Of a file that is in none of the formats that are known; its name is still to be set before it. */
    static UnusableFileException unknownFormat(int bytesLookedAt) {
        return new UnusableFileException(
                "expected JSON lines, a JSON array, CSV or TSV with a line of column names, WARC, WET, ARC,"
                        + " RSS, Atom, HTML or a .txt file, plain or packed by gzip or zstd, found none of them in its"
                        + " first "
                        + bytesLookedAt
                        + " bytes; neardup.document.format=text, or --lines of check, takes every line as a document");
    }
}
