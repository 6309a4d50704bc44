package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class SourcePointerTest {
    private static Optional<String> source(String pointer, String json) {
        return new SourcePointer(pointer).in(json.getBytes(UTF_8));
    }

    @Test
    void shouldReadTheSourceWhereverItStands() {
        assertThat(source("/source", "{\"id\":\"a\",\"text\":\"t\",\"source\":\"Daily\"}"))
                .hasValue("Daily");
        assertThat(source("/meta/feed", "{\"meta\":{\"feed\":7,\"x\":1},\"text\":\"t\"}"))
                .hasValue("7");
        assertThat(source("/source", "{\"source\":\"" + "x".repeat(500) + "\"}"))
                .hasValueSatisfying(name -> assertThat(name).hasSize(100));
    }

    @Test
    void shouldFindNoneWhereThereIsNoName() {
        assertThat(source("/source", "{\"id\":\"a\"}")).isEmpty();
        assertThat(source("/source", "{\"source\":{\"name\":\"Daily\"}}")).isEmpty();
        assertThat(source("/source", "{\"source\":null}")).isEmpty();
        assertThat(new SourcePointer("/source").in(null)).isEmpty();
    }
}
