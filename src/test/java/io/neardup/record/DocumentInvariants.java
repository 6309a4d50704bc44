package io.neardup.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Checks what holds for every document, whatever its format. */
final class DocumentInvariants {
    private DocumentInvariants() {}

    static void check(Document document) {
        assertThat(document.id().getBytes(UTF_8)).hasSizeBetween(1, DocumentIds.BYTES_MAX);
        String text = document.text().decode();
        assertThat(text.isBlank()).isFalse();
        assertThat(RawText.of(text))
                .describedAs("the text in well-formed UTF-8")
                .isEqualTo(document.text());
    }
}
