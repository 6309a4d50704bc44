package io.neardup.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.app.TopicAdmin.FoundTopic;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicChangesTest {
    private static final FoundTopic FIRST = new FoundTopic(2, "first");
    private static final FoundTopic SECOND = new FoundTopic(2, "second");
    private static final Map<String, FoundTopic> STARTED =
            Map.of("documents", FIRST, "replies", FIRST, "unique", FIRST);

    private final TopicChanges changes = new TopicChanges(STARTED, List.of("unique"));

    @Test
    void shouldFindNoneWhereAllIsAsItWas() {
        assertThat(changes.among(STARTED)).isEmpty();
    }

    @Test
    void shouldSayWhatWasFoundByTopic() {
        assertThat(changes.among(Map.of("replies", new FoundTopic(3, "first"), "documents", SECOND)))
                .hasSize(3)
                .satisfies(lines -> {
                    assertThat(lines.get(0)).startsWith("topic documents: ").contains("found another made under");
                    assertThat(lines.get(1)).startsWith("topic replies: ").contains("with 2 partitions, found 3");
                    assertThat(lines.get(2)).startsWith("topic unique: ").contains("found none", "--create-topics");
                });
    }

    @Test
    void shouldTakeAnyOutputThatIsThere() {
        assertThat(changes.among(Map.of("documents", FIRST, "replies", FIRST, "unique", new FoundTopic(7, "other"))))
                .isEmpty();
    }

    @Test
    void shouldNotTakeAChangeAfterAnotherForALastingOne() {
        List<String> one = changes.among(Map.of("documents", FIRST, "unique", FIRST));
        List<String> other = changes.among(Map.of("replies", FIRST, "unique", FIRST));

        assertThat(changes.lasting(one)).isEmpty();
        assertThat(changes.lasting(other)).isEmpty();
        assertThat(changes.lasting(other)).isEqualTo(other);
    }

    @Test
    void shouldKeepOfSeveralChangesThoseThatLast() {
        List<String> one = changes.among(Map.of("documents", FIRST, "unique", FIRST));
        List<String> both = changes.among(Map.of("unique", FIRST));

        assertThat(changes.lasting(one)).isEmpty();
        assertThat(changes.lasting(both)).isEqualTo(one);
    }

    @Test
    void shouldStartAnewAfterALookWithoutChanges() {
        List<String> one = changes.among(Map.of("documents", FIRST, "unique", FIRST));

        assertThat(changes.lasting(one)).isEmpty();
        assertThat(changes.lasting(List.of())).isEmpty();
        assertThat(changes.lasting(one)).isEmpty();
    }
}
