package io.neardup.tools.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.testing.Cost;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FeedFormatTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"id":1}                                                | a          | LINES
            not json\\n{"id":1}                                     | a          | LINES
            ''                                                      | a.csv      | LINES
            not json                                                | a.jsonl.gz | LINES
            [ {"id":1} ]                                            | a          | ARRAY
            []                                                      | a          | ARRAY
            id,title,text\\n1,a,b                                   | a          | TABLE
            id\\ttext\\n1\\ta, b                                    | a          | TABLE
            WARC/1.0\\r\\n                                          | a.txt      | CRAWL
            filedesc://a.arc 0.0.0.0 20080430204825 text/plain 1300 | a          | CRAWL
            http://a/ 1.2.3.4 20080430204825 text/html 13           | a          | CRAWL
            junk\\nWARC/1.0\\r\\n                                   | a          | CRAWL
            <?xml version='1.0'?><!-- c --><rss version='2.0'>      | a          | NEWS
            <!DOCTYPE rss [<!ENTITY a 'b'>]><rss>                   | a          | NEWS
            <rdf:RDF xmlns='x'>                                     | a          | NEWS
            <feed xmlns='x'>                                        | a.html     | NEWS
            <!doctype html><div                                     | a          | HTML
            <!-- c --><HTML lang='de'>                              | a          | HTML
            <custom-element> text                                   | a.html     | HTML
            one, two\\nand three                                    | a.txt      | TEXT
            a\u0019b\u001ac                                         | a.txt      | TEXT
            as in\\n{"id":1}                                        | a.md       | TEXT
            id,code\\n1,"\\n{}"                                     | a.csv      | TABLE
            {\\n  "id": 1\\n}                                       | a.json     | OBJECTS
            {\\n{"id":1}                                            | a          | LINES
            just a text                                             | a          |
            Well, a text, again                                     | a          |
            <svg width='3'>                                         | a          |
            %PDF-1.4                                                | a.pdf      |
            a\\0b                                                   | a.txt      |
            """)
    void shouldTellAFormatByItsContent(String head, String name, @Nullable FeedFormat format) {
        assertThat(detect(head, name, false)).isEqualTo(format);
    }

    @ParameterizedTest
    @CsvSource({"a text without a name that tells, TEXT", "a\\0b,"})
    void shouldTakeEveryTextInAFolder(String head, @Nullable FeedFormat format) {
        assertThat(detect(head, "a", true)).isEqualTo(format);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a://", "\n", "\n ", "<?", "<!--", "<!DOCTYPE [] ", "[ ", "\",", "<a:"})
    void shouldTellWithinBoundsWhatAHeadRepeats(String piece) {
        String head = "x" + piece.repeat(FeedFormat.HEAD_BYTES / piece.length());

        Cost.shouldBeBounded(10_000_000, () -> detect(head, "a", false));
        Cost.shouldBeBounded(10_000_000, () -> detect(head.substring(1), "a", false));
    }

    private static @Nullable FeedFormat detect(String head, String name, boolean inFolder) {
        String content = head.replace("\\n", "\n")
                .replace("\\r", "\r")
                .replace("\\t", "\t")
                .replace("\\0", "\0");
        return FeedFormat.detect(Reading.bytes(content), true, name, inFolder);
    }
}
