package io.neardup.record;

import static io.neardup.record.InputRecords.bytes;
import static io.neardup.record.InputRecords.document;
import static io.neardup.record.InputRecords.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextDocumentReaderTest {
    private final DocumentReader reader =
            new TextDocumentReader(new Pointers("/id", List.of("/text"), null), TextKind.STRING, 100);

    @Test
    void shouldTakeTheValueAsText() {
        assertThat(reader.read(InputRecords.of(utf8("k"), utf8("Chuva no Pôrto\n"))))
                .isEqualTo(document("k", "Chuva no Pôrto\n"));
        assertThat(reader.read(InputRecords.of("x"))).isEqualTo(document(InputRecords.PLACE, "x"));
    }

    @Test
    void shouldRejectWithTheId() {
        assertThat(reader.read(InputRecords.of(" \n")))
                .isEqualTo(new Rejection(
                        Reason.BLANK_TEXT,
                        "expected text at the value, found only white space, 2 characters",
                        InputRecords.PLACE));
        assertThat(reader.read(InputRecords.of(utf8("k"), null)))
                .isEqualTo(new Rejection(Reason.NULL_VALUE, "expected a value, found none", "k"));
        assertThat(reader.read(InputRecords.of(utf8("k"), bytes("a\u00FF"))))
                .isEqualTo(new Rejection(Reason.NOT_UTF8, "expected UTF-8 (RFC 3629), found 0xFF at byte 1", "k"));
        assertThat(reader.read(InputRecords.of("x".repeat(101))))
                .isEqualTo(new Rejection(
                        Reason.TOO_LARGE, "expected a value of at most 100 bytes, found 101", InputRecords.PLACE));
    }
}
