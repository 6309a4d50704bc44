package io.neardup.engine.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.engine.text.HtmlText.Extract;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HtmlTextTest {
    @Test
    void shouldGiveTitleAndALineForEachBlock() throws HtmlBoundException {
        Extract page = HtmlText.of("<html><head><title> A &amp; B </title><style>p{}</style></head>"
                + "<body><h1>Head</h1><p>one <b>two</b>\n three&nbsp;four<br>five</p><ul><li>x</li><li>y</li></ul>");

        assertThat(page).isEqualTo(new Extract("A & B", "Head\none two three four\nfive\nx\ny"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>s</script>",
                "<style>s</style>",
                "<noscript>s</noscript>",
                "<template><p>s</p></template>",
                "<nav>s</nav>",
                "<header>s</header>",
                "<footer>s</footer>",
                "<aside>s</aside>",
                "<div role=navigation>s</div>",
                "<div hidden>s</div>",
                "<p style='color:red; Display: none'>s</p>",
                "<div aria-hidden=true>s</div>",
                "<!-- s -->",
                "<button>s</button>",
                "<select><option>s</option></select>",
                "<svg><text>s</text></svg>"
            })
    void shouldLeaveOutWhatIsNotTheText(String markup) throws HtmlBoundException {
        assertThat(HtmlText.of("<body><p>a</p>" + markup + "<p>b</p>").text()).isEqualTo("a\nb");
    }

    @ParameterizedTest
    @CsvSource({
        "<p>around<main><p>m<article>a</article></main>, 'm\na'",
        "<p>around<article><header>h</header><p>a</article>, 'h\na'",
        "<p>around<main role=Main><header>h</header>m</main>, 'h\nm'",
        "<article><header>h</header>a</article><article><header>i</header>b</article>, 'h\na\ni\nb'",
        "<p>a<aside><article>left out</article></aside><main hidden>left out</main>, a",
        "<header><article>left out</article></header><template><main>left out</main></template><p>a, a",
        "<p>around <span role=main> m <br></span> more, m",
        "<article>a</article><article>b</article><p>c, 'a\nb\nc'",
        "<main><p> </p></main><article>a</article>b, a",
        "<main></main><p>b, b",
        "<body style='visibility: hidden'><p>b, b",
        "<main></main><main>a</main><p>b, a",
        "<table><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>, 'a b\nc'"
    })
    void shouldTakeTheMainElementOrTheOneArticleAndTheCellsOfATable(String markup, String text)
            throws HtmlBoundException {
        assertThat(HtmlText.of(markup).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<?xml version='1.0'?><html>",
                "<!DOCTYPE html PUBLIC 'x'>\n<html lang=en xmlns='http://www.w3.org/1999/xhtml'>"
            })
    void shouldTakeAnElementThatIsClosedAtOnceForEmptyInXhtmlAlone(String start) throws HtmlBoundException {
        String page = "<head><script src='a.js'/><title>T</title></head><body><div hidden=''/><p>a</p></body></html>";

        assertThat(HtmlText.of(start + page)).isEqualTo(new Extract("T", "a"));
        assertThat(HtmlText.of("<html>" + page).text()).isEmpty();
    }

    @Test
    void shouldCountDepthFromThePageOnInTheMainElementToo() throws HtmlBoundException {
        String deep = "<div>".repeat(HtmlText.DEPTH_MAX - 3) + "x";

        assertThat(HtmlText.of("<main>m</main>" + deep + "</div>").text()).isEqualTo("m");
        assertThatThrownBy(() -> HtmlText.of("<main>" + deep)).isInstanceOf(HtmlBoundException.class);
    }
}
