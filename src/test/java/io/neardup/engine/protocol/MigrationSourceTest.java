package io.neardup.engine.protocol;

import static io.neardup.engine.protocol.CoordinatorHarness.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.DocumentCoordinator.InputOffset;
import io.neardup.engine.protocol.MigrationSource.Handover;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a coordinator leaves to a successor, and when it is empty. */
class MigrationSourceTest {
    private final CoordinatorHarness coordinator = new CoordinatorHarness();

    private MigrationSource source() {
        return coordinator.role().migrationSource();
    }

    /** Returns what it leaves then. */
    private Map<String, Long> fix() {
        source().fix(List.of(TOPIC), topic -> 40);
        return source().current().orElseThrow().positions();
    }

    @Test
    void shouldNotWaitForWhatIsGoneFromTheInput() {
        coordinator.arrive("first, which waits");
        DocumentRef decided = coordinator.arrive("decided");
        coordinator.answerAll(decided);
        coordinator.stop();
        fix();
        assertThat(source().isDrained()).isFalse();

        coordinator.role().leaveToSuccessor(new InputOffset(TOPIC, 2));

        assertThat(source().isDrained()).isTrue();
        assertThat(coordinator.state().entry(decided))
                .describedAs("it has not left")
                .isEmpty();
        coordinator.stop();
        assertThat(source().isDrained()).isTrue();
    }

    /** The successor gets no position of it. */
    @Test
    void shouldLeaveATopicThatCameAfterItFixed() {
        fix();
        source().noteEmpty();
        coordinator.stop();

        assertThat(source().isLeft(new InputOffset("later", 0))).isTrue();
        assertThat(source().hasReadAll("later")).isTrue();
        assertThat(source().isLeft(new InputOffset(TOPIC, 39))).isFalse();
    }

    @Test
    void shouldNoteThatItIsEmptyOnce() {
        fix();
        source().noteEmpty();
        coordinator.stop();

        assertThat(source().current()).hasValue(new Handover(Map.of(TOPIC, 40L), true));
        assertThat(source().isDrained()).isTrue();
    }
}
