package io.neardup.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.cluster.AccessCheck;
import io.neardup.service.cluster.AccessCheck.Right;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.SecurityUtils;
import org.junit.jupiter.api.Test;

/** The file for Strimzi gives what a start checks with the default settings. */
class StrimziTest {
    private static final List<Right> NEEDED = AccessCheck.needed(
            NeardupConfig.forCluster(new Settings().pairs(List.of("bootstrap.servers=localhost:1"))));

    private static Stream<JsonNode> objects(String kind) throws IOException {
        return Yaml.readAll("config/strimzi.yaml").stream()
                .filter(object -> object.get("kind").asText().equals(kind));
    }

    @Test
    void shouldHaveEachTopicThatTheServiceIsGiven() throws IOException {
        assertThat(objects("KafkaTopic").map(topic -> topic.at("/metadata/name").asText()))
                .containsExactlyElementsOf(NEEDED.stream()
                        .filter(right -> right.resource() == ResourceType.TOPIC && !right.isPrefix())
                        .map(Right::name)
                        .toList());
    }

    @Test
    void shouldHaveTheRightsThatTheServiceNeeds() throws IOException {
        assertThat(objects("KafkaUser")).singleElement().satisfies(user -> assertThat(
                        Yaml.items(user.at("/spec/authorization/acls")).map(StrimziTest::right))
                .containsExactlyElementsOf(NEEDED));
    }

    private static Right right(JsonNode acl) {
        JsonNode resource = acl.get("resource");
        return new Right(
                SecurityUtils.resourceType(resource.get("type").asText()),
                resource.get("name").asText(),
                resource.get("patternType").asText().equals("prefix"),
                Yaml.texts(acl.get("operations")).stream()
                        .map(SecurityUtils::operation)
                        .collect(Collectors.toSet()));
    }
}
