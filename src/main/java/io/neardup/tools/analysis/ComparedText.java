package io.neardup.tools.analysis;

import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A document as it is compared: its normalized text, and where in a file it was. */
public final class ComparedText {
    /** Itself, its id and its array, without what is in them, and its place in a list. */
    private static final long OBJECTS_BYTES = 100;

    private final int number;
    private final String id;
    private final byte[] normalized;

    /**
     * A document.
     *
     * @param number among the documents of the file, from 0
     * @param normalized UTF-8; not copied
     */
    ComparedText(int number, String id, byte[] normalized) {
        this.number = number;
        this.id = id;
        this.normalized = normalized;
    }

    int number() {
        return number;
    }

    /** The id that the document brought, or where it was. */
    public String id() {
        return id;
    }

    /** The normalized text. */
    public String text() {
        return new String(normalized, StandardCharsets.UTF_8);
    }

    /** Bytes of the heap that it takes. */
    long heldBytes() {
        return OBJECTS_BYTES + 2L * id.length() + normalized.length;
    }

    /** Bytes of the normalized text. */
    int length() {
        return normalized.length;
    }

    /** The normalized text in UTF-8, to be read only. */
    byte[] normalized() {
        return normalized;
    }

    boolean isEqualTo(ComparedText other) {
        return Arrays.equals(normalized, other.normalized);
    }

    ShingleSet shingles(Shingler shingler, Shingles buffer) {
        shingler.shingle(normalized, normalized.length, buffer);
        return ShingleSet.of(buffer);
    }

    /** The shingles whose hashes begin with so many zeros: a random sample that is alike for equal shingles. */
    ShingleSet sampledShingles(Shingler shingler, int zeros, Shingles buffer, Shingles sampled) {
        shingler.shingle(normalized, normalized.length, buffer);
        sampled.clear();
        long[] hashes = buffer.array();
        for (int i = 0; i < buffer.size(); i++) {
            if (Long.numberOfLeadingZeros(hashes[i]) >= zeros) {
                sampled.add(hashes[i]);
            }
        }
        return ShingleSet.of(sampled);
    }
}
