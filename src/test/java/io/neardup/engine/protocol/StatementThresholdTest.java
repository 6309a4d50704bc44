package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.sources.Statement;
import io.neardup.sources.StatementTest;

/** What the sources say of the threshold, asked of the coordinator of a document. */
class StatementThresholdTest {
    private final CoordinatorHarness harness = new CoordinatorHarness();

    @StatementTest("A40")
    void shouldTakeADocumentExactlyAtTheThresholdForADuplicate(Statement statement) {
        assertThat(statement.expectedText("verdict")).isEqualTo("A duplicate");
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
