package io.neardup.engine.protocol;

import static io.neardup.engine.protocol.CoordinatorHarness.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.StepBounds.Slice;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a coordinator leaves to a successor, and when it is empty. */
class MigrationSourceTest {
    private static final String REQUEST = "request";

    private final CoordinatorHarness coordinator = new CoordinatorHarness();

    private MigrationSource handingOver() {
        return coordinator.role().handingOver();
    }

    private Map<String, Long> fix() {
        return handingOver().fix(REQUEST, List.of(TOPIC), topic -> 40).positions();
    }

    @Test
    void shouldLeaveWhatLiesBehindAllThatItHasTaken() {
        coordinator.arrive("a");
        coordinator.arrive("b");

        assertThat(fix()).isEqualTo(Map.of(TOPIC, 2L));
        assertThat(handingOver().isLeft(new InputOffset(TOPIC, 1))).isFalse();
        assertThat(handingOver().isLeft(new InputOffset(TOPIC, 2))).isTrue();
        assertThat(handingOver().isLeft(new InputOffset("neardup-seeds", 2))).isFalse();
    }

    @Test
    void shouldLeaveATopicOfWhichItNeverTookARecordAsItBegins() {
        assertThat(fix()).isEqualTo(Map.of(TOPIC, 40L));
        assertThat(handingOver().isDrained()).isTrue();
    }

    @Test
    void shouldBeDrainedWhenAllHasLeft() {
        DocumentRef a = coordinator.arrive("a");
        fix();
        assertThat(handingOver().isDrained()).isFalse();

        coordinator.answerAll(a);

        assertThat(handingOver().isDrained()).isTrue();
    }

    @Test
    void shouldNotBeDrainedBeforeATombstoneHasTakenBackAll() {
        coordinator.withOriginalsAStep(new Slice(1, 1 << 20));
        RecordKey key = new RecordKey(1, 1);
        coordinator.origin("a", key, 0);
        coordinator.origin("b", key, 0);
        coordinator.original("a");
        coordinator.original("b");
        coordinator.takeBack("tombstone", key);
        fix();

        assertThat(coordinator.namesReleased()).containsExactly("tombstone");
        assertThat(handingOver().isDrained()).isFalse();

        while (coordinator.expire()) {
            assertThat(handingOver().isDrained()).isFalse();
        }
        assertThat(handingOver().isDrained()).isTrue();
    }

    /** It may be an original by now: a successor that has it for one would find the record itself a duplicate of it. */
    @Test
    void shouldKeepWhatAnEarlierLifeDecidedThoughItHasNotLeft() {
        coordinator.arrive("first, which waits");
        DocumentRef decided = coordinator.arrive("decided");
        coordinator.arrive("undecided");
        coordinator.answerAll(decided);
        coordinator.stop();

        assertThat(fix()).isEqualTo(Map.of(TOPIC, 2L));
        assertThat(handingOver().hasReadAll(TOPIC)).isFalse();
        assertThat(handingOver().isDrained()).isFalse();

        coordinator.readAgain();
        assertThat(handingOver().hasReadAll(TOPIC)).isTrue();
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

        assertThat(coordinator.sent()).containsExactly(CoordinatorHarness.verifiedSent(asker, undecided, 0, null));
    }

    @Test
    void shouldReadAgainUpToWhatItFixedAfterARestart() {
        coordinator.arrive("a");
        DocumentRef b = coordinator.arrive("b");
        fix();
        coordinator.restart();

        assertThat(handingOver().current()).hasValue(new Handover(REQUEST, Map.of(TOPIC, 2L), false));
        assertThat(handingOver().hasReadAll(TOPIC)).isTrue();
        coordinator.answerAll(new DocumentRef(CoordinatorHarness.COORDINATOR, 0));
        assertThat(handingOver().isDrained()).isFalse();
        coordinator.answerAll(b);
        assertThat(handingOver().isDrained()).isTrue();
    }

    @Test
    void shouldNotWaitForWhatIsGoneFromTheInput() {
        coordinator.arrive("first, which waits");
        DocumentRef decided = coordinator.arrive("decided");
        coordinator.answerAll(decided);
        coordinator.stop();
        fix();
        assertThat(handingOver().isDrained()).isFalse();

        coordinator.role().leave(new InputOffset(TOPIC, 2));

        assertThat(handingOver().isDrained()).isTrue();
        assertThat(coordinator.state().hasOriginal(decided))
                .describedAs("it has not left")
                .isFalse();
        coordinator.stop();
        assertThat(handingOver().isDrained()).isTrue();
    }

    @Test
    void shouldGoOnFromWhatItFixedWhereThatIsUndone() {
        DocumentRef a = coordinator.arrive("a");
        fix();
        handingOver().resume();

        assertThat(handingOver().current()).isEmpty();
        assertThat(handingOver().isLeft(new InputOffset(TOPIC, 1))).isFalse();
        coordinator.answerAll(a);
        assertThat(handingOver().isDrained()).isFalse();
        coordinator.arrive("b");
        assertThat(handingOver().fix("another", List.of(TOPIC), topic -> 40).positions())
                .isEqualTo(Map.of(TOPIC, 2L));
    }

    @Test
    void shouldRememberWhereATopicBeginsThoughTheRequestWasUndone() {
        fix();
        handingOver().resume();
        coordinator.stop();
        handingOver().resume();

        assertThat(handingOver().beginnings()).isEqualTo(Map.of(TOPIC, 40L));
        assertThat(handingOver().fix("another", List.of(TOPIC), topic -> 50).positions())
                .isEqualTo(Map.of(TOPIC, 40L));
    }

    /** The successor is told of no position of it. */
    @Test
    void shouldLeaveATopicThatCameAfterItFixed() {
        fix();
        handingOver().noteEmpty();
        coordinator.stop();
        handingOver().takeFrom(List.of(TOPIC, "later"));

        assertThat(handingOver().isLeft(new InputOffset("later", 0))).isTrue();
        assertThat(handingOver().hasReadAll("later")).isTrue();
        assertThat(handingOver().isLeft(new InputOffset(TOPIC, 39))).isFalse();

        handingOver().resume();

        assertThat(handingOver().isLeft(new InputOffset("later", 0))).isFalse();
    }

    @Test
    void shouldNoteThatItIsEmptyOnce() {
        fix();
        handingOver().noteEmpty();
        coordinator.stop();

        assertThat(handingOver().current()).hasValue(new Handover(REQUEST, Map.of(TOPIC, 40L), true));
        assertThat(handingOver().isDrained()).isTrue();
    }
}
