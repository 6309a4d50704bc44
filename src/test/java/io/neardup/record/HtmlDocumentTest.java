package io.neardup.record;

import static io.neardup.record.InputRecords.document;
import static io.neardup.record.InputRecords.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.text.HtmlText;
import io.neardup.testing.Cost;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents whose texts are HTML. */
class HtmlDocumentTest {
    private static final int VALUE_BYTES_MAX = 12_000_000;

    private final DocumentReader json = new JsonDocumentReader(
            new Pointers("/id", List.of("/title", "/text"), null), TextKind.HTML, VALUE_BYTES_MAX);
    private final DocumentReader text =
            new TextDocumentReader(new Pointers("/id", List.of("/text"), null), TextKind.HTML, VALUE_BYTES_MAX);

    @Test
    void shouldTakeTheMainTextOfEachString() {
        assertThat(json.read(InputRecords.of("{\"id\":\"a\",\"title\":\"Rain &amp; wind\",\"text\":"
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
        assertThat(json.read(InputRecords.of("{\"id\":\"a\",\"text\":\"" + "<i>".repeat(1_000) + "\"}")))
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

    private DocumentReader.Result readBounded(String html) {
        InputRecord record = InputRecords.of(utf8("k"), utf8(html));
        Cost.shouldBeBounded(100_000_000, () -> text.read(record));
        return text.read(record);
    }

    @ParameterizedTest
    @ValueSource(strings = {"<p title=\"%s\">t", "<p class=\"%s\">t</p>", "<p %s>t", "<p><%1$s>t"})
    void shouldReadHugeTagsAndAttributes(String page) {
        String attributes =
                IntStream.range(0, 100_000).mapToObj(i -> "a" + i + " ").collect(Collectors.joining());
        assertThat(readBounded(page.formatted(attributes))).isEqualTo(document("k", "t"));
    }

    private DocumentReader.Result read(String html) {
        return text.read(InputRecords.of(utf8("k"), utf8(html)));
    }
}
