package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.DocumentCoordinator.InputOffset;
import io.neardup.engine.protocol.MigrationSource.Handover;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a coordinator leaves to a successor, and when it is empty. */
class MigrationSourceTest extends CoordinatorHarness {
    private MigrationSource source() {
        return role().migrationSource();
    }

    /** Returns what it leaves then. */
    private Map<String, Long> fix() {
        source().fix(List.of(TOPIC), topic -> 40);
        return source().current().orElseThrow().positions();
    }

    @Test
    void shouldNotWaitForWhatIsGoneFromTheInput() {
        arrive("first, which waits");
        DocumentRef decided = arrive("decided");
        answerAll(decided);
        stop();
        fix();
        assertThat(source().isDrained()).isFalse();

        role().leaveToSuccessor(at(2));

        assertThat(source().isDrained()).isTrue();
        assertThat(isOriginal(decided)).as("it has not left").isFalse();
        stop();
        assertThat(source().isDrained()).isTrue();
    }

    /** The successor gets no position of it. */
    @Test
    void shouldLeaveATopicThatCameAfterItFixed() {
        fix();
        source().noteEmpty();
        stop();

        assertThat(source().isLeft(new InputOffset("later", 0))).isTrue();
        assertThat(source().hasReadAll("later")).isTrue();
        assertThat(source().isLeft(at(39))).isFalse();
    }

    @Test
    void shouldNoteThatItIsEmptyOnce() {
        fix();
        source().noteEmpty();
        stop();

        assertThat(source().current()).hasValue(new Handover(Map.of(TOPIC, 40L), true));
        assertThat(source().isDrained()).isTrue();
    }
}
