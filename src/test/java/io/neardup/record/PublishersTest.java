package io.neardup.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublishersTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # URLs and hosts, however they are written
            https://www.bbc.co.uk/news/1?a=b#c | bbc.co.uk
            HTTP://WWW.BBC.CO.UK | bbc.co.uk
            //news.bbc.co.uk/1 | bbc.co.uk
            https://user:pass@www.example.com:8443/x@y.org | example.com
            https:\\\\www.example.com\\x | https:\\\\www.example.com\\x
            feed://feeds.example.com | example.com
            www.example.com. | example.com
            www.example.com:80/a b | example.com
            example.com | example.com
            # Below a suffix of a company everybody has a domain of their own
            https://alice.github.io/blog | alice.github.io
            bob.github.io | bob.github.io
            # Other letters: the name of the DNS
            https://www.b\u00fccher.de | xn--bcher-kva.de
            www.xn--bcher-kva.de | xn--bcher-kva.de
            https://www.\u4f8b\u5b50.\u4e2d\u56fd/ | xn--fsqu00a.xn--fiqs8s
            # Nothing to be registered
            http://192.168.0.1:8080/feed | 192.168.0.1
            192.168.0.1 | 192.168.0.1
            http://[2001:db8::1]:8080/ | [2001:db8::1]
            http://localhost/feed | localhost
            https://wiki.intranet/x | wiki.intranet
            https://github.io | github.io
            https://a..b/ | a..b
            # Names
            '  The   Times ' | the times
            DPA | dpa
            me@example.com | me@example.com
            report.pdf | report.pdf
            file:///feeds/a.xml | file:///feeds/a.xml
            7 | 7
            http://. | http://.
            """)
    void shouldTakeTheRegistrableDomainOrTheName(String source, String publisher) {
        assertThat(Publishers.BY_DOMAIN.of(source)).hasValue(publisher);
    }

    /** Each char becomes 18 as a host of the DNS: JDK 25 throws another exception for so many than JDK 17. */
    @ParameterizedTest
    @ValueSource(strings = {"", ".com", ".github.io"})
    void shouldTakeTheNameThatNoHostCanHave(String suffix) {
        String host = "\ufdfa".repeat(56) + suffix;
        assertThat(Publishers.BY_DOMAIN.of("//" + host)).hasValue(host);
        assertThat(Publishers.BY_DOMAIN.of(host)).hasValue(host);
        assertThat(Publishers.siteOf("https://" + host + "/a")).isEqualTo(host);
    }

    @Test
    void shouldFindNoneForNoSource() {
        assertThat(Publishers.BY_DOMAIN.of("")).isEmpty();
        assertThat(Publishers.BY_DOMAIN.of(" \t")).isEmpty();
        assertThat(Publishers.BY_DOMAIN.of(Publishers.UNKNOWN)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "DPA Feed 1, dpa",
        "dpa feed  2, dpa",
        "https://regional.example.com/a, tribune",
        "regional.example.com, tribune",
        "https://www.example.com/, example.com",
        "https://m.mirror.org/a, example.com",
        "Tribune, tribune",
        "https://www.b\u00fccher.de/a, kiosk",
        "b\u00fccher.de, kiosk",
        "unlisted.net, unlisted.net"
    })
    void shouldJoinWhatATableSays(String source, String publisher) throws IOException {
        Publishers publishers = Publishers.read(new StringReader("""
                # agencies
                dpa feed 1\tDPA
                 Dpa Feed 2 \t dpa\r

                regional.example.com\tTribune
                mirror.org\twww.example.com
                b\u00fccher.de\tKiosk
                """));

        assertThat(publishers.of(source)).hasValue(publisher);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a b | line 2: expected a source, a tab and its publisher, found 'a b'
            a<TAB> | line 2: expected a source, a tab and its publisher, found 'a<TAB>'
            <TAB>b | line 2: expected a source
            a<TAB>b<TAB>c | line 2: expected a source
            a<TAB>unknown | line 2: expected a source
            X<TAB>z | line 2: expected one publisher of a source, which has y above, found 'X<TAB>z'
            """)
    void shouldSayWhichLineIsWrong(String line, String message) {
        String table = "x\ty\n" + line.replace("<TAB>", "\t") + "\n";
        assertThatThrownBy(() -> Publishers.read(new StringReader(table))).hasMessageContaining(message);
    }

    // ---- sources as records name them

    private static Optional<String> source(String place, @Nullable String value, RecordHeader... headers) {
        byte[] bytes = value == null ? null : value.getBytes(UTF_8);
        return new SourcePointer(place, null).in(new InputRecord("documents", 0, 0, 0, null, bytes, List.of(headers)));
    }

    private static String source(String source) {
        return source("/source", "{\"id\":\"a\",\"source\":\"" + source + "\",\"text\":\"t\"}")
                .orElseThrow();
    }

    private static RecordHeader feed(String value) {
        return new RecordHeader("feed", value.getBytes(UTF_8));
    }

    @Test
    void shouldReadTheSourceWhereverItStands() {
        assertThat(source("Daily")).isEqualTo("Daily");
        assertThat(source("/meta/feed", "{\"meta\":{\"feed\":7,\"x\":1},\"text\":\"t\"}"))
                .hasValue("7");
        assertThat(source("header:feed", "no JSON", feed("first"), new RecordHeader("other", null), feed("last")))
                .hasValue("last");
    }

    @Test
    void shouldFindNoneWhereThereIsNoName() {
        assertThat(source("/source", "{\"id\":\"a\"}")).isEmpty();
        assertThat(source("/source", "{\"source\":{\"name\":\"Daily\"}}")).isEmpty();
        assertThat(source("/source", "{\"source\":null}")).isEmpty();
        assertThat(source("/source", "{\"source\":\" \"}")).isEmpty();
        assertThat(source("/source", "{\"source\":\"a\\ud800\"}")).isEmpty();
        assertThat(source("/source", null)).isEmpty();
        assertThat(source("/source", "{\"id\"")).isEmpty();
        assertThat(source("header:feed", "{}")).isEmpty();
        assertThat(source("header:feed", "{}", feed(""))).isEmpty();
        assertThat(source("header:feed", "{}", new RecordHeader("feed", new byte[] {'a', -1})))
                .isEmpty();
    }

    @Test
    void shouldCutLongSources() {
        assertThat(source("x".repeat(500))).isEqualTo("x".repeat(100));
        assertThat(source("x".repeat(99) + "\uD83D\uDE00")).isEqualTo("x".repeat(99));
        assertThat(Publishers.BY_DOMAIN.of(source("https://www.bbc.co.uk:80" + "/x".repeat(100))))
                .hasValue("bbc.co.uk");
    }
}
