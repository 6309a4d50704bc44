package io.neardup.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessCheckTest {
    private static final String NOWHERE = "127.0.0.1:1";

    /** Nothing is asked of it. */
    private final Admin admin = Admin.create(Map.of("bootstrap.servers", NOWHERE));

    private final AccessCheck access = new AccessCheck(
            new ClusterAdmin(admin, NOWHERE),
            NeardupConfig.forCluster(
                    new Settings().pairs(List.of("bootstrap.servers=" + NOWHERE, "application.id=news"))));

    @AfterEach
    void close() {
        admin.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "documents | READ",
                "unique | WRITE, DESCRIBE_CONFIGS",
                "dead-letter | WRITE, DESCRIBE_CONFIGS",
                "news-lookups | READ, WRITE, DELETE, ALTER_CONFIGS",
                "news-originals-changelog | READ, WRITE, DELETE, ALTER_CONFIGS",
            })
    void shouldSayWhatIsNeededOfATopicThatIsDenied(String topic, String needed) {
        assertThat(explained(new TopicAuthorizationException(Set.of(topic))))
                .contains("topic " + topic + ": expected that this user may " + needed + ", found that not all of it");
    }

    @Test
    void shouldNameEveryTopicThatIsDenied() {
        assertThat(explained(new TopicAuthorizationException(Set.of("unique", "documents")))
                        .lines())
                .hasSize(3)
                .first()
                .asString()
                .startsWith("topic documents: ");
    }

    @Test
    void shouldNameTheApplicationWhereNoTopicIsTold() {
        assertThat(explained(new TopicAuthorizationException("denied")))
                .startsWith("topics of application.id news: expected")
                .contains("found TopicAuthorizationException: denied")
                .contains("kafka-acls.sh");
    }

    @Test
    void shouldSayWhatIsNeededOfTheGroupAndOfTransactionalIds() {
        assertThat(explained(GroupAuthorizationException.forGroupId("news")))
                .startsWith("group news: expected that this user may READ, found that it may not READ");
        assertThat(explained(new TransactionalIdAuthorizationException("denied")))
                .startsWith("transactional ids that begin with news-: expected that this user may WRITE");
    }

    @Test
    void shouldLeaveOtherFailuresAsTheyAre() {
        IllegalStateException failure = new IllegalStateException(new IllegalArgumentException("other"));
        assertThat(access.explained(failure)).isSameAs(failure);
    }

    private String explained(RuntimeException cause) {
        Throwable explained = access.explained(new IllegalStateException("stream thread", cause));
        assertThat(explained).isInstanceOf(StartupException.class);
        return String.valueOf(explained.getMessage());
    }
}
