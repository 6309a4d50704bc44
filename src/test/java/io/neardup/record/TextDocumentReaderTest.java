package io.neardup.record;

import static io.neardup.record.InputRecords.bytes;
import static io.neardup.record.InputRecords.document;
import static io.neardup.record.InputRecords.utf8;
import static io.neardup.record.InputRecords.withHeaders;
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
                        Reason.TOO_LARGE,
                        "expected a value of at most 100 bytes (neardup.document.bytes.max), found 101",
                        InputRecords.PLACE));
    }

    // ---- id and scope in headers, with both formats

    private static final Pointers POINTERS = new Pointers("header:url", List.of("/text"), "header:lang");
    private static final String JSON = "{\"id\":\"inside\",\"header:url\":\"inside\",\"text\":\"x\"}";

    private final DocumentReader json = new JsonDocumentReader(POINTERS, TextKind.STRING, 1_000);
    private final DocumentReader text = new TextDocumentReader(POINTERS, TextKind.STRING, 1_000);

    @Test
    void shouldTakeTheLastHeaderOfAName() {
        RecordHeader[] headers = {
            header("url", "a"), header("lang", "en"), header("url", "https://b"), header("Url", "c")
        };

        assertBothRead(new Document("https://b", RawText.of("x"), "en"), headers);
    }

    @Test
    void shouldTakeAMissingANullAndAnEmptyHeaderForNone() {
        assertBothRead(InputRecords.document("k", "x"));
        assertBothRead(InputRecords.document("k", "x"), new RecordHeader("url", null), new RecordHeader("lang", null));
        assertBothRead(InputRecords.document("k", "x"), header("url", "a"), header("url", ""), header("lang", ""));
    }

    @Test
    void shouldRejectWhatIsNotUtf8OrTooLongAndNameWhatIsBrokenByItsHeader() {
        assertBothRead(
                new Rejection(
                        Reason.ID_NOT_TEXT, "expected UTF-8 (RFC 3629) in the header url, found 0xFF at byte 1", null),
                new RecordHeader("url", bytes("a\u00FF")));
        assertBothRead(
                new Rejection(
                        Reason.SCOPE_NOT_TEXT,
                        "expected UTF-8 (RFC 3629) in the header lang, found 0x80 at byte 0",
                        "a"),
                header("url", "a"),
                new RecordHeader("lang", bytes("\u0080")));
        assertBothRead(
                new Rejection(Reason.ID_TOO_LONG, "expected an id of at most 512 bytes, found 513", null),
                header("url", "i".repeat(513)));
        assertThat(json.read(withHeaders("{", header("url", "a"))))
                .isEqualTo(new Rejection(Reason.NOT_JSON, "expected JSON (RFC 8259), found an error at byte 1", "a"));
    }

    private void assertBothRead(DocumentReader.Result expected, RecordHeader... headers) {
        assertThat(json.read(withHeaders(JSON, headers))).isEqualTo(expected);
        assertThat(text.read(withHeaders("x", headers))).isEqualTo(expected);
    }

    private static RecordHeader header(String name, String value) {
        return new RecordHeader(name, utf8(value));
    }
}
