package io.neardup.record;

import static io.neardup.record.InputRecords.bytes;
import static io.neardup.record.InputRecords.document;
import static io.neardup.record.InputRecords.utf8;
import static io.neardup.record.InputRecords.withHeaders;
import static io.neardup.testing.Records.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.text.HtmlText;
import io.neardup.testing.Cost;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    // ---- texts that are HTML, with both formats

    private static final int VALUE_BYTES_MAX = 12_000_000;

    private final DocumentReader htmlInJson = new JsonDocumentReader(
            new Pointers("/id", List.of("/title", "/text"), null), TextKind.HTML, VALUE_BYTES_MAX);
    private final DocumentReader html =
            new TextDocumentReader(new Pointers("/id", List.of("/text"), null), TextKind.HTML, VALUE_BYTES_MAX);

    @Test
    void shouldTakeTheMainTextOfEachString() {
        assertThat(htmlInJson.read(InputRecords.of("{\"id\":\"a\",\"title\":\"Rain &amp; wind\",\"text\":"
                        + "\"<title>t</title><nav>n</nav><p>one <b>two</b><script>s</script><p>3 < 4\"}")))
                .isEqualTo(document("a", "Rain & wind\none two\n3 < 4"));
        assertThat(read("<html><body><main>Porto</main>around")).isEqualTo(document("k", "Porto"));
    }

    @Test
    void shouldRejectMarkupWithoutText() {
        assertThat(read("<p><img src=a.png><p>&nbsp;"))
                .isEqualTo(new Rejection(
                        Reason.BLANK_TEXT, "expected text at the HTML at the value, found an empty string", "k"));
    }

    @Test
    void shouldRejectWhatIsBeyondABound() {
        assertThat(read("<div>".repeat(1_000) + "x"))
                .isEqualTo(new Rejection(Reason.TOO_DEEP, "elements are nested 512 deep or deeper", "k"));
        assertThat(read("<br>".repeat(HtmlText.TAGS_MAX + 1) + "x"))
                .isEqualTo(new Rejection(Reason.TOO_LARGE, "expected at most 200000 tags in HTML, found 200001", "k"));
        assertThat(read("x".repeat(HtmlText.BYTES_MAX + 1)))
                .isEqualTo(
                        new Rejection(Reason.TOO_LARGE, "expected at most 4194304 bytes of HTML, found 4194305", "k"));
        assertThat(htmlInJson.read(InputRecords.of("{\"id\":\"a\",\"text\":\"" + "<i>".repeat(1_000) + "\"}")))
                .isEqualTo(new Rejection(Reason.TOO_DEEP, "elements are nested 512 deep or deeper", "a"));
    }

    /** What a parser may take long for, or much memory. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<div>", "<b>", "<b><p>", "<font><p>", "<a>",
                "<table>", "<table><tr><td>", "<ul><li>", "<svg><p>", "<!--",
                "<![CDATA[", "<script>", "<select><option>", "<template>", "</div>",
                "<", "<x", "&", "&am", "&#",
                "&#xD800;", "\0", "<p a=", "<a><b></a></b>", "<b><div></b>",
                "<frameset>", "<title>"
            })
    void shouldReadHostileMarkupWithinBounds(String piece) {
        if (readBounded(piece.repeat(200_000 / piece.length()) + "x") instanceof Document document) {
            InputRecords.checkInvariants(document);
        }
    }

    /** The parser would take seconds for each million characters more. */
    @ParameterizedTest
    @ValueSource(strings = {"<", "</", "<p>text</"})
    void shouldRejectATagWhoseNameDoesNotEnd(String start) {
        assertThat(readBounded(start + "a".repeat(4_000_000)))
                .isEqualTo(new Rejection(
                        Reason.TOO_LARGE,
                        "expected at most 65536 characters in the name of a tag in HTML, found more",
                        "k"));
    }

    private DocumentReader.Result readBounded(String page) {
        InputRecord record = InputRecords.of(utf8("k"), utf8(page));
        Cost.shouldBeBounded(100_000_000, () -> html.read(record));
        return html.read(record);
    }

    @ParameterizedTest
    @ValueSource(strings = {"<p title=\"%s\">t", "<p class=\"%s\">t</p>", "<p %s>t", "<p><%1$s>t"})
    void shouldReadHugeTagsAndAttributes(String page) {
        String attributes =
                IntStream.range(0, 100_000).mapToObj(i -> "a" + i + " ").collect(Collectors.joining());
        assertThat(readBounded(page.formatted(attributes))).isEqualTo(document("k", "t"));
    }

    private DocumentReader.Result read(String page) {
        return html.read(InputRecords.of(utf8("k"), utf8(page)));
    }
}
