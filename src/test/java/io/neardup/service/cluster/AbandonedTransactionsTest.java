package io.neardup.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.cluster.AbandonedTransactions.MembershipChanges;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** Kafka Streams makes transactional ids of a process id of its own, whatever client.id is. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "news-99999999-2222-3333-4444-555555555555-StreamThread-1-consumer",
                "news-99999999-2222-3333-4444-55555555555A",
                "other-99999999-2222-3333-4444-555555555555",
                "99999999-2222-3333-4444-555555555555",
                "news",
                "mine"
            })
    void shouldEndNothingOfALivingInstanceWhoseClientIdIsNotRefused(String clientId) {
        assertThat(problemsWith(clientId)).isEmpty();

        assertThat(abandoned(Set.of(ALIVE + "-1"), List.of(clientId + "-StreamThread-1-consumer")))
                .isEmpty();
    }

    @Test
    void shouldSayWhyAClientIdIsRefused() {
        String clientId = "news-99999999-2222-3333-4444-555555555555";

        assertThat(problemsWith(clientId))
                .containsExactly("client.id: expected another form than the application.id and a UUID, which the others"
                        + " would take for an id that Kafka Streams made, and end this instance's transactions; found "
                        + clientId + ": leave the key out, or give it another form");
    }

    private static List<String> problemsWith(String clientId) {
        List<String> pairs =
                List.of("bootstrap.servers=localhost:9092", "application.id=news", "client.id=" + clientId);
        return StreamsSettings.problems(NeardupConfig.of(new Settings().pairs(pairs)));
    }

    /** As a check at the start of the application news-UUID has, and as nobody knows who else. */
    @ParameterizedTest
    @ValueSource(strings = {"-start", "-1-2", "-1x", "-", ""})
    void shouldLeaveAloneWhatIsNoTransactionOfAThread(String behind) {
        assertThat(abandoned(Set.of(DEAD + behind), MEMBERS)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-StreamThread-1", "-StreamThread-x-consumer", "-StreamThread-1-restore-consumer", ""})
    void shouldTellNothingWhereAMemberIsNoThread(String behind) {
        assertThat(abandoned(Set.of(DEAD + "-1"), List.of(MEMBERS.get(0), ALIVE + behind)))
                .isEmpty();
    }

    /** It is the prefix of its own ids, and those of the application news begin alike. */
    @Test
    void shouldTellApplicationsApartThatEndWithAUuid() {
        String application = ALIVE;
        String process = application + DEAD.substring("news".length());
        List<String> members = List.of(process + "-StreamThread-1-consumer");
        Set<String> ids = Set.of(process + "-1", DEAD + "-1", application + "-1");

        assertThat(AbandonedTransactions.abandoned(application, ids, members)).isEmpty();
        assertThat(abandoned(Set.of(process + "-1"), MEMBERS)).isEmpty();
    }

    private static Set<String> abandoned(Set<String> transactionalIds, List<String> clientIds) {
        return AbandonedTransactions.abandoned("news", transactionalIds, clientIds);
    }

    /** When it is looked for transactions at all. */
    @Nested
    class OfAGroup {
        private static final Set<String> BOTH = Set.of("a", "b");
        private static final long START = Long.MAX_VALUE - 5;
        private static final long LATER = START + MembershipChanges.LASTING_NANOS;

        private final MembershipChanges membership = new MembershipChanges();

        @Test
        void shouldTakeTheFirstMembersForAChangeUntilTheTimeHasPassed() {
            assertThat(membership.hasChanged(BOTH, true, START)).isTrue();
            assertThat(membership.hasChanged(BOTH, true, LATER - 1)).isTrue();
            assertThat(membership.hasChanged(BOTH, true, LATER)).isFalse();
        }

        @Test
        void shouldBeUnsettledAgainWhereOneHasLeft() {
            membership.hasChanged(BOTH, true, START);

            assertThat(membership.hasChanged(Set.of("a"), true, LATER)).isTrue();
            assertThat(membership.hasChanged(Set.of("a"), true, LATER + MembershipChanges.LASTING_NANOS))
                    .isFalse();
        }

        @Test
        void shouldBeUnsettledWhileTheGroupIsNotStable() {
            membership.hasChanged(BOTH, true, START);

            assertThat(membership.hasChanged(BOTH, false, LATER)).isTrue();
            assertThat(membership.hasChanged(BOTH, true, LATER + 1)).isTrue();
        }

        @Test
        void shouldBeUnsettledAfterTheGroupCouldNotBeSeen() {
            membership.hasChanged(BOTH, true, START);
            membership.forget();

            assertThat(membership.hasChanged(BOTH, true, LATER)).isTrue();
        }

        @Test
        void shouldFindNothingInAGroupWithoutMembers() {
            assertThat(membership.hasChanged(Set.of(), false, START)).isFalse();
        }
    }
}
