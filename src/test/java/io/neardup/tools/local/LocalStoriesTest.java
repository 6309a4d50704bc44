package io.neardup.tools.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.record.Story;
import java.util.List;
import org.junit.jupiter.api.Test;

class LocalStoriesTest {
    private final LocalStories stories = new LocalStories();

    private static byte[] revision(String place, long copies) {
        return new Story(
                        place,
                        "id",
                        copies,
                        1,
                        2,
                        copies,
                        1,
                        true,
                        List.of(),
                        new Story.Representative("id", place, "a", 1, 10, "first"),
                        List.of("copy"),
                        new Story.Similarities(1, 1),
                        false)
                .encode();
    }

    @Test
    void shouldWaitForTheCopiesOfThisStartBesideThoseOfEarlierOnes() throws Exception {
        stories.takeEarlier(revision("documents-0-0", 5));
        stories.takeEarlier(revision("documents-0-1", 5));
        assertThat(stories.isComplete()).isTrue();

        stories.expect("documents-0-0");
        stories.expect("documents-0-2");
        stories.take(revision("documents-0-2", 1));
        assertThat(stories.isComplete()).isFalse();

        stories.take(revision("documents-0-0", 6));
        assertThat(stories.isComplete()).isTrue();
        assertThat(stories.last()).hasSize(2);
    }
}
