package io.neardup.tools.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.similarity.Similarity;
import io.neardup.record.InputRecord;
import io.neardup.record.Pointers;
import io.neardup.record.TextDocumentReader;
import io.neardup.record.TextKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class DuplicateExamplesTest {
    private final DuplicateExamples examples = new DuplicateExamples(
            0.6, new TextDocumentReader(new Pointers("/id", List.of("/text"), null), TextKind.STRING, 1_000_000));

    @Test
    void shouldPreferInstructivePairsToExactCopies() {
        examples.unique(record("a", "text a"));
        examples.unique(record("b", "text b"));
        examples.duplicate(record("a2", "copy"), "a2", "a", Similarity.of(1.0));
        examples.duplicate(record("b2", "near"), "b2", "b", Similarity.of(0.94));
        examples.duplicate(record("b3", "far"), "b3", "b", Similarity.of(0.6));
        assertThat(examples.chosen()).singleElement().satisfies(example -> {
            assertThat(example.duplicateId()).isEqualTo("b2");
            assertThat(example.duplicateText()).contains("near");
            assertThat(example.originalText()).isEqualTo("text b");
        });
    }

    @Test
    void shouldTakeOneOfEachLevelAndTheMostSimilarFirst() {
        for (String id : List.of("a", "b", "c", "d")) {
            examples.unique(record(id, "text " + id));
        }
        examples.duplicate(record("a2", "x"), "a2", "a", Similarity.of(0.66));
        examples.duplicate(record("b2", "x"), "b2", "b", Similarity.of(0.8));
        examples.duplicate(record("c2", "x"), "c2", "c", Similarity.of(0.94));
        examples.duplicate(record("d2", "x"), "d2", "d", Similarity.of(0.81));
        assertThat(examples.chosen())
                .extracting(LocalSummary.Example::duplicateId)
                .containsExactly("c2", "b2", "a2");
    }

    @Test
    void shouldWaitForAnOriginalThatComesLater() {
        examples.duplicate(record("a2", "x"), "a2", "a", Similarity.of(0.8));
        assertThat(examples.chosen()).isEmpty();
        examples.unique(record("a", "text a"));
        assertThat(examples.chosen())
                .extracting(LocalSummary.Example::originalId)
                .containsExactly("a");
    }

    @Test
    void shouldKeepOnlyTheBeginningOfALongText() {
        examples.unique(record("a", "x".repeat(100_000)));
        examples.duplicate(record("a2", "y".repeat(100_000)), "a2", "a", Similarity.of(0.8));
        assertThat(examples.chosen()).singleElement().satisfies(example -> {
            assertThat(example.originalText()).hasSize(8_000);
            assertThat(example.duplicateText().orElseThrow()).hasSize(8_000);
        });
    }

    private static InputRecord record(String key, String text) {
        return new InputRecord("topic", 0, 0, 0, key.getBytes(UTF_8), text.getBytes(UTF_8), List.of());
    }
}
