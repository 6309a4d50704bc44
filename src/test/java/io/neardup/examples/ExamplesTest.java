package io.neardup.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the guide shows without a cluster. */
class ExamplesTest {
    private static final String STORY = "A fire in the harbour destroyed two warehouses on Tuesday night, police said.";
    private static final String COPY = "A fire in the harbour destroyed two warehouses on Tuesday night, it was said.";
    private static final String OTHER = "The council has decided to build a new bridge over the river.";

    @Test
    void shouldCompareAndFindDuplicatesInMemory() throws Exception {
        MemoryApplication application =
                new MemoryApplication(List.of("neardup.similarity.threshold=0.7", "neardup.hash.seed=7"));
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("story", STORY);
        texts.put("other", OTHER);
        texts.put("copy", COPY);

        assertThat(application.similarity(STORY, COPY)).isBetween(0.7, 0.99);
        assertThat(application.similarity(STORY, OTHER)).isLessThan(0.1);
        assertThat(application.duplicates(texts)).containsExactly(Map.entry("copy", "story"));
    }
}
