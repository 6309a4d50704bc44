package io.neardup.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.lifecycle.Rights;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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

    static List<Arguments> denied() {
        return List.of(
                arguments(topics("documents"), "topic documents: expected that this user may READ, found"),
                arguments(topics("unique"), "topic unique: expected that this user may WRITE, DESCRIBE_CONFIGS, found"),
                arguments(
                        topics("news-lookups"),
                        "topic news-lookups: expected that this user may READ, WRITE, DELETE, ALTER_CONFIGS, found"),
                arguments(
                        new TopicAuthorizationException("denied"),
                        "topics of application.id news: expected that this user may do with them what the service"
                                + " needs, found TopicAuthorizationException: denied"),
                arguments(
                        GroupAuthorizationException.forGroupId("news"),
                        "group news: expected that this user may READ, found that it may not READ"),
                arguments(
                        new TransactionalIdAuthorizationException("denied"),
                        "transactional ids that begin with news-: expected that this user may WRITE"));
    }

    private static TopicAuthorizationException topics(String... topics) {
        return new TopicAuthorizationException(Set.of(topics));
    }

    @ParameterizedTest
    @MethodSource("denied")
    void shouldSayWhatIsNeededOfWhatIsDenied(RuntimeException cause, String needed) {
        assertThat(explained(cause)).startsWith(needed).contains("kafka-acls.sh");
    }

    @Test
    void shouldNameEveryTopicThatIsDenied() {
        assertThat(explained(topics("unique", "documents")).lines())
                .hasSize(3)
                .first()
                .asString()
                .startsWith("topic documents: ");
    }

    @Test
    void shouldLeaveOtherFailuresAsTheyAre() {
        IllegalStateException failure = new IllegalStateException(new IllegalArgumentException("other"));
        assertThat(access.explained(failure)).isSameAs(failure);
    }

    @Test
    void shouldNeedWhatTheChapterLists() throws IOException {
        NeardupConfig config = NeardupConfig.forCluster(
                new Settings().pairs(List.of("bootstrap.servers=" + NOWHERE, "application.id=news")));

        assertThat(AccessCheck.needed(config).stream().flatMap(right -> right.operations().stream()
                        .map(operation ->
                                right.resource() + " " + right.name() + " " + right.isPrefix() + " " + operation)))
                .containsExactlyInAnyOrderElementsOf(Rights.documented("news").stream()
                        .map(right -> right.pattern().resourceType() + " "
                                + right.pattern().name() + " "
                                + (right.pattern().patternType() == PatternType.PREFIXED) + " "
                                + right.entry().operation())
                        .toList());
    }

    private String explained(RuntimeException cause) {
        Throwable explained = access.explained(new IllegalStateException("stream thread", cause));
        assertThat(explained).isInstanceOf(StartupException.class);
        return String.valueOf(explained.getMessage());
    }
}
