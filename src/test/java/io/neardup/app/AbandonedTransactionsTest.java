package io.neardup.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AbandonedTransactionsTest {
    private static final String ALIVE = "news-11111111-2222-3333-4444-555555555555";
    private static final String DEAD = "news-aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee";
    private static final List<String> MEMBERS =
            List.of(ALIVE + "-StreamThread-1-consumer", ALIVE + "-StreamThread-2-consumer");

    private final Admin admin = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:1"));
    private final AbandonedTransactions transactions = new AbandonedTransactions(admin, "news");

    @AfterEach
    void close() {
        admin.close();
    }

    @Test
    void shouldFindTheTransactionsOfInstancesThatAreNoMembers() {
        assertThat(transactions.abandoned(Set.of(DEAD + "-1", DEAD + "-12", ALIVE + "-1"), MEMBERS))
                .containsExactlyInAnyOrder(DEAD + "-1", DEAD + "-12");
    }

    @Test
    void shouldLeaveThoseOfOtherApplicationsAlone() {
        assertThat(transactions.abandoned(Set.of("news-2-" + DEAD.substring(5) + "-1", "newsroom", "x-1"), MEMBERS))
                .isEmpty();
    }

    @Test
    void shouldTellNothingWhereAMemberCannotBeToldApart() {
        assertThat(transactions.abandoned(Set.of(DEAD + "-1"), List.of(MEMBERS.get(0), "mine-StreamThread-1-consumer")))
                .isEmpty();
    }

    @Test
    void shouldTellNothingOfAGroupWithoutMembers() {
        assertThat(transactions.abandoned(Set.of(DEAD + "-1"), List.of())).isEmpty();
    }
}
