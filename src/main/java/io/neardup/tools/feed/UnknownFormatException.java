package io.neardup.tools.feed;

/** A file is in none of the formats that are known; the message says which were looked for. */
public final class UnknownFormatException extends UnusableFileException {
    private static final long serialVersionUID = 1L;

    UnknownFormatException(String source, int bytesLookedAt) {
        super(source + ": expected JSON lines, a JSON array, CSV or TSV with a line of column names, WARC, WET, ARC,"
                + " RSS, Atom, HTML or a .txt file, plain or packed by gzip or zstd, found none of them in its first "
                + bytesLookedAt + " bytes; neardup.document.format=text takes every line as a document");
    }
}
