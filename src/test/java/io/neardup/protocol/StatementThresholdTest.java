package io.neardup.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.sources.Statement;
import io.neardup.sources.StatementTest;

/** What the sources say of the threshold, asked of the home of a document. */
class StatementThresholdTest {
    private final HomeBench bench = new HomeBench();

    @StatementTest("A40")
    void shouldTakeADocumentExactlyAtTheThresholdForADuplicate(Statement statement) {
        assertThat(statement.expectedText("verdict")).isEqualTo("A duplicate");
        Ref original = new Ref(HomeBench.HOME + 1, 7);
        Ref atThreshold = bench.arrive("b");
        Ref below = bench.arrive("c");

        bench.answerAll(atThreshold, original);
        bench.answerAll(below, original);
        bench.judge(atThreshold, original, HomeBench.THRESHOLD, "a");
        bench.judge(below, original, Math.nextDown(HomeBench.THRESHOLD), "a");

        assertThat(bench.released())
                .containsExactly(HomeBench.duplicate("b", original, "a", HomeBench.THRESHOLD), HomeBench.unique("c"));
    }
}
