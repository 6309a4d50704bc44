package io.neardup.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.testing.InstanceProcess;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.SecuredBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Passwords, the seed and texts, whatever goes well or wrong. */
class SecretsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String TEXT = "5ec4e7d0c0ffee42";
    private static final String ID = "Qd5-marker-of-the-id-";
    private static final String SEED = "7340298173409817234";

    /** Everything that a user can switch on. */
    private static final List<String> ALL_LOGGED =
            List.of("-Dneardup.log.level=TRACE", "-Dneardup.log.kafka=TRACE", "-Dneardup.log.ordinary=TRACE");

    @TempDir
    private static Path folder;

    private static SecuredBroker broker;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = SecuredBroker.start(folder.resolve("secured"));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.plainServers()))) {
            Rights.give(admin, Rights.documented("quiet"));
        }
        Records.createTopics(broker.plainServers(), Outputs.WITH_INPUT, 1);
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    private static List<String> settings(String... more) {
        List<String> settings = new ArrayList<>(broker.clientSettings());
        settings.add("application.id=quiet");
        settings.addAll(List.of(more));
        return settings;
    }

    @Test
    void shouldLogNoTextAndNoSecretAtAnyLevel() throws Exception {
        List<String> settings = settings(
                "neardup.hash.seed=" + SEED,
                "neardup.signature=io.neardup.engine.similarity.BitSamplingFamily",
                "neardup.family.bits=64");
        try (InstanceProcess instance = InstanceProcess.start(folder.resolve("quiet"), ALL_LOGGED, settings);
                Outputs outputs = new Outputs(broker.plainServers())) {
            feed(
                    "{\"id\":\"" + ID + "unique\",\"text\":\"" + TEXT + "\"}",
                    "{\"id\":\"" + ID + "duplicate\",\"text\":\"" + TEXT + "\"}",
                    "{\"id\":\"" + ID + "unsignable\",\"text\":\"" + TEXT + " is no picture\"}",
                    "{\"id\":\"" + ID + "broken\",\"text\":\"" + TEXT);
            outputs.await(4, PATIENCE);
            assertThat(outputs.of(Outputs.DUPLICATE_OF)).hasSize(1);
            assertThat(outputs.of(Outputs.DEAD_LETTER))
                    .extracting(dead -> Outputs.header(dead, "neardup.reason"))
                    .containsExactly("unsignable", "not-json");
            assertThat(instance.stop()).isEqualTo(143);

            assertThat(instance.log())
                    .contains("starting application.id=quiet", "DEBUG o.a.k")
                    .doesNotContain(TEXT)
                    .doesNotContain(ID)
                    .doesNotContain(SEED)
                    .doesNotContain(SecuredBroker.PASSWORD)
                    .doesNotContain(SecuredBroker.STORE_PASSWORD);
        }
    }

    private static void feed(String... values) throws Exception {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.plainServers()), new StringSerializer(), new StringSerializer())) {
            for (String value : values) {
                producer.send(new ProducerRecord<>("documents", value)).get();
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username='u'"
                        + " password='Wz8-marker'; | found SaslAuthenticationException: Authentication failed: Invalid"
                        + " username or password",
                "sasl.jaas.config=Module Wz8-marker; | sasl.jaas.config: expected a login module",
                "ssl.truststore.location=OTHER | found SslAuthenticationException: SSL handshake failed",
                "ssl.truststore.location=nowhere.p12 | nowhere.p12",
                "ssl.truststore.password=Wz8-marker | trust.p12",
            })
    void shouldSayOnceWhyItIsNotLetIn(String wrong, String message) throws Exception {
        List<String> settings = settings();
        settings.removeIf(setting -> setting.startsWith(wrong.substring(0, wrong.indexOf('=') + 1)));
        settings.add(wrong.replace("OTHER", broker.otherTrustStore().toString()).replace('\'', '"'));
        Path own = folder.resolve("refused" + System.nanoTime());
        try (InstanceProcess instance = InstanceProcess.start(own, settings)) {
            assertThat(instance.awaitEnd(PATIENCE)).isEqualTo(1);
            assertThat(instance.log())
                    .containsOnlyOnce("neardup run: ")
                    .contains(message)
                    .doesNotContain("\tat ", "Wz8-marker", SecuredBroker.PASSWORD, SecuredBroker.STORE_PASSWORD);
        }
    }
}
