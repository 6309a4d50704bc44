package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A document whose similarity is just that of the threshold. */
class ThresholdTest {
    private final CoordinatorHarness harness = new CoordinatorHarness();

    @Test
    void shouldTakeADocumentExactlyAtTheThresholdForADuplicate() {
        DocumentRef original = new DocumentRef(CoordinatorHarness.COORDINATOR + 1, 7);
        DocumentRef atThreshold = harness.arrive("b");
        DocumentRef below = harness.arrive("c");

        harness.answerAll(atThreshold, original);
        harness.answerAll(below, original);
        harness.judge(atThreshold, original, CoordinatorHarness.THRESHOLD, "a");
        harness.judge(below, original, Math.nextDown(CoordinatorHarness.THRESHOLD), "a");

        assertThat(harness.released())
                .containsExactly(
                        CoordinatorHarness.duplicate("b", original, "a", CoordinatorHarness.THRESHOLD),
                        CoordinatorHarness.unique("c"));
    }
}
