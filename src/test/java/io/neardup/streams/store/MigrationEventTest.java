package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.streams.store.MigrationEvent.Asked;
import io.neardup.streams.store.MigrationEvent.Empty;
import io.neardup.streams.store.MigrationEvent.Flushed;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MigrationEventTest {
    static Stream<Arguments> events() {
        return Stream.of(
                Arguments.of(
                        new Asked("r", "other", 4, false),
                        "cutover/asked/r",
                        "{\"format\":2,\"successor\":\"other\",\"coordinators\":4,\"spread\":false}"),
                Arguments.of(
                        new Asked("r", "other", 4, true),
                        "cutover/asked/r",
                        "{\"format\":2,\"successor\":\"other\",\"coordinators\":4,\"spread\":true}"),
                Arguments.of(
                        new Empty(3, Map.of("b", 7L, "a", Handover.BEGINNING), 1L << 40),
                        "cutover/empty/3",
                        "{\"format\":2,\"positions\":{\"a\":-1,\"b\":7},\"eventMillis\":1099511627776}"),
                Arguments.of(new Flushed(2), "cutover/flushed/2", "{\"format\":2}"));
    }

    @ParameterizedTest
    @MethodSource("events")
    void shouldWriteAndRead(MigrationEvent event, String key, String value) {
        assertThat(event.key()).isEqualTo(key);
        assertThat(new String(event.value(), UTF_8)).isEqualTo(value);
        assertThat(MigrationEvent.decode(key, value.getBytes(UTF_8))).isEqualTo(event);
    }

    @Test
    void shouldSkipFieldsOfALaterRelease() {
        assertThat(MigrationEvent.decode("cutover/flushed/1", "{\"format\":2,\"why\":\"a\"}".getBytes(UTF_8)))
                .isEqualTo(new Flushed(1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cutover/asked/r     | {\"format\":1,\"successor\":\"b\",\"coordinators\":4,\"spread\":false}",
                "cutover/asked/r     | {\"successor\":\"b\",\"coordinators\":4,\"spread\":false}",
                "cutover/asked/r     | {\"format\":2,\"coordinators\":4,\"spread\":false}",
                "cutover/asked/r     | {\"format\":2,\"successor\":\"b\",\"coordinators\":4}",
                "cutover/asked/r     | {\"format\":2,\"successor\":\"b\",\"coordinators\":0,\"spread\":false}",
                "cutover/asked/r     | no JSON",
                "cutover/empty/x     | {\"format\":2,\"positions\":{},\"eventMillis\":0}",
                "cutover/empty/-1    | {\"format\":2,\"positions\":{},\"eventMillis\":0}",
                "cutover/empty/1     | {\"format\":2,\"eventMillis\":0}",
                "cutover/empty/1     | {\"format\":2,\"positions\":{}}",
                "cutover/empty/1     | {\"format\":2,\"positions\":{\"a\":\"b\"},\"eventMillis\":0}",
                "cutover/empty/1     | {\"format\":2,\"positions\":{\"a\":null},\"eventMillis\":0}",
                "cutover/flushed     | {\"format\":2}",
                "cutover/flushed/1/2 | {\"format\":2}",
                "cutover/else/1      | {\"format\":2}",
                "seeds/flushed/1     | {\"format\":2}",
                "cutover/flushed/1   | []",
                "cutover/flushed/1   | null",
                "cutover/flushed/1   | ''",
                // Of an earlier release.
                "cutover/r/undone/x  | {\"format\":1}",
            })
    void shouldRefuseWhatIsNone(String key, String value) {
        assertThatThrownBy(() -> MigrationEvent.decode(key, value.getBytes(UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected");
    }
}
