package io.neardup.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.service.cluster.GroupStatus;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstancesTest {
    private static final long NOW = Long.MAX_VALUE - 5;
    private static final long LATER = NOW + TimeUnit.SECONDS.toNanos(40);

    private final Instances instances = new Instances();

    @Test
    void shouldTellWhoCameAndWent() {
        assertThat(instances.see(Set.of("a", "b"), NOW)).contains(new Instances.Change(Set.of("a", "b"), Set.of(), 2));
        assertThat(instances.see(Set.of("b", "a"), NOW)).isEmpty();
        assertThat(instances.see(Set.of("b", "c"), NOW)).contains(new Instances.Change(Set.of("c"), Set.of("a"), 2));
    }

    @Test
    void shouldTellForAWhileThatOneIsMissing() {
        instances.see(Set.of("a", "b"), NOW);
        assertThat(instances.fewer(NOW)).isEmpty();

        instances.see(Set.of("b"), NOW);

        assertThat(instances.fewer(LATER)).hasValueSatisfying(note -> assertThat(note)
                .startsWith("gone for 40 s: a; instances that are left: 1;"));
        assertThat(instances.fewer(NOW + TimeUnit.MINUTES.toNanos(11))).isEmpty();
    }

    /** As in a rolling restart. */
    @Test
    void shouldTellNoMoreOfOneWhomAnotherReplaces() {
        instances.see(Set.of("a", "b"), NOW);
        instances.see(Set.of("b"), NOW);
        instances.see(Set.of("b", "c"), NOW);

        assertThat(instances.fewer(LATER)).isEmpty();
    }

    @Test
    void shouldCountAllThatAreMissing() {
        instances.see(Set.of("a", "b", "c"), NOW);
        assertThat(instances.missing(NOW)).isZero();
        instances.see(Set.of("b", "c"), NOW);
        assertThat(instances.missing(NOW)).isOne();
        instances.see(Set.of("c"), LATER);

        assertThat(instances.missing(LATER)).isEqualTo(2);
        assertThat(instances.fewer(LATER).orElse("")).startsWith("gone for 0 s: a, b; instances that are left: 1;");

        instances.see(Set.of("a", "c"), LATER);
        assertThat(instances.missing(LATER)).isOne();
        assertThat(instances.fewer(LATER).orElse("")).startsWith("gone for 0 s: b; instances that are left: 2;");
        assertThat(instances.missing(LATER + TimeUnit.MINUTES.toNanos(11))).isZero();
    }

    /** As in a rolling restart, and where one is killed and started again. */
    @Test
    void shouldGiveThemTimeToComeBack() {
        instances.see(Set.of("a", "b"), NOW);
        instances.see(Set.of("b"), NOW);

        assertThat(instances.stayAway(NOW + TimeUnit.SECONDS.toNanos(29))).isFalse();
        assertThat(instances.stayAway(LATER)).isTrue();

        instances.see(Set.of("a", "b"), LATER);
        assertThat(instances.stayAway(LATER)).isFalse();
    }

    /** Whichever is heard of first: that it leaves, or that it has gone. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotMissWhoSaidThatItLeaves(boolean saysItFirst) {
        instances.see(Set.of("a at x", "b at y", "c at z"), NOW);
        if (saysItFirst) {
            instances.leave("b", NOW);
        }
        instances.see(Set.of("a at x", "c at z"), NOW);
        if (!saysItFirst) {
            instances.leave("b", NOW);
        }
        assertThat(instances.missing(LATER)).isZero();

        instances.see(Set.of("a at x"), LATER);

        assertThat(instances.missing(LATER)).isOne();
        assertThat(instances.fewer(LATER).orElse("")).startsWith("gone for 0 s: c at z; instances that are left: 1;");
    }

    @Test
    void shouldGoOnMissingOneWhereAnotherSaysThatItLeaves() {
        instances.see(Set.of("a at x", "b at y", "c at z"), NOW);
        instances.see(Set.of("a at x", "b at y"), NOW);
        instances.leave("b", NOW);
        instances.see(Set.of("a at x"), NOW);

        assertThat(instances.fewer(LATER).orElse("")).startsWith("gone for 40 s: c at z; instances that are left: 1;");
        instances.see(Set.of("a at x", "d at z"), LATER);
        assertThat(instances.missing(LATER)).isZero();
    }

    /** As with a client.id of one's own, which more than one may have. */
    @Test
    void shouldMissTheSecondOfANameWhereOneSaidThatItLeaves() {
        instances.see(Set.of("a at x", "b at y", "b at z"), NOW);
        instances.leave("b", NOW);
        instances.see(Set.of("a at x", "b at z"), NOW);
        instances.see(Set.of("a at x"), NOW);
        assertThat(instances.missing(LATER)).isOne();

        instances.see(Set.of("a at x", "b at y"), LATER);
        instances.leave("b", LATER);
        instances.see(Set.of("a at x"), LATER + TimeUnit.MINUTES.toNanos(6));
        assertThat(instances.missing(LATER + TimeUnit.MINUTES.toNanos(6))).isOne();
    }

    /** It keeps its name. */
    @Test
    void shouldMissWhoDiesAfterARestartThatNobodySaw() {
        instances.see(Set.of("a at x", "b at y"), NOW);
        instances.leave("b", NOW);
        instances.see(Set.of("a at x", "b at y"), NOW + TimeUnit.SECONDS.toNanos(30));
        instances.see(Set.of("a at x"), NOW + TimeUnit.SECONDS.toNanos(61));

        assertThat(instances.missing(NOW + TimeUnit.SECONDS.toNanos(61))).isOne();
    }

    @Test
    void shouldCallAnInstanceByWhatItsThreadsHaveInCommon() {
        assertThat(GroupStatus.instance("neardup-1234-StreamThread-2-consumer")).isEqualTo("neardup-1234");
        assertThat(GroupStatus.instance("other")).isEqualTo("other");
    }
}
