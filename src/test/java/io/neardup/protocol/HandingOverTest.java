package io.neardup.protocol;

import static io.neardup.protocol.HomeHarness.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.protocol.StepBounds.Slice;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a home leaves to a successor, and when it is empty. */
class HandingOverTest {
    private static final String REQUEST = "request";

    private final HomeHarness home = new HomeHarness();

    private HandingOver handingOver() {
        return home.role().handingOver();
    }

    private Map<String, Long> fix() {
        return handingOver().fix(REQUEST, List.of(TOPIC), topic -> 40).positions();
    }

    @Test
    void shouldLeaveWhatLiesBehindAllThatItHasTaken() {
        home.arrive("a");
        home.arrive("b");

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
        Ref a = home.arrive("a");
        fix();
        assertThat(handingOver().isDrained()).isFalse();

        home.answerAll(a);

        assertThat(handingOver().isDrained()).isTrue();
    }

    @Test
    void shouldNotBeDrainedBeforeATombstoneHasTakenBackAll() {
        home.withOriginalsAStep(new Slice(1, 1 << 20));
        RecordKey key = new RecordKey(1, 1);
        home.origin("a", key, 0);
        home.origin("b", key, 0);
        home.original("a");
        home.original("b");
        home.takeBack("tombstone", key);
        fix();

        assertThat(home.namesReleased()).containsExactly("tombstone");
        assertThat(handingOver().isDrained()).isFalse();

        while (home.expire()) {
            assertThat(handingOver().isDrained()).isFalse();
        }
        assertThat(handingOver().isDrained()).isTrue();
    }

    /** It may be an original by now: a successor that has it for one would find the record itself a duplicate of it. */
    @Test
    void shouldKeepWhatAnEarlierLifeDecidedThoughItHasNotLeft() {
        home.arrive("first, which waits");
        Ref decided = home.arrive("decided");
        home.arrive("undecided");
        home.answerAll(decided);
        home.stop();

        assertThat(fix()).isEqualTo(Map.of(TOPIC, 2L));
        assertThat(handingOver().hasReadAll(TOPIC)).isFalse();
        assertThat(handingOver().isDrained()).isFalse();

        home.readAgain();
        assertThat(handingOver().hasReadAll(TOPIC)).isTrue();
    }

    @Test
    void shouldLetNobodyWaitForWhatItLeaves() {
        home.similar("undecided", "younger", 0.9);
        Ref undecided = home.arrive("undecided");
        home.stop();
        Ref asker = new Ref(0, 7);
        home.verify(asker, home.nowMillis() + 1, "younger", undecided);
        assertThat(home.sent()).isEmpty();

        fix();
        home.pass(1_000);

        assertThat(home.sent()).containsExactly(HomeHarness.verifiedSent(asker, undecided, 0, null));
    }

    @Test
    void shouldReadAgainUpToWhatItFixedAfterARestart() {
        home.arrive("a");
        Ref b = home.arrive("b");
        fix();
        home.restart();

        assertThat(handingOver().current()).hasValue(new Handover(REQUEST, Map.of(TOPIC, 2L), false));
        assertThat(handingOver().hasReadAll(TOPIC)).isTrue();
        home.answerAll(new Ref(HomeHarness.HOME, 0));
        assertThat(handingOver().isDrained()).isFalse();
        home.answerAll(b);
        assertThat(handingOver().isDrained()).isTrue();
    }

    @Test
    void shouldNotWaitForWhatIsGoneFromTheInput() {
        home.arrive("first, which waits");
        Ref decided = home.arrive("decided");
        home.answerAll(decided);
        home.stop();
        fix();
        assertThat(handingOver().isDrained()).isFalse();

        home.role().leave(new InputOffset(TOPIC, 2));

        assertThat(handingOver().isDrained()).isTrue();
        assertThat(home.state().hasOriginal(decided))
                .describedAs("it has not left")
                .isFalse();
        home.stop();
        assertThat(handingOver().isDrained()).isTrue();
    }

    @Test
    void shouldGoOnFromWhatItFixedWhereThatIsUndone() {
        Ref a = home.arrive("a");
        fix();
        handingOver().resume();

        assertThat(handingOver().current()).isEmpty();
        assertThat(handingOver().isLeft(new InputOffset(TOPIC, 1))).isFalse();
        home.answerAll(a);
        assertThat(handingOver().isDrained()).isFalse();
        home.arrive("b");
        assertThat(handingOver().fix("another", List.of(TOPIC), topic -> 40).positions())
                .isEqualTo(Map.of(TOPIC, 2L));
    }

    @Test
    void shouldRememberWhereATopicBeginsThoughTheRequestWasUndone() {
        fix();
        handingOver().resume();
        home.stop();
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
        home.stop();
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
        home.stop();

        assertThat(handingOver().current()).hasValue(new Handover(REQUEST, Map.of(TOPIC, 40L), true));
        assertThat(handingOver().isDrained()).isTrue();
    }
}
