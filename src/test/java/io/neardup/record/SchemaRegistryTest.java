package io.neardup.record;

import static io.neardup.testing.World.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.record.Rejection.RejectedException;
import io.neardup.testing.RegistryServer;
import io.neardup.testing.SecuredBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaRegistryTest {
    private static final String AUTHOR = "{\"type\":\"record\",\"name\":\"Author\",\"namespace\":\"n\",\"fields\":["
            + "{\"name\":\"s\",\"type\":\"string\"}]}";

    private static final String GUID = "guids/00000000-0000-0001-0000-000000000002";

    private volatile long skippedNanos;
    private RegistryServer server;
    private SchemaRegistry registry;

    @BeforeEach
    void start() throws IOException {
        server = new RegistryServer();
        registry = new SchemaRegistry(server.url() + "/", null, null, () -> System.nanoTime() + skippedNanos);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void shouldFetchASchemaOnceWithAllThatItRefersTo() throws Exception {
        String pair = "{\"type\":\"record\",\"name\":\"Pair\",\"namespace\":\"n\",\"fields\":["
                + "{\"name\":\"a\",\"type\":\"n.Author\"}]}";
        server.version("author", 3, AUTHOR);
        server.version("pair of/them", 1, pair, List.of("n.Author", "author", "3"));
        server.schema(
                "ids/7",
                "{\"type\":\"record\",\"name\":\"All\",\"fields\":["
                        + "{\"name\":\"one\",\"type\":\"n.Author\"},{\"name\":\"both\",\"type\":\"n.Pair\"}]}",
                List.of("n.Pair", "pair of/them", "1"),
                List.of("n.Author", "author", "3"));

        Schema all = registry.schema("ids/7");

        assertThat(all.getField("both").schema().getField("a").schema().getFullName())
                .isEqualTo("n.Author");
        assertThat(registry.schema("ids/7")).isSameAs(all);
        assertThat(server.asked())
                .containsExactly("/schemas/ids/7", "/subjects/pair of/them/versions/1", "/subjects/author/versions/3");
    }

    /** A registry takes such a schema: of a name that is referred to twice, the first counts. */
    @Test
    void shouldTakeTheFirstOfTwoVersionsOfOneName() throws Exception {
        server.version("author", 3, AUTHOR);
        server.version("author", 4, AUTHOR.replace("\"s\"", "\"t\""));
        server.version("pair", 1, "{\"type\":\"array\",\"items\":\"n.Author\"}", List.of("n.Author", "author", "4"));
        server.schema(
                "ids/7",
                "{\"type\":\"map\",\"values\":\"n.Author\"}",
                List.of("n.Author", "author", "3"),
                List.of("pair", "pair", "1"));

        assertThat(registry.isKnownElseFetch("ids/7")).isFalse();
        await().atMost(PATIENCE).until(() -> registry.isKnown("ids/7"));
        assertThat(registry.schema("ids/7").getValueType().getField("s")).isNotNull();
    }

    @Test
    void shouldTakeItsWordAloneThatAnIdIsUnknownOrNotInAvro() {
        server.schemaOfType("ids/8", "PROTOBUF", "syntax = \"proto3\";");
        server.schema("ids/9", "{\"type\":\"none\"}");
        assertThat(reason("ids/6")).isEqualTo(Reason.UNKNOWN_SCHEMA);
        assertThat(reason("ids/8")).isEqualTo(Reason.NOT_AVRO);
        assertThat(reason("ids/9")).isEqualTo(Reason.NOT_AVRO);
        assertThat(registry.problem()).isEmpty();
    }

    /** Registries before Confluent's 8 and of others know ids alone. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{\"error_code\":404}", "<html>", "''"})
    void shouldHaveNoSchemaOfAGuidWhereTheRegistryHasNoAddressForIt(String body) {
        server.lackGuids(body);
        assertThat(registry.isKnownElseFetch(GUID)).isFalse();
        await().until(() -> registry.isKnown(GUID) || registry.problem().isPresent());
        assertThat(registry.problem()).isEmpty();
        assertThat(reason(GUID)).isEqualTo(Reason.UNKNOWN_SCHEMA);
    }

    private Reason reason(String schema) {
        try {
            throw new AssertionError(registry.schema(schema));
        } catch (RejectedException e) {
            return e.rejection(null).reason();
        }
    }

    /** An address that is wrong, a proxy in between, a right that is missing, a schema that refers to nothing. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ids/7 | 404 | {\"error_code\":40401}",
                "ids/7 | 404 | <html>",
                "ids/7 | 401 | {\"error_code\":40403}",
                "ids/7 | 403 | {\"error_code\":40301}",
                "ids/7 | 500 | {\"error_code\":50001}",
                "ids/7 | 200 | <html>",
                "ids/7 | 200 | {}",
                "ids/7 | 302 | {}",
                GUID + " | 404 | {\"error_code\":40401}",
                GUID + " | 404 | <html>",
            })
    void shouldGoOnAskingAfterWhateverElseGoesWrong(String id, int status, String body) throws Exception {
        server.schema(id, AUTHOR);
        server.failWith(status, body);
        assertThat(registry.isKnownElseFetch(id)).isFalse();
        await().atMost(PATIENCE).until(() -> registry.problem().isPresent());
        assertThat(registry.problem().orElseThrow()).contains(server.url() + "/schemas/" + id);
        assertThat(registry.isKnown(id)).isFalse();

        server.failWith(0, "");
        await().atMost(PATIENCE).until(() -> registry.isKnownElseFetch(id));
        assertThat(registry.problem()).isEmpty();
        assertThat(registry.schema(id).getName()).isEqualTo("Author");
    }

    /** Records that were let through by an answer may still wait in Streams as it is asked for anew. */
    @Test
    void shouldKeepAnAnswerUntilABetterOneComes() throws Exception {
        await().atMost(PATIENCE).until(() -> registry.isKnownElseFetch("ids/6"));
        skippedNanos = TimeUnit.SECONDS.toNanos(61);
        server.failWith(503, "");

        assertThat(registry.isKnownElseFetch("ids/6")).isFalse();
        await().atMost(PATIENCE).until(() -> registry.problem().isPresent());
        assertThat(registry.isKnown("ids/6")).isTrue();
        assertThat(reason("ids/6")).isEqualTo(Reason.UNKNOWN_SCHEMA);
        assertThat(registry.isKnownElseFetch("ids/6")).as("new records wait").isFalse();

        server.schema("ids/6", AUTHOR);
        server.failWith(0, "");
        await().atMost(PATIENCE).until(() -> registry.isKnownElseFetch("ids/6"));
        assertThat(registry.problem()).isEmpty();
        assertThat(registry.schema("ids/6").getName()).isEqualTo("Author");
    }

    @Test
    void shouldNotAskWithoutAPauseWhereNobodyAnswers() {
        server.failWith(503, "");
        SchemaRegistry stopped = new SchemaRegistry(server.url(), null, null, () -> skippedNanos);
        assertThat(stopped.isKnownElseFetch("ids/7")).isFalse();
        await().atMost(PATIENCE).until(() -> stopped.problem().isPresent());

        skippedNanos = TimeUnit.SECONDS.toNanos(1) - 1;
        stopped.isKnownElseFetch("ids/7");
        stopped.isKnownElseFetch("ids/8");
        await().atMost(PATIENCE).until(() -> server.asked().contains("/schemas/ids/8"));
        skippedNanos = TimeUnit.SECONDS.toNanos(1);
        stopped.isKnownElseFetch("ids/7");
        await().atMost(PATIENCE).until(() -> server.asked().size() > 2);
        assertThat(server.asked()).containsExactly("/schemas/ids/7", "/schemas/ids/8", "/schemas/ids/7");
    }

    @Test
    void shouldShowWhatTheFileOfCredentialsHasNow(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("credentials"), "anna:p:w\n");
        server.schema("ids/7", AUTHOR);
        server.schema("ids/8", AUTHOR);
        SchemaRegistry withCredentials = new SchemaRegistry(server.url(), file, null);
        server.wantAuthorization("Basic YW5uYTpwOnc=");
        assertThat(withCredentials.schema("ids/7").getName()).isEqualTo("Author");

        Files.writeString(file, "Bearer abc.def\n");
        server.wantAuthorization("Bearer abc.def");
        assertThat(withCredentials.schema("ids/8").getName()).isEqualTo("Author");

        Files.writeString(file, "secret");
        assertThatThrownBy(() -> new SchemaRegistry(server.url(), file, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected user:password, or Bearer and a token")
                .hasMessageNotContaining("secret");
    }

    @Test
    void shouldTrustWhomTheTruststoreNamesAlone(@TempDir Path folder) throws Exception {
        Path keys = folder.resolve("keys.p12");
        SecuredBroker.keytool(
                keys, "changeit", "-genkeypair -alias r -keyalg EC -dname CN=localhost -ext SAN=DNS:localhost");
        Path pem = folder.resolve("registry.pem");
        SecuredBroker.keytool(keys, "changeit", "-exportcert -alias r -rfc -file " + pem);
        try (RegistryServer secure = new RegistryServer(context(keys))) {
            secure.schema("ids/7", AUTHOR);
            for (SSLContext trusted :
                    List.of(SchemaRegistry.trusting(pem, null), SchemaRegistry.trusting(keys, "changeit"))) {
                assertThat(new SchemaRegistry(secure.url(), null, trusted)
                                .schema("ids/7")
                                .getName())
                        .isEqualTo("Author");
            }
            SchemaRegistry others = new SchemaRegistry(secure.url(), null, null);
            others.isKnownElseFetch("ids/7");
            await().atMost(PATIENCE).until(() -> others.problem().isPresent());
            assertThat(others.problem().orElseThrow()).contains("PKIX path building failed");
        }
        assertThatThrownBy(() -> SchemaRegistry.trusting(Files.writeString(folder.resolve("empty"), "x"), null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected certificates in PEM, or a PKCS12 or JKS");
    }

    private static SSLContext context(Path keys) throws Exception {
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(KeyStore.getInstance(keys.toFile(), "changeit".toCharArray()), "changeit".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }
}
