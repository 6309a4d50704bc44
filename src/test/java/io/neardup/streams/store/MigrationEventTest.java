package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.streams.store.MigrationEvent.Asked;
import io.neardup.streams.store.MigrationEvent.Empty;
import io.neardup.streams.store.MigrationEvent.Fixed;
import io.neardup.streams.store.MigrationEvent.Flushed;
import io.neardup.streams.store.MigrationEvent.Undone;
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
                        "cutover/r/asked",
                        "{\"format\":1,\"successor\":\"other\",\"coordinators\":4,\"spread\":false}"),
                Arguments.of(
                        new Asked("r", "other", 4, true),
                        "cutover/r/asked",
                        "{\"format\":1,\"successor\":\"other\",\"coordinators\":4,\"spread\":true}"),
                Arguments.of(new Flushed("r", 2), "cutover/r/flushed/2", "{\"format\":1}"),
                Arguments.of(new Undone("r", "x"), "cutover/r/undone/x", "{\"format\":1}"),
                Arguments.of(
                        new Fixed("r", 3, Map.of("b", 7L, "a", Fixed.BEGINNING)),
                        "cutover/r/fixed/3",
                        "{\"format\":1,\"positions\":{\"a\":-1,\"b\":7}}"),
                Arguments.of(new Empty("r", 0, 7), "cutover/r/empty/0", "{\"format\":1,\"eventMillis\":7}"));
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
        assertThat(MigrationEvent.decode("cutover/r/undone/x", "{\"format\":1,\"why\":\"a\"}".getBytes(UTF_8)))
                .isEqualTo(new Undone("r", "x"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cutover/r/asked     | {\"format\":2,\"successor\":\"b\",\"coordinators\":4,\"spread\":false}",
                "cutover/r/asked     | {\"format\":1,\"coordinators\":4,\"spread\":false}",
                "cutover/r/asked     | {\"format\":1,\"successor\":\"b\",\"coordinators\":4}",
                "cutover/r/asked     | {\"format\":1,\"successor\":\"b\",\"coordinators\":0,\"spread\":false}",
                "cutover/r/asked     | no JSON",
                "cutover/r/undone    | {\"format\":1}",
                "cutover/r/fixed/x   | {\"format\":1,\"positions\":{}}",
                "cutover/r/fixed/-1  | {\"format\":1,\"positions\":{}}",
                "cutover/r/fixed/1   | {\"format\":1}",
                "cutover/r/fixed/1   | {\"format\":1,\"positions\":{\"a\":\"b\"}}",
                "cutover/r/empty     | {\"format\":1}",
                "cutover/r/empty/1   | {\"format\":1}",
                "cutover/r/else      | {\"format\":1}",
                "cutover/r           | {\"format\":1}",
                "cutover/r/empty/1   | []",
                "cutover/r/empty/1   | ''",
            })
    void shouldRefuseWhatIsNone(String key, String value) {
        assertThatThrownBy(() -> MigrationEvent.decode(key, value.getBytes(UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected");
    }
}
