package io.neardup.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StreamsSettingsTest {
    @ParameterizedTest
    @ValueSource(strings = {"session.timeout.ms", "consumer.session.timeout.ms", "main.consumer.session.timeout.ms"})
    void shouldTakeTheUsersSessionHoweverItIsGiven(String key) {
        assertThat(StreamsSettings.session(config(key + "=45000"))).hasSeconds(45);
    }

    @ParameterizedTest
    @ValueSource(strings = {"transaction.timeout.ms", "producer.transaction.timeout.ms"})
    void shouldTakeTheUsersTransactionTimeoutHoweverItIsGiven(String key) {
        assertThat(streams(Map.of(key, "20000")).getProducerConfigs("id"))
                .containsEntry("transaction.timeout.ms", "20000");
    }

    @Test
    void shouldRefuseToRunWithoutAThread() {
        assertThat(problems("num.stream.threads=0"))
                .containsExactly("num.stream.threads: expected at least 1, found 0");
        assertThat(problems("num.stream.threads=-2")).hasSize(1);
    }

    /** 16 MiB and two texts of 5 MB at 10,000 bytes a millisecond, twice. */
    @ParameterizedTest
    @ValueSource(strings = {"max.poll.interval.ms", "main.consumer.max.poll.interval.ms"})
    void shouldRefuseAnIntervalInWhichAStepCannotBeDone(String key) {
        assertThat(problems(key + "=5354")).isEmpty();
        assertThat(problems(key + "=5353"))
                .singleElement()
                .asString()
                .startsWith("max.poll.interval.ms: expected at least 5354, as one step may compare 26777216 bytes")
                .contains("neardup.document.bytes.max is 1000000", "found 5353");
        assertThat(problems(key + "=5353", "neardup.document.bytes.max=900000")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "isolation.level, read_uncommitted, read_committed",
        "enable.auto.commit, true, false",
        "group.id, mine, the application.id",
        "group.protocol, consumer, classic",
        "acks, 1, all",
        "enable.idempotence, false, true",
        "transactional.id, mine, none",
        "max.in.flight.requests.per.connection, 6, at most 5",
    })
    void shouldRefuseWhatBreaksExactlyOnceHoweverItIsGiven(String key, String value, String expected) {
        List<String> given =
                spellings(key).map(spelling -> spelling + "=" + value).toList();

        List<String> problems = problems(given.toArray(String[]::new));

        assertThat(spellings(key)).allSatisfy(spelling -> assertThat(problems)
                .filteredOn(problem -> problem.startsWith(spelling + ": expected "))
                .singleElement()
                .asString()
                .startsWith(spelling + ": expected " + expected + ", found " + value + "; ")
                .endsWith("leave the key out"));
    }

    /** As of a file of settings that all clients of a company share. */
    @Test
    void shouldTakeWhatIsAsItMustBeHoweverItIsGiven() {
        Map<String, String> given = Map.of(
                "isolation.level", "read_committed",
                "enable.auto.commit", "false",
                "group.id", "neardup",
                "group.protocol", "classic",
                "acks", "-1",
                "enable.idempotence", "true",
                "max.in.flight.requests.per.connection", "1");
        String[] pairs = given.keySet().stream()
                .flatMap(key -> spellings(key).map(spelling -> spelling + "=" + given.get(key)))
                .toArray(String[]::new);

        assertThat(problems(pairs)).isEmpty();
    }

    @Test
    void shouldReadWhatIsCommittedAloneWhateverIsGiven() {
        Map<String, String> given =
                spellings("isolation.level").collect(Collectors.toMap(key -> key, key -> "read_uncommitted"));

        StreamsConfig streams = streams(given);

        assertThat(List.of(
                        streams.getMainConsumerConfigs("group", "id", 0),
                        streams.getRestoreConsumerConfigs("id"),
                        streams.getGlobalConsumerConfigs("id")))
                .allSatisfy(consumer -> assertThat(consumer).containsEntry("isolation.level", "read_committed"));
    }

    @Test
    void shouldReportACommitIntervalThatIsLongerThanATransaction() {
        assertThat(problems("commit.interval.ms=20000"))
                .singleElement()
                .asString()
                .contains("commit.interval.ms", "20000", "transaction.timeout.ms");
    }

    @Test
    void shouldReportWhatTheReaderOfChangelogsRefuses() {
        assertThat(problems("restore.consumer.max.poll.records=many"))
                .singleElement()
                .asString()
                .contains("max.poll.records", "many");
    }

    @Test
    void shouldAdviseToSetTheFolderOfTheState() {
        assertThat(StreamsSettings.advice(config()))
                .hasValueSatisfying(advice -> assertThat(advice).contains("state.dir is not set", "kafka-streams"));
        assertThat(StreamsSettings.advice(config("state.dir=/tmp/kafka-streams")))
                .isEmpty();
    }

    private static Stream<String> spellings(String key) {
        return Stream.of(
                        "",
                        "consumer.",
                        "main.consumer.",
                        "restore.consumer.",
                        "global.consumer.",
                        "producer.",
                        "admin.")
                .map(prefix -> prefix + key);
    }

    private static List<String> problems(String... pairs) {
        return StreamsSettings.problems(config(pairs));
    }

    private static NeardupConfig config(String... pairs) {
        List<String> all = new ArrayList<>(List.of("bootstrap.servers=localhost:9092"));
        all.addAll(List.of(pairs));
        return NeardupConfig.of(new Settings().pairs(all));
    }

    private static StreamsConfig streams(Map<String, String> given) {
        String[] pairs = given.entrySet().stream()
                .map(one -> one.getKey() + "=" + one.getValue())
                .toArray(String[]::new);
        return new StreamsConfig(StreamsSettings.of(config(pairs), "index"));
    }
}
