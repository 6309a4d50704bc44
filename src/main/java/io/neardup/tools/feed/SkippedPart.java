package io.neardup.tools.feed;

/**
 * A part of a file that was skipped.
 *
 * @param file as it was given, or {@code stdin}
 * @param record which part of the file it is, from 1; 0 for the file as a whole
 * @param offset of its first byte: in gzip that of its member, in zstd that in the unpacked bytes
 * @param kind why it is none
 * @param detail what is wrong, never content; may be empty
 */
public record SkippedPart(String file, long record, long offset, Skip kind, String detail) {
    /** For people, in a line. */
    @Override
    public String toString() {
        return file + (record == 0 ? "" : ":" + record) + " at byte " + offset + ": " + kind.code() + ", " + detail;
    }
}
