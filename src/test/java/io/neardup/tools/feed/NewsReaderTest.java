package io.neardup.tools.feed;

import static io.neardup.tools.feed.Reading.bytes;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.testing.Cost;
import io.neardup.tools.feed.Reading.Case;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class NewsReaderTest {
    private static final String START =
            "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>News &amp; more</title>";
    private static final String END = "</channel></rss>";

    @Test
    void shouldMakeARecordOfEachItemOfRss() throws IOException {
        Reading reading = Reading.of(START
                + "<item><title>One</title><link>http://a/1</link><guid>g1</guid>"
                + "<pubDate>Sat, 22 Aug 2026 17:05:12 +0000</pubDate>"
                + "<description>&lt;p&gt;short&lt;/p&gt;</description>"
                + "<content:encoded><![CDATA[<p>a <b>b</b></p><p>c&nbsp;d</p>]]></content:encoded></item>"
                + "<item><link>http://a/2</link><description>plain</description></item>"
                + END);

        assertThat(reading.texts())
                .containsExactly(
                        "{\"id\":\"g1\",\"url\":\"http://a/1\",\"title\":\"One\",\"text\":\"a b\\nc d\","
                                + "\"date\":\"2026-08-22T17:05:12Z\",\"source\":\"News & more\"}",
                        "{\"id\":\"http://a/2\",\"url\":\"http://a/2\",\"text\":\"plain\",\"source\":\"News & more\"}");
        assertThat(reading.skippedTotals()).isEqualTo(Skipped.Totals.NONE);
    }

    /** The parser asks for what is left of its buffer, which may be less than comes of a few bytes. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldReadCharactersOfSeveralBytesWhereverABufferEnds() throws IOException {
        String start = START + "<item><title>";
        Map<String, String> byBytes = Map.of(
                "\u00f0\u009f\u0098\u0080",
                "\ud83d\ude00",
                "\u0093",
                "\u201c",
                "\u00f0\u009f\u0098",
                "\u00f0\u0178\u02dc");
        for (Map.Entry<String, String> one : byBytes.entrySet()) {
            byte[] odd = one.getKey().getBytes(ISO_8859_1);
            for (int i = 0; i < 16; i++) {
                // Around the end of a chunk, and of the parser's buffer.
                int length = (i < 8 ? 1_024 : 2_048) - start.length() + i % 8 - 4;
                String before = "x".repeat(length);

                Reading reading = Reading.of(Reading.join(bytes(start + before), odd, bytes("y</title></item>" + END)));

                assertThat(reading.fields("title")).containsExactly(before + one.getValue() + "y");
            }
        }
    }

    @Test
    void shouldMakeARecordOfEachEntryOfAtom() throws IOException {
        Reading reading = Reading.of("<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>F</title>"
                + "<entry><id>1</id><link rel=\"self\" href=\"http://a/self\"/><link href=\"http://a/1\"/>"
                + "<title type=\"html\">a &lt;b&gt;B&lt;/b&gt;</title>"
                + "<content type=\"xhtml\"><div><p>one &lt;two&gt;</p><p>three</p></div></content>"
                + "<updated>2020-01-01T00:00:00Z</updated></entry>"
                + "<!-- <entry> --><entry><id>2</id><summary type=\"text\">1 &lt; 2</summary></entry></feed>");

        assertThat(reading.texts())
                .containsExactly(
                        "{\"id\":\"1\",\"url\":\"http://a/1\",\"title\":\"a B\",\"text\":\"one <two>\\nthree\","
                                + "\"date\":\"2020-01-01T00:00:00Z\",\"source\":\"F\"}",
                        "{\"id\":\"2\",\"text\":\"1 < 2\",\"source\":\"F\"}");
    }

    @Test
    void shouldReadTheItemsOfRss1BehindTheChannel() throws IOException {
        Reading reading = Reading.of("<rdf:RDF><channel><title>C</title></channel>"
                + "<item rdf:about=\"http://a/1\"><title>T</title><dc:date>2020-01-01</dc:date></item></rdf:RDF>");

        assertThat(reading.texts())
                .containsExactly(
                        "{\"id\":\"http://a/1\",\"url\":\"http://a/1\",\"title\":\"T\",\"date\":\"2020-01-01\","
                                + "\"source\":\"C\"}");
    }

    @Test
    void shouldReadWhatOfABrokenItemIsThereAndPassOverOneWithoutAnEnd() throws IOException {
        Reading reading = Reading.of(START
                + "<item><title>a</title></item><item><title>b</item><item><title>cut"
                + "<item><title>c</title></item><item><title>d</title>"
                + END);

        assertThat(reading.fields("title")).containsExactly("a", "b", "c");
        assertThat(reading.skippedTotals().counts()).isEqualTo(Map.of(Skip.TRUNCATED, 2L));
        assertThat(reading.skippedTotals().examples())
                .contains("stdin:5 at byte " + (START.length() + 50)
                        + ": truncated, expected the end tag of the item, found none");
    }

    /** As one with a tag at its end and nothing in it; only those without any end are cut off. */
    @Test
    void shouldReadAnItemThatIsClosedInItself() throws IOException {
        Reading reading = Reading.of(START
                + "<item/><item><title>a</title></item><item rdf:about=\"http://b/\" /><item><title>cut<item/>"
                + "<item></item><item>"
                + END);

        assertThat(reading.texts()).hasSize(5);
        assertThat(reading.fields("url")).contains("http://b/");
        assertThat(reading.skippedTotals().counts()).isEqualTo(Map.of(Skip.TRUNCATED, 2L));
    }

    @Test
    void shouldKeepTheSourceOfAnItemApartFromItsFeed() throws IOException {
        Reading rss = Reading.of(START
                + "<language>en</language><item><title>t</title><source url=\"http://p/\">A paper</source>"
                + "<dc:creator>Ann</dc:creator><category>x</category><category domain=\"d\">y</category></item>"
                + END);
        Reading atom =
                Reading.of("<feed xml:lang=\"de\"><title>F</title><entry><id>1</id><author><name>Bob</name></author>"
                        + "<category term=\"z\"/><source><id>urn:p</id><title>A paper</title></source></entry></feed>");

        assertThat(rss.texts())
                .containsExactly("{\"title\":\"t\",\"source\":\"A paper\",\"sourceUrl\":\"http://p/\","
                        + "\"feed\":\"News & more\",\"creator\":\"Ann\","
                        + "\"categories\":[\"x\",\"y\"],\"language\":\"en\"}");
        assertThat(atom.texts())
                .containsExactly("{\"id\":\"1\",\"source\":\"A paper\",\"sourceUrl\":\"urn:p\",\"feed\":\"F\","
                        + "\"creator\":\"Bob\",\"categories\":[\"z\"],\"language\":\"de\"}");
    }

    /** Each of nine entities is ten of the one before: a billion in all. */
    @Test
    void shouldNotExpandEntitiesOfADtd() throws IOException {
        StringBuilder bomb = new StringBuilder("<?xml version=\"1.0\"?><!DOCTYPE rss [<!ENTITY a0 \"lol\">");
        for (int i = 1; i < 10; i++) {
            bomb.append("<!ENTITY a")
                    .append(i)
                    .append(" \"")
                    .append(("&a" + (i - 1) + ";").repeat(10))
                    .append("\">");
        }
        bomb.append("<!ENTITY file SYSTEM \"file:///etc/hostname\">]><rss><channel><title>&a9;</title>");
        bomb.append("<item><title>&a9;</title></item><item><title>&file;</title></item>");
        bomb.append("<item><title>fine</title></item></channel></rss>");
        Reading reading = Reading.of(bomb.toString());

        assertThat(reading.fields("title")).containsExactly("fine");
        assertThat(reading.skippedTotals().counts()).isEqualTo(Map.of(Skip.ENTITY, 2L));
        assertThat(reading.skippedTotals().examples().get(0)).contains(": entity, it refers to an entity of a DTD");
    }

    /** What one broken byte opens takes what follows; that is told, not published. */
    @ParameterizedTest
    @ValueSource(strings = {"<![CDATA[b]>", "<!-- b", "<a href=\"b>", "<![CDATA["})
    void shouldTellOfAnItemThatDoesNotEnd(String broken) throws IOException {
        Reading reading = Reading.of(START
                + "<item><title>a</title></item><item><title>" + broken + "</title></item>"
                + "<item><title>c</title></item><item><title>d</title></item>"
                + END);

        assertThat(reading.fields("title")).containsExactly("a");
        assertThat(reading.skipped()).isEqualTo("truncated 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"item", "a"})
    void shouldEndWithAnItemOrANameThatIsTooLarge(String name) throws IOException {
        Reading reading = Reading.of(START + "<item><title>a</title></item><item><title>b</title><" + name + ">"
                + (name.equals("a") ? "<" : "") + "x".repeat(NewsReader.ITEM_CHARS_MAX));

        assertThat(reading.fields("title")).containsExactly("a");
        assertThat(reading.skipped()).isEqualTo("too-large 1");
    }

    @ParameterizedTest
    @CsvSource({"iso-8859-1, ISO-8859-1", "us-ascii, windows-1252", "utf-8, ISO-8859-1", "utf-16, UTF-8"})
    void shouldReadTheEncodingThatIsSaidOrElseWhatItIs(String said, Charset charset) throws IOException {
        String feed = START.replace("?>", " encoding=\"" + said + "\"?>") + "<item><title>\u00e9</title></item>" + END;

        assertThat(Reading.of(feed.getBytes(charset)).fields("title")).containsExactly("\u00e9");
    }

    @ParameterizedTest
    @CsvSource({"\ufeff, UTF-16BE", "\ufeff, UTF-16LE", "'', UTF-16BE", "'', UTF-16LE", "\ufeff, UTF-8", "'', UTF-8"})
    void shouldReadUnicodeWithAMarkAndWithout(String mark, Charset charset) throws IOException {
        String feed = mark + START + "<item><title>\u00e9</title></item>" + END;
        String page = mark + "<html><title>\u00e9</title>page</html>";

        assertThat(Reading.of(feed.getBytes(charset)).fields("title")).containsExactly("\u00e9");
        assertThat(Reading.of(page.getBytes(charset)).fields("title")).containsExactly("\u00e9");
    }

    @Test
    void shouldTakeAMarkForMoreThanTheEncodingThatIsSaid() throws IOException {
        String feed = "\ufeff" + START.replace("?>", " encoding=\"iso-8859-1\"?>")
                + "<item><title>\u00e9</title></item>" + END;

        assertThat(Reading.of(feed.getBytes(UTF_8)).fields("title")).containsExactly("\u00e9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " type='xhtml'"})
    void shouldReadOnBehindAnElementThatIsClosedAtOnce(String type) throws IOException {
        String entry = "<entry><title>t</title><content" + type + "><div>a <iframe src='b'/>c</div></content></entry>";

        assertThat(Reading.of("<feed xmlns='http://www.w3.org/2005/Atom'>" + entry + "</feed>")
                        .fields("text"))
                .containsExactly("a c");
    }

    /** An element of four characters takes the parser hundreds of bytes. */
    @Test
    void shouldNotMakeATreeOfMillionsOfElements() {
        byte[] feed = bytes(START + "<item><title>a</title></item>" + "<a/>".repeat(NewsReader.ITEM_CHARS_MAX / 4));

        Cost.shouldBeBounded(400_000_000, () -> {
            try {
                Reading reading = Reading.of(feed);
                assertThat(reading.fields("title")).containsExactly("a");
                assertThat(reading.skipped()).isEqualTo("too-large 1");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    void shouldNotCountTheTagsOfItemsThatAreOver() throws IOException {
        String item = "<item><title>a</title>" + "<a/>".repeat(50_000) + "</item>";

        assertThat(Reading.of(START + item.repeat(6) + END).records()).hasSize(6);
    }

    @Test
    void shouldNotHoldItemsThatAreOver() throws IOException {
        int items = 300_000;
        InputStream in = new ByteArrayInputStream(bytes(START + "<item></item>".repeat(items)));
        FormatReader reader = new NewsReader("a", in, new byte[0], false, new Skipped(), 100);
        long heapFirst = 0;
        for (int i = 0; i < items; i++) {
            Objects.requireNonNull(reader.next()); // An assertion would take most of the time.
            if (i == items / 10) {
                heapFirst = heapBytes();
            }
        }
        // Less than ten bytes of an item.
        assertThat(heapBytes() - heapFirst).isLessThan(9L * items);
    }

    private static long heapBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** T is of the feed; no is of other vocabularies, an item without an end, an image, a title or an author. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            source | <rss><channel>=<item></item></channel></rss> | ''
            source | <rdf:RDF><channel>=</channel><item></item></rdf:RDF> | ''
            source | <rss><channel><title>T</title><item><title>no</title><item></item></channel> | truncated 1
            source | <rss><channel><image><title>no</title></image><title>T</title><item></item></channel> | ''
            language | <rss><channel><title xml:lang='no'>a</title><language>T</language><item/></channel> | ''
            language | <feed xml:lang='T'><author xml:lang='no'/><entry></entry></feed> | ''
            """)
    void shouldTakeWhatIsOfTheFeedItself(String field, String feed, String skipped) throws IOException {
        String titles = "<itunes:title>no</itunes:title><title>T</title><itunes:title>no</itunes:title>";

        Reading reading = Reading.of(feed.replace("=<", titles + "<"));

        assertThat(reading.fields(field)).containsExactly("T");
        assertThat(reading.skipped()).isEqualTo(skipped);
    }

    @Test
    void shouldTakeNoContentOfAnEntryForAnEntry() throws IOException {
        Reading reading =
                Reading.of("<feed><title>F</title><entry><title>a</title><gd:entry><title>no</title></gd:entry>"
                        + "<x:list><item><title>no</title></item></x:list><content type=\"xhtml\">"
                        + "<div xmlns=\"http://www.w3.org/1999/xhtml\"><item><title>no</title></item>text</div>"
                        + "</content>"
                        + "</entry><entry><title>b</title></entry></feed>");

        assertThat(reading.fields("title")).containsExactly("a", "b");
        assertThat(reading.fields("source")).containsExactly("F", "F");
        assertThat(reading.fields("text").get(0)).contains("text");
        assertThat(reading.skipped()).isEmpty();
    }

    @Test
    void shouldGiveTheItemsBeforeTheDamageWhereverThatIs() throws IOException {
        String item = "<item><title>a</title></item>";
        byte[] content = bytes(START + item.repeat(2_000));
        for (int length : new int[] {100, 200, 300, 1_000, 5_000, 20_000, content.length}) {
            List<FeedRecord> records = new ArrayList<>();
            InputStream in = new SequenceInputStream(new ByteArrayInputStream(content, 0, length), new InputStream() {
                @Override
                public int read() throws IOException {
                    throw new DamagedException(Skip.BROKEN, 0, "damage");
                }

                @Override
                public int read(byte[] into, int from, int length) throws IOException {
                    return read();
                }
            });
            FormatReader reader = new NewsReader("a", in, new byte[0], false, new Skipped(), 1_000);
            assertThatThrownBy(() -> {
                        for (FeedRecord read = reader.next(); read != null; read = reader.next()) {
                            records.add(read);
                        }
                    })
                    .isInstanceOf(DamagedException.class);
            assertThat(records).as("of %d bytes", length).hasSize((length - START.length()) / item.length());
        }
    }

    private static Case items(String what, String field, List<String> values, String skipped, String... items) {
        return new Case(what, bytes(START + String.join("", items) + END), field, values, skipped);
    }

    static List<Case> feeds() {
        int many = 100_000;
        return List.of(
                items(
                        "entities of HTML and bare ones, and a prefix that is not declared",
                        "title",
                        List.of("x\u00a0y \u00e9 &", "undeclared prefix"),
                        "",
                        "<item><title>x&nbsp;y &eacute; &amp;amp; \u0001</title></item>",
                        "<item><media:title>no</media:title><title>undeclared prefix</title></item>"),
                items(
                        "a bare ampersand in an address",
                        "url",
                        List.of("http://a/?x=1&y=2"),
                        "",
                        "<item><link>http://a/?x=1&y=2</link></item>"),
                items(
                        "an item in CDATA",
                        "text",
                        List.of("write and"),
                        "",
                        "<item><description><![CDATA[write <item> and </item>]]></description></item>"),
                // Each opens what none closes.
                items("items inside of one", "id", List.of(), "truncated 1", "<item><![CDATA[".repeat(many / 2)),
                items(
                        "much escaped markup",
                        "title",
                        List.of("<b>".repeat(many)),
                        "",
                        "<item><title>" + "&lt;b&gt;".repeat(many) + "</title></item>"),
                items(
                        "an item nested too deep",
                        "id",
                        List.of(),
                        "too-deep 1",
                        "<item><title>" + "<b>".repeat(1000) + "</title></item>"));
    }

    @ParameterizedTest
    @MethodSource("feeds")
    void shouldReadWhatIsThereAndCountWhatIsSkipped(Case feed) throws IOException {
        feed.check();
    }
}
