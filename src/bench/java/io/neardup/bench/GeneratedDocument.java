package io.neardup.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/**
 * A document of a generated corpus, numbered from 0.
 *
 * @param original the number of the document that this one is an edited copy of; its own number if of none
 */
public record GeneratedDocument(long number, long original, String title, String text) {
    private static final String ID_PREFIX = "news-";
    private static final int ENVELOPE_CHARS = 220;

    public boolean isEdited() {
        return original != number;
    }

    public String id() {
        return ID_PREFIX + number;
    }

    /** The record's key: the id. */
    public byte[] key() {
        return id().getBytes(UTF_8);
    }

    /** The record's value: a JSON object in UTF-8. */
    public byte[] json() {
        StringBuilder json = new StringBuilder(text.length() + ENVELOPE_CHARS)
                .append("{\"id\":\"")
                .append(id())
                .append("\",\"source\":\"Harbour Courier\",\"published\":\"2026-01-01T00:00:00Z\",\"title\":\"")
                .append(title)
                .append("\",\"text\":\"");
        JsonStringEncoder.getInstance().quoteAsString(text, json);
        return json.append("\"}").toString().getBytes(UTF_8);
    }

    /** The document's number, from a record's key. */
    public static long number(byte[] key) {
        long number = 0;
        for (int i = ID_PREFIX.length(); i < key.length; i++) {
            number = 10 * number + key[i] - '0';
        }
        return number;
    }
}
