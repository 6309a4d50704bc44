package io.neardup.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class GroupUnrestTest {
    private static final Set<String> BOTH = Set.of("a", "b");
    private static final long START = Long.MAX_VALUE - 5;
    private static final long LATER = START + GroupUnrest.LASTING_NANOS;

    private final GroupUnrest unrest = new GroupUnrest();

    @Test
    void shouldTakeTheFirstMembersForAChangeUntilTheTimeHasPassed() {
        assertThat(unrest.isUnsettled(BOTH, true, START)).isTrue();
        assertThat(unrest.isUnsettled(BOTH, true, LATER - 1)).isTrue();
        assertThat(unrest.isUnsettled(BOTH, true, LATER)).isFalse();
    }

    @Test
    void shouldBeUnsettledAgainWhereOneHasLeft() {
        unrest.isUnsettled(BOTH, true, START);

        assertThat(unrest.isUnsettled(Set.of("a"), true, LATER)).isTrue();
        assertThat(unrest.isUnsettled(Set.of("a"), true, LATER + GroupUnrest.LASTING_NANOS))
                .isFalse();
    }

    @Test
    void shouldBeUnsettledWhileTheGroupIsNotStable() {
        unrest.isUnsettled(BOTH, true, START);

        assertThat(unrest.isUnsettled(BOTH, false, LATER)).isTrue();
        assertThat(unrest.isUnsettled(BOTH, true, LATER + 1)).isTrue();
    }

    @Test
    void shouldBeUnsettledAfterTheGroupCouldNotBeSeen() {
        unrest.isUnsettled(BOTH, true, START);
        unrest.forget();

        assertThat(unrest.isUnsettled(BOTH, true, LATER)).isTrue();
    }

    @Test
    void shouldFindNothingInAGroupWithoutMembers() {
        assertThat(unrest.isUnsettled(Set.of(), false, START)).isFalse();
    }
}
