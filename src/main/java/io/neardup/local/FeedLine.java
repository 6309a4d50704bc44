package io.neardup.local;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One line of a feed, without its line feed. Of an oversized line only the length is known.
 *
 * <p>Two lines are equal if all their properties are, the bytes compared one by one.
 */
public final class FeedLine {
    private static final byte[] NOTHING = {};

    private final String source;
    private final long number;
    private final byte[] bytes;
    private final long length;

    private FeedLine(String source, long number, byte[] bytes, long length) {
        this.source = source;
        this.number = number;
        this.bytes = bytes;
        this.length = length;
    }

    static FeedLine of(String source, long number, byte[] bytes) {
        return new FeedLine(source, number, bytes, bytes.length);
    }

    static FeedLine oversized(String source, long number, long length) {
        return new FeedLine(source, number, NOTHING, length);
    }

    /** The file as it was given, or {@code stdin}. */
    public String source() {
        return source;
    }

    /** From 1 in each source, skipped lines included. */
    public long number() {
        return number;
    }

    /** The line, not copied; empty if it is oversized. */
    public byte[] bytes() {
        return bytes;
    }

    /** Bytes that the line has in its source. */
    public long length() {
        return length;
    }

    /** Whether the line is longer than the feed's maximum, so that its bytes were dropped. */
    public boolean isOversized() {
        return bytes.length != length;
    }

    /** Where the line is: {@code source:number}. */
    public String position() {
        return source + ":" + number;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FeedLine that
                && source.equals(that.source)
                && number == that.number
                && length == that.length
                && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * source.hashCode() + Long.hashCode(number)) + Arrays.hashCode(bytes);
    }

    /** Position and length; never the content. */
    @Override
    public String toString() {
        return position() + " (" + length + " bytes" + (isOversized() ? ", oversized)" : ")");
    }
}
