package io.neardup.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AbandonedTransactionsTest {
    private static final String ALIVE = "news-11111111-2222-3333-4444-555555555555";
    private static final String DEAD = "news-aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee";
    private static final List<String> MEMBERS =
            List.of(ALIVE + "-StreamThread-1-consumer", ALIVE + "-StreamThread-2-consumer");

    @Test
    void shouldFindTheTransactionsOfInstancesThatAreNoMembers() {
        assertThat(abandoned(Set.of(DEAD + "-1", DEAD + "-12", ALIVE + "-1"), MEMBERS))
                .containsExactlyInAnyOrder(DEAD + "-1", DEAD + "-12");
    }

    @Test
    void shouldLeaveThoseOfOtherApplicationsAlone() {
        assertThat(abandoned(Set.of("news-2-" + DEAD.substring(5) + "-1", "newsroom", "x-1"), MEMBERS))
                .isEmpty();
    }

    @Test
    void shouldTellNothingWhereAMemberCannotBeToldApart() {
        assertThat(abandoned(Set.of(DEAD + "-1"), List.of(MEMBERS.get(0), "mine-StreamThread-1-consumer")))
                .isEmpty();
    }

    @Test
    void shouldTellNothingOfAGroupWithoutMembers() {
        assertThat(abandoned(Set.of(DEAD + "-1"), List.of())).isEmpty();
    }

    private static Set<String> abandoned(Set<String> transactionalIds, List<String> clientIds) {
        return AbandonedTransactions.abandoned("news", transactionalIds, clientIds);
    }
}
