package io.neardup.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Compose file names what there is. An engine, which knows its keys, is not at hand in tests. */
class ComposeTest {
    private static final String INSTANCE = "neardup";

    private static JsonNode file() throws IOException {
        return Yaml.read("docker/compose.yaml");
    }

    private static JsonNode service(String name) throws IOException {
        return file().get("services").get(name);
    }

    private static List<JsonNode> services() throws IOException {
        return Yaml.items(file().get("services")).toList();
    }

    private static List<JsonNode> instances() throws IOException {
        JsonNode feed = service("feed");
        return services().stream()
                .filter(service -> service.get("image").asText().equals(INSTANCE) && !service.equals(feed))
                .toList();
    }

    @Test
    void shouldNameServicesVolumesAndSecretsThatThereAre() throws IOException {
        List<String> names = Yaml.names(file().get("services")).toList();

        assertThat(services()).allSatisfy(service -> {
            JsonNode dependencies = service.path("depends_on");
            assertThat(dependencies.isArray() ? Yaml.texts(dependencies).stream() : Yaml.names(dependencies))
                    .isSubsetOf(names);
            assertThat(Yaml.texts(service.path("secrets")))
                    .isSubsetOf(Yaml.names(file().get("secrets")).toList());
            assertThat(sources(service)).allSatisfy(source -> assertThat(
                            source.startsWith(".")
                                    ? Files.exists(Path.of("docker").resolve(source))
                                    : file().get("volumes").has(source))
                    .as(source)
                    .isTrue());
        });
    }

    private static Stream<String> sources(JsonNode service) {
        return Yaml.texts(service.path("volumes")).stream().map(volume -> volume.split(":", -1)[0]);
    }

    @Test
    void shouldPinTheVersionsOfWhatIsNotBuiltHere() throws IOException {
        assertThat(services().stream().map(service -> service.get("image").asText()))
                .allSatisfy(image -> assertThat(image).matches(INSTANCE + "|[a-z/]+:v?\\d+\\.\\d+\\.\\d+"));
        assertThat(service("broker").get("image").asText())
                .isEqualTo("apache/kafka:" + org.apache.kafka.common.utils.AppInfoParser.getVersion());
    }

    @Test
    void shouldRunTwoInstancesWithSettingsThatTheServiceTakes() throws IOException {
        assertThat(instances()).hasSize(2).allSatisfy(instance -> {
            Map<String, String> environment = Yaml.map(instance.get("environment"));
            NeardupConfig config = NeardupConfig.forCluster(new Settings().environment(environment));
            assertThat(config.bootstrapServers()).contains("broker:9092");
            assertThat(config.httpHosts())
                    .containsExactlyElementsOf(Yaml.names(file().get("services"))
                            .filter(name -> name.startsWith(INSTANCE))
                            .toList());
            assertThat(environment).containsEntry("NEARDUP_HTTP_TOKEN_FILE", "/run/secrets/token");
        });
    }

    @Test
    void shouldGiveEachInstanceAVolumeOfItsOwnAndNothingElseToWriteTo() throws IOException {
        String state = Dockerfile.read().only("VOLUME");

        assertThat(instances()).allSatisfy(instance -> {
            assertThat(instance.get("read_only").asBoolean()).isTrue();
            assertThat(Yaml.texts(instance.get("volumes")))
                    .singleElement()
                    .asString()
                    .endsWith(":" + state);
        });
        assertThat(instances().stream().flatMap(ComposeTest::sources)).doesNotHaveDuplicates();
    }

    /** One that only lives may have made none of them. */
    @Test
    void shouldLetOthersWaitUntilTheTopicsAreThere() throws IOException {
        assertThat(service("neardup-2").at("/depends_on/neardup-1/condition").asText())
                .isEqualTo("service_healthy");
        assertThat(Yaml.texts(service("neardup-1").at("/healthcheck/test")))
                .containsExactly("CMD", "/opt/neardup/health.sh", "ready");
        assertThat(Files.readString(Path.of("docker/Dockerfile"))).contains("health.sh /opt/neardup/health.sh\n");
    }

    @Test
    void shouldFeedTheFileThatItMountsWhereThatIsAskedFor() throws IOException {
        JsonNode feed = service("feed");

        assertThat(Yaml.texts(feed.get("profiles"))).isNotEmpty();
        assertThat(Yaml.texts(feed.get("volumes")).get(0))
                .contains(":" + feed.at("/command/1").asText() + ":");
        assertThat(NeardupConfig.forCluster(new Settings().environment(Yaml.map(feed.get("environment"))))
                        .bootstrapServers())
                .contains("broker:9092");
    }

    @ParameterizedTest
    @ValueSource(strings = {"neardup-1", "neardup-2"})
    void shouldBeScraped(String instance) throws IOException {
        JsonNode job = Yaml.read("docker/prometheus/prometheus.yaml").at("/scrape_configs/0");

        assertThat(job.get("job_name").asText()).isEqualTo("neardup");
        assertThat(Yaml.texts(job.at("/static_configs/0/targets"))).contains(instance + ":8080");
        assertThat(service(instance).at("/environment/NEARDUP_HTTP_LISTEN").asText())
                .isEqualTo("0.0.0.0:8080");
    }
}
