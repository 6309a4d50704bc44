package io.neardup.tools.feed;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One record of a feed: a line as it stands, or a JSON object that was made of a row, an item, a page or an archived
 * answer. Of an oversized one only the length is known. Its source is the file as it was given, or {@code stdin}.
 */
public final class FeedRecord {
    private static final byte[] NOTHING = {};

    private final String source;
    private final long number;
    private final byte[] bytes;
    private final long length;

    private FeedRecord(String source, long number, byte[] bytes, long length) {
        this.source = source;
        this.number = number;
        this.bytes = bytes;
        this.length = length;
    }

    static FeedRecord of(String source, long number, byte[] bytes) {
        return new FeedRecord(source, number, bytes, bytes.length);
    }

    static FeedRecord oversized(String source, long number, long length) {
        return new FeedRecord(source, number, NOTHING, length);
    }

    public String source() {
        return source;
    }

    /** Which part of its source it is, from 1: a line, a row, an item. What is skipped counts, too. */
    public long number() {
        return number;
    }

    /** What is to be published, not copied; empty if it is oversized. */
    public byte[] bytes() {
        return bytes;
    }

    /** Bytes that it has, or would have. */
    public long length() {
        return length;
    }

    /** Whether it is longer than the feed's maximum, so that its bytes were dropped. */
    public boolean isOversized() {
        return bytes.length != length;
    }

    /** Where it is: {@code source:number}. */
    public String position() {
        return source + ":" + number;
    }

    /** The key that it is published with: its place. */
    public byte[] key() {
        return position().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FeedRecord that
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
