package io.neardup.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.docs.Chapter;
import io.neardup.service.cluster.AccessCheck;
import io.neardup.service.cluster.AccessCheck.Right;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.SecurityUtils;
import org.junit.jupiter.api.Test;

/**
 * The file for Kubernetes is sound by the schema of its API, and fits the image and the service; that for Strimzi gives
 * what the service needs.
 */
class KubernetesTest {
    private static final Map<String, String> POD = Map.of("metadata.name", "neardup-1", "metadata.namespace", "space");

    /** What the API does not know, or misses, is an exception. */
    private interface Schema {
        void check(JsonElement object) throws IOException;
    }

    private static final Map<String, Schema> SCHEMAS = Map.of(
            "Service", V1Service::validateJsonElement,
            "PodDisruptionBudget", V1PodDisruptionBudget::validateJsonElement,
            "StatefulSet", V1StatefulSet::validateJsonElement);

    private static Map<String, JsonNode> objects() throws IOException {
        return Yaml.readAll("config/kubernetes.yaml").stream()
                .collect(Collectors.toMap(object -> object.get("kind").asText(), object -> object));
    }

    private static JsonNode object(String kind) throws IOException {
        return Objects.requireNonNull(objects().get(kind));
    }

    private static JsonNode set() throws IOException {
        return object("StatefulSet");
    }

    private static JsonNode pod() throws IOException {
        return set().at("/spec/template/spec");
    }

    private static JsonNode container() throws IOException {
        return pod().at("/containers/0");
    }

    private static void check(JsonNode object) throws IOException {
        Schema schema = Objects.requireNonNull(SCHEMAS.get(object.get("kind").asText()));
        schema.check(JsonParser.parseString(object.toString()));
    }

    @Test
    void shouldBeSoundByTheSchema() throws IOException {
        assertThat(objects().keySet()).isEqualTo(SCHEMAS.keySet());
        for (JsonNode object : objects().values()) {
            check(object);
        }
    }

    @Test
    void shouldSelectItsOwnPods() throws IOException {
        JsonNode labels = set().at("/spec/template/metadata/labels");

        assertThat(set().at("/spec/selector/matchLabels")).isEqualTo(labels);
        assertThat(object("Service").at("/spec/selector")).isEqualTo(labels);
        assertThat(object("PodDisruptionBudget").at("/spec/selector/matchLabels"))
                .isEqualTo(labels);
        assertThat(set().at("/spec/serviceName")).isEqualTo(object("Service").at("/metadata/name"));
    }

    @Test
    void shouldRunAsTheUserOfTheImageAndWriteToItsVolumeAlone() throws IOException {
        Dockerfile image = Dockerfile.read();
        JsonNode security = pod().get("securityContext");

        assertThat(image.only("USER")).isEqualTo(security.get("runAsUser") + ":" + security.get("runAsGroup"));
        assertThat(security.get("fsGroup")).isEqualTo(security.get("runAsGroup"));
        assertThat(container().at("/securityContext/readOnlyRootFilesystem").asBoolean())
                .isTrue();
        assertThat(Yaml.items(container().get("volumeMounts"))
                        .filter(mount -> !mount.path("readOnly").asBoolean())
                        .map(mount -> mount.get("mountPath").asText()))
                .containsExactly(image.only("VOLUME"));
        assertThat(container().at("/volumeMounts/0/name"))
                .isEqualTo(set().at("/spec/volumeClaimTemplates/0/metadata/name"));
    }

    @Test
    void shouldSetWhatTheServiceTakes() throws IOException {
        Map<String, String> environment = environment();
        NeardupConfig config = NeardupConfig.forCluster(new Settings().environment(environment));

        assertThat(config.httpListen().map(listen -> listen.port()))
                .contains(container().at("/ports/0/containerPort").asInt());
        assertThat(environment.get("NEARDUP_HTTP_TOKEN_FILE"))
                .startsWith(container().at("/volumeMounts/1/mountPath").asText() + "/");
        assertThat(pod().at("/volumes/0/name")).isEqualTo(container().at("/volumeMounts/1/name"));
    }

    @Test
    void shouldAnswerToTheNamesOfItsServiceAndPod() throws IOException {
        String service = object("Service").at("/metadata/name").asText();
        NeardupConfig config = NeardupConfig.forCluster(new Settings().environment(environment()));

        assertThat(config.httpHosts())
                .containsExactlyInAnyOrderElementsOf(Stream.of(service, POD.get("metadata.name") + "." + service)
                        .flatMap(name -> Stream.of("", ".space", ".space.svc", ".space.svc.cluster.local")
                                .map(name::concat))
                        .toList());
    }

    /** As a pod would have it: a variable refers to fields of the pod, or to variables before it. */
    private static Map<String, String> environment() throws IOException {
        Map<String, String> environment = new LinkedHashMap<>();
        for (JsonNode variable : Yaml.items(container().get("env")).toList()) {
            String field = variable.at("/valueFrom/fieldRef/fieldPath").asText();
            String value = variable.has("value")
                    ? variable.get("value").asText()
                    : Objects.requireNonNull(POD.get(field), field);
            for (Map.Entry<String, String> before : environment.entrySet()) {
                value = value.replace("$(" + before.getKey() + ")", before.getValue());
            }
            environment.put(variable.get("name").asText(), value);
        }
        return environment;
    }

    @Test
    void shouldProbeWhereTheImageAnswers() throws IOException {
        List<String> addresses = Chapter.read(Path.of("src/docs/reference.md")).table("http").stream()
                .map(row -> row.get(0).replace("`", ""))
                .toList();

        for (String probe : List.of("livenessProbe", "readinessProbe")) {
            JsonNode get = container().get(probe).get("httpGet");
            assertThat(addresses).contains(get.get("path").asText());
            assertThat(get.get("port")).isEqualTo(container().at("/ports/1/name"));
        }
        assertThat(container().at("/ports/1/containerPort").asText())
                .isEqualTo(Dockerfile.read().only("EXPOSE"));
    }

    /** The copy mounts the claim of its pod, and its probes would end it, as nothing answers them there. */
    @Test
    void shouldCopyAPodForCommandsToItsNodeAndWithoutItsProbes() throws IOException {
        assertThat(Yaml.texts(set().at("/spec/volumeClaimTemplates/0/spec/accessModes")))
                .containsExactly("ReadWriteOnce");
        assertThat(Files.readAllLines(Path.of("src/docs/runbook.md")).stream()
                        .filter(line -> line.contains("--copy-to=")))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).contains(" --same-node ", " --profile=restricted "));
    }

    // ---- the file for Strimzi, by what a start checks with the default settings

    private static final List<Right> NEEDED = AccessCheck.needed(
            NeardupConfig.forCluster(new Settings().pairs(List.of("bootstrap.servers=localhost:1"))));

    private static Stream<JsonNode> ofStrimzi(String kind) throws IOException {
        return Yaml.readAll("config/strimzi.yaml").stream()
                .filter(object -> object.get("kind").asText().equals(kind));
    }

    @Test
    void shouldHaveForStrimziEachTopicThatTheServiceIsGiven() throws IOException {
        assertThat(ofStrimzi("KafkaTopic")
                        .map(topic -> topic.at("/metadata/name").asText()))
                .containsExactlyElementsOf(NEEDED.stream()
                        .filter(right -> right.resource() == ResourceType.TOPIC && !right.isPrefix())
                        .map(Right::name)
                        .toList());
    }

    @Test
    void shouldHaveForStrimziTheRightsThatTheServiceNeeds() throws IOException {
        assertThat(ofStrimzi("KafkaUser")).singleElement().satisfies(user -> assertThat(
                        Yaml.items(user.at("/spec/authorization/acls")).map(KubernetesTest::right))
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
