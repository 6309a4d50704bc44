package io.neardup.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamsSettingsTest {
    @Test
    void shouldNoticeADeadInstanceAfterSixSeconds() {
        assertThat(mainConsumer(Map.of()))
                .containsEntry("session.timeout.ms", 6_000)
                .containsEntry("heartbeat.interval.ms", 500);
    }

    @ParameterizedTest
    @ValueSource(strings = {"session.timeout.ms", "consumer.session.timeout.ms", "main.consumer.session.timeout.ms"})
    void shouldTakeTheUsersSessionHoweverItIsGiven(String key) {
        assertThat(mainConsumer(Map.of(key, "45000"))).containsEntry("session.timeout.ms", "45000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"transaction.timeout.ms", "producer.transaction.timeout.ms"})
    void shouldTakeTheUsersTransactionTimeoutHoweverItIsGiven(String key) {
        assertThat(streams(Map.of(key, "20000")).getProducerConfigs("id"))
                .containsEntry("transaction.timeout.ms", "20000");
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

    private static List<String> problems(String... pairs) {
        List<String> all = new ArrayList<>(List.of("bootstrap.servers=localhost:9092"));
        all.addAll(List.of(pairs));
        return StreamsSettings.problems(NeardupConfig.of(new Settings().pairs(all)));
    }

    private static Map<String, Object> mainConsumer(Map<String, String> given) {
        return streams(given).getMainConsumerConfigs("group", "id", 1);
    }

    private static StreamsConfig streams(Map<String, String> given) {
        List<String> pairs = new ArrayList<>(List.of("bootstrap.servers=localhost:9092"));
        given.forEach((key, value) -> pairs.add(key + "=" + value));
        Settings settings = new Settings().pairs(pairs);
        return new StreamsConfig(StreamsSettings.of(NeardupConfig.of(settings), "index"));
    }
}
