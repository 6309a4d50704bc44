package io.neardup.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.record.Story.Representative;
import io.neardup.record.Story.Similarities;
import io.neardup.record.Story.Source;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StoryTest {
    private static Story story(List<Source> sources, boolean exact, boolean ended) {
        Representative representative = new Representative("b", "documents-1-4", "bbc.com", 5, 900, "longest");
        return new Story(
                "documents-0-17",
                "a",
                3,
                -1,
                5,
                2,
                1,
                exact,
                sources,
                representative,
                List.of("c", "b"),
                new Similarities(0.7125, 0.8),
                ended);
    }

    private static final List<Source> SOURCES =
            List.of(new Source("www.bbc.com", "bbc.com", 2, -1), new Source("unknown", null, 0, 4));

    @Test
    void shouldBeTheJsonThatReadersKnow() {
        assertThat(new String(story(SOURCES, true, false).encode(), UTF_8)).isEqualTo("""
                        {"story":"documents-0-17","id":"a","revision":3,"first":-1,"last":5,"copies":2,"publishers":1,\
                        "exact":true,"sources":[{"source":"www.bbc.com","publisher":"bbc.com","copies":2,"first":-1},\
                        {"source":"unknown","copies":0,"first":4}],"representative":{"id":"b","place":"documents-1-4",\
                        "source":"bbc.com","timestamp":5,"length":900,"rule":"longest"},"latest":["c","b"],\
                        "similarity":{"min":0.7125,"median":0.8}}""");
        assertThat(new String(story(SOURCES, false, true).encode(), UTF_8))
                .contains("\"exact\":false")
                .endsWith(",\"ended\":true}");
    }

    @Test
    void shouldBeReadAsItWasWritten() throws IOException {
        for (Story story : List.of(story(SOURCES, true, false), story(List.of(), false, true))) {
            assertThat(Story.decode(story.encode())).isEqualTo(story);
        }
        assertThatThrownBy(() -> Story.decode("{}".getBytes(UTF_8))).hasMessageContaining("expected a story");
        assertThatThrownBy(() -> Story.decode("null".getBytes(UTF_8))).hasMessageContaining("expected a story");
        assertThatThrownBy(() -> Story.decode("[".getBytes(UTF_8))).hasMessageContaining("expected a story");
    }

    @Test
    void shouldListTheSourcesWithTheMostCopiesWhereNotAllFit() throws IOException {
        List<Source> long1000 = IntStream.range(0, 1_000)
                .mapToObj(i -> new Source("\u0001".repeat(95) + i, "\u0001".repeat(95) + i, 1_000 - i, i))
                .toList();

        byte[] json = story(long1000, true, false).encode();

        assertThat(json).hasSizeBetween(Story.BYTES_MAX / 2, Story.BYTES_MAX);
        assertThat(Story.decode(json).sources()).isEqualTo(long1000.subList(0, 500));
    }

    @Test
    void shouldOrderPlacesByTopicAndThenByNumbers() {
        assertThat(List.of("b-2-0-9", "b-2-0-10", "b-2-1-2", "b-10-0-1", "a-0-7", "c-0-0", "a-0-10", "odd").stream()
                        .sorted(Story.BY_PLACE))
                .containsExactly("a-0-7", "a-0-10", "b-10-0-1", "b-2-0-9", "b-2-0-10", "b-2-1-2", "c-0-0", "odd");
    }
}
