package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonValue;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NormalizedBuffer;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.record.Document;
import io.neardup.record.RawText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** A document as it is compared: its normalized text, and where in a file it was. */
public final class ComparedText {
    /** Itself, its id and its array, without what is in them, and its place in a list. */
    private static final long OBJECTS_BYTES = 100;

    private final int number;
    private final String id;
    private final byte[] normalized;

    /**
     * @param number among the documents of the file, from 0
     * @param normalized UTF-8; not copied
     */
    ComparedText(int number, String id, byte[] normalized) {
        this.number = number;
        this.id = id;
        this.normalized = normalized;
    }

    /** A document, of which nothing is kept but this. */
    static ComparedText of(int number, Document document, NormalizedBuffer buffer) {
        RawText text = document.text();
        buffer.set(text.array(), text.from(), text.to());
        return new ComparedText(number, document.id(), buffer.toBytes());
    }

    static List<ComparedText> all(List<Document> documents, LetterCase letterCase) {
        NormalizedBuffer buffer = new NormalizedBuffer(letterCase);
        return IntStream.range(0, documents.size())
                .mapToObj(number -> of(number, documents.get(number), buffer))
                .toList();
    }

    int number() {
        return number;
    }

    /** The id that the document brought, or where it was. */
    @JsonValue
    public String id() {
        return id;
    }

    public String text() {
        return new String(normalized, StandardCharsets.UTF_8);
    }

    /** Bytes of the heap that it takes. */
    long heldBytes() {
        return OBJECTS_BYTES + 2L * id.length() + normalized.length;
    }

    int length() {
        return normalized.length;
    }

    void shingle(Shingler shingler, Shingles into) {
        shingler.shingle(normalized, normalized.length, into);
    }

    ShingleSet shingles(Shingler shingler, Shingles buffer) {
        shingle(shingler, buffer);
        return ShingleSet.of(buffer);
    }
}
