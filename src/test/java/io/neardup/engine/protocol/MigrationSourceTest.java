package io.neardup.engine.protocol;

import static io.neardup.engine.protocol.CoordinatorHarness.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.CoordinatorRules.Slice;
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
    void shouldLeaveWhatLiesBehindAllThatItHasTaken() {
        coordinator.arrive("a");
        coordinator.arrive("b");

        assertThat(source().isLeft(new InputOffset(TOPIC, 2))).isFalse();
        assertThat(fix()).isEqualTo(Map.of(TOPIC, 2L));
        assertThat(source().isLeft(new InputOffset(TOPIC, 1))).isFalse();
        assertThat(source().isLeft(new InputOffset(TOPIC, 2))).isTrue();
    }

    @Test
    void shouldLeaveATopicOfWhichItNeverTookARecordAsItBegins() {
        assertThat(fix()).isEqualTo(Map.of(TOPIC, 40L));
        assertThat(source().isDrained()).isTrue();
    }

    @Test
    void shouldNotBeDrainedBeforeATombstoneHasRemovedAll() {
        coordinator.withOriginalsAStep(new Slice(1, 1 << 20));
        RecordKey key = new RecordKey(1, 1);
        coordinator.origin("a", key, 0);
        coordinator.origin("b", key, 0);
        coordinator.original("a");
        coordinator.original("b");
        coordinator.takeTombstone("tombstone", key);
        fix();

        assertThat(coordinator.namesReleased()).containsExactly("tombstone");
        assertThat(source().isDrained()).isFalse();

        while (coordinator.expire()) {
            assertThat(source().isDrained()).isFalse();
        }
        assertThat(source().isDrained()).isTrue();
    }

    /** It may be an original by now: a successor that has it for one would find the record itself a duplicate of it. */
    @Test
    void shouldKeepWhatAnEarlierEpochDecidedThoughItIsNotReleased() {
        coordinator.arrive("first, which waits");
        DocumentRef decided = coordinator.arrive("decided");
        coordinator.arrive("undecided");
        coordinator.answerAll(decided);
        coordinator.stop();

        assertThat(fix()).isEqualTo(Map.of(TOPIC, 2L));
        assertThat(source().hasReadAll(TOPIC)).isFalse();
        assertThat(source().isDrained()).isFalse();

        coordinator.readAgain();
        assertThat(source().hasReadAll(TOPIC)).isTrue();
    }

    @Test
    void shouldLetNobodyWaitForWhatItLeaves() {
        coordinator.similar("undecided", "younger", 0.9);
        DocumentRef undecided = coordinator.arrive("undecided");
        coordinator.stop();
        DocumentRef asker = new DocumentRef(0, 7);
        coordinator.verify(asker, coordinator.nowMillis() + 1, "younger", undecided);
        assertThat(coordinator.sent()).isEmpty();

        fix();
        coordinator.pass(1_000);

        assertThat(coordinator.sent()).containsExactly(CoordinatorHarness.noMatchSent(asker, 0));
    }

    @Test
    void shouldReadAgainUpToWhatItFixedAfterARestart() {
        coordinator.arrive("a");
        DocumentRef b = coordinator.arrive("b");
        fix();
        coordinator.restart();

        assertThat(source().current()).hasValue(new Handover(Map.of(TOPIC, 2L), false));
        assertThat(source().hasReadAll(TOPIC)).isTrue();
        coordinator.answerAll(new DocumentRef(CoordinatorHarness.COORDINATOR, 0));
        assertThat(source().isDrained()).isFalse();
        coordinator.answerAll(b);
        assertThat(source().isDrained()).isTrue();
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
        assertThat(coordinator.state().hasOriginal(decided))
                .describedAs("it has not left")
                .isFalse();
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
