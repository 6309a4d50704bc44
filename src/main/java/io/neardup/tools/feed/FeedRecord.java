package io.neardup.tools.feed;

import java.nio.charset.StandardCharsets;

/**
 * One record of a feed: a line as it stands, or a JSON object that was made of a row, an item, a page or an archived
 * answer.
 *
 * @param source the file as it was given, or {@code stdin}
 * @param number which part of its source it is, from 1: a line, a row, an item. What is skipped counts, too
 * @param bytes what is to be published, not copied; empty if it is oversized
 * @param length bytes that it has, or would have
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record FeedRecord(String source, long number, byte[] bytes, long length) {
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
}
