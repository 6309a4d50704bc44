package io.neardup.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AbandonedTransactionsTest {
    private static final String ALIVE = "news-11111111-2222-3333-4444-555555555555";
    private static final String DEAD = "news-aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee";
    private static final List<String> MEMBERS =
            List.of(ALIVE + "-StreamThread-1-consumer", ALIVE + "-StreamThread-2-consumer");

    /**
     * Transactional ids, members beside one of a living instance, and what is abandoned. ALIVE and DEAD stand for the
     * ids of instances.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            DEAD-1 DEAD-12 ALIVE-1 | ALIVE-StreamThread-2-consumer | DEAD-1 DEAD-12
            # Of other applications.
            news-2-aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee-1 newsroom x-1 | ALIVE-StreamThread-2-consumer | ''
            # As a check at the start of the application news-UUID has, and as nobody knows who else.
            DEAD-start DEAD-1-2 DEAD-1x DEAD- DEAD | ALIVE-StreamThread-2-consumer | ''
            # A member that cannot be told apart, or is no thread.
            DEAD-1 | mine-StreamThread-1-consumer | ''
            DEAD-1 | ALIVE-StreamThread-1 | ''
            DEAD-1 | ALIVE-StreamThread-x-consumer | ''
            DEAD-1 | ALIVE-StreamThread-1-restore-consumer | ''
            DEAD-1 | ALIVE | ''
            """)
    void shouldFindTheTransactionsOfInstancesThatAreNoMembers(String ids, String member, String expected) {
        assertThat(abandoned(
                        Set.copyOf(named(ids)),
                        List.of(MEMBERS.get(0), named(member).get(0))))
                .containsExactlyInAnyOrderElementsOf(named(expected));
    }

    private static List<String> named(String ids) {
        return Stream.of(ids.replace("ALIVE", ALIVE).replace("DEAD", DEAD).split(" ", -1))
                .filter(id -> !id.isEmpty())
                .toList();
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
    void shouldRefuseAClientIdThatLooksAsIfKafkaStreamsHadMadeIt() {
        assertThat(problemsWith("news-99999999-2222-3333-4444-555555555555"))
                .singleElement()
                .asString()
                .startsWith("client.id: expected no value of the form application.id-UUID, found ");
    }

    private static List<String> problemsWith(String clientId) {
        List<String> pairs =
                List.of("bootstrap.servers=localhost:9092", "application.id=news", "client.id=" + clientId);
        return StreamsSettings.problems(NeardupConfig.of(new Settings().pairs(pairs)));
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
}
