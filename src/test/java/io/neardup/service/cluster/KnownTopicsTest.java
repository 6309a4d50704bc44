package io.neardup.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.streams.input.InputGenerations;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KnownTopicsTest {
    @Test
    void shouldCountTheGenerationsOfATopic() {
        KnownTopics known = KnownTopics.NONE
                .with("documents", "a")
                .with("more", "b")
                .with("changelog", "d")
                .with("documents", "c");

        assertThat(known.id("documents")).contains("c");
        assertThat(known.id("more")).contains("b");
        assertThat(known.id("other")).isEmpty();
        assertThat(known.generations(List.of("documents"), List.of("changelog")))
                .isEqualTo(new InputGenerations(Map.of("documents", 1, "more", 0), Set.of("more")));
    }

    @Test
    void shouldStayAsItIsWithATopicThatItKnows() {
        KnownTopics known = KnownTopics.NONE.with("documents", "a");
        assertThat(known.with("documents", "a")).isSameAs(known);
    }
}
