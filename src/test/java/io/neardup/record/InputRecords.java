package io.neardup.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Input records for tests, all at the same place. */
final class InputRecords {
    static final String PLACE = "documents-3-17";

    private InputRecords() {}

    static InputRecord of(String value) {
        return of(null, utf8(value));
    }

    static InputRecord of(byte @Nullable [] key, byte @Nullable [] value) {
        return new InputRecord("documents", 3, 17, 1_700_000_000_000L, key, value, List.of());
    }

    /** Its key is {@code k}. */
    static InputRecord withHeaders(String value, RecordHeader... headers) {
        return new InputRecord("documents", 3, 17, 1_700_000_000_000L, utf8("k"), utf8(value), List.of(headers));
    }

    static Document document(String id, String text) {
        return new Document(id, RawText.of(text), "");
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The text in ISO-8859-1: a way to write any bytes. */
    static byte[] bytes(String latin1) {
        return latin1.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** What holds for every document, whatever its format. */
    static void checkInvariants(Document document) {
        assertThat(document.id().getBytes(StandardCharsets.UTF_8)).hasSizeBetween(1, Document.ID_BYTES_MAX);
        String text = document.text().decode();
        assertThat(text.isBlank()).isFalse();
        assertThat(RawText.of(text))
                .describedAs("the text in well-formed UTF-8")
                .isEqualTo(document.text());
    }
}
