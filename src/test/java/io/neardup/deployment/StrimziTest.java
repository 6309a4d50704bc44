package io.neardup.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.cluster.AccessCheck;
import io.neardup.service.cluster.AccessCheck.Right;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;

/** The file for Strimzi gives what a start checks. Run with {@code -Dsettings.write=true} to renew it. */
class StrimziTest {
    private static final Path FILE = Path.of("config", "strimzi.yaml");

    private static final String HEAD = """
            # The topics that the service is given, and its user, for Strimzi's operators: what its start checks, for
            # the default settings. Generated: mvn -q -Pquick test -Dtest=StrimziTest -Dsettings.write=true
            #
            # - strimzi.io/cluster is the name of your Kafka, which needs spec.kafka.authorization.type simple, a
            #   listener with authentication scram-sha-512, and both operators (spec.entityOperator).
            # - The service makes its own topics, neardup-*, and sets them right: they are no KafkaTopic, so that nobody
            #   else does.
            # - Another application.id, or other topics: change the names in both places.
            # - Strimzi before 0.49 has apiVersion kafka.strimzi.io/v1beta2, with the same fields.
            """;

    private static final String TOPIC = """
            ---
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata:
              name: %s
              labels:
                strimzi.io/cluster: my-cluster
            spec:
              partitions: 6
              replicas: 3
              config:
                min.insync.replicas: 2
            """;

    private static final String USER = """
            ---
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata:
              name: neardup
              labels:
                strimzi.io/cluster: my-cluster
            spec:
              authentication:
                type: scram-sha-512
              authorization:
                type: simple
                acls:
            """;

    private static final String ACL = """
                  - resource:
                      type: %s
                      name: %s
                      patternType: %s
                    operations: [%s]
            """;

    @Test
    void shouldHaveATopicAndTheRightsForAllThatTheServiceIsGiven() throws IOException {
        String wanted = file(AccessCheck.needed(
                NeardupConfig.forCluster(new Settings().pairs(List.of("bootstrap.servers=localhost:1")))));
        if (Boolean.getBoolean("settings.write")) {
            Files.writeString(FILE, wanted);
        }

        assertThat(Files.readString(FILE)).isEqualTo(wanted);
        assertThat(Yaml.readAll(FILE.toString()))
                .extracting(object -> object.path("kind").asText())
                .containsExactly("KafkaTopic", "KafkaTopic", "KafkaTopic", "KafkaTopic", "KafkaUser");
    }

    private static String file(List<Right> rights) {
        StringBuilder file = new StringBuilder(HEAD);
        rights.stream()
                .filter(right -> right.resource() == ResourceType.TOPIC && !right.isPrefix())
                .forEach(right -> file.append(TOPIC.formatted(right.name())));
        file.append(USER);
        rights.forEach(right -> file.append(ACL.formatted(
                decapitalized(camel(right.resource().name())),
                right.name(),
                right.isPrefix() ? "prefix" : "literal",
                right.operations().stream()
                        .map(operation -> camel(operation.name()))
                        .collect(Collectors.joining(", ")))));
        return file.toString();
    }

    /** As the schema of KafkaUser spells what Kafka calls {@code DESCRIBE_CONFIGS}. */
    private static String camel(String name) {
        return Arrays.stream(name.split("_", -1))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }

    private static String decapitalized(String name) {
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }
}
