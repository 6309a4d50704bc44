package io.neardup.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SourcePointerTest {
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
        assertThat(source("/source", null)).isEmpty();
        assertThat(source("/source", "{\"id\"")).isEmpty();
        assertThat(source("header:feed", "{}")).isEmpty();
        assertThat(source("header:feed", "{}", feed(""))).isEmpty();
        assertThat(source("header:feed", "{}", new RecordHeader("feed", new byte[] {'a', -1})))
                .isEmpty();
    }

    @Test
    void shouldCutLongSourcesSoThatTheirPublisherStays() {
        String path = "/x".repeat(100);
        assertThat(source("x".repeat(500))).isEqualTo("x".repeat(100));
        assertThat(source("x".repeat(99) + "\uD83D\uDE00")).isEqualTo("x".repeat(99));
        assertThat(source("https://me:secret@www.bbc.co.uk:8080" + path)).isEqualTo("https://www.bbc.co.uk");
        assertThat(source("https://bbc.co.uk/" + "x".repeat(50))).isEqualTo("https://bbc.co.uk/" + "x".repeat(50));
        String deep = source("https://" + "sub.".repeat(60) + "bbc.co.uk" + path);
        assertThat(deep).hasSizeBetween(90, 100).startsWith("sub.").endsWith("sub.bbc.co.uk");
        assertThat(Publishers.BY_DOMAIN.of(deep)).hasValue("bbc.co.uk");
    }
}
