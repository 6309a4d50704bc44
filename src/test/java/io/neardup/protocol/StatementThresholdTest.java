package io.neardup.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.sources.Statement;
import io.neardup.sources.StatementTest;

/** What the sources say of the threshold, asked of the home of a document. */
class StatementThresholdTest {
    private final HomeHarness harness = new HomeHarness();

    @StatementTest("A40")
    void shouldTakeADocumentExactlyAtTheThresholdForADuplicate(Statement statement) {
        assertThat(statement.expectedText("verdict")).isEqualTo("A duplicate");
        Ref original = new Ref(HomeHarness.HOME + 1, 7);
        Ref atThreshold = harness.arrive("b");
        Ref below = harness.arrive("c");

        harness.answerAll(atThreshold, original);
        harness.answerAll(below, original);
        harness.judge(atThreshold, original, HomeHarness.THRESHOLD, "a");
        harness.judge(below, original, Math.nextDown(HomeHarness.THRESHOLD), "a");

        assertThat(harness.released())
                .containsExactly(
                        HomeHarness.duplicate("b", original, "a", HomeHarness.THRESHOLD), HomeHarness.unique("c"));
    }
}
