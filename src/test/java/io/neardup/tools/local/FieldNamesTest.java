package io.neardup.tools.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FieldNamesTest {
    @Test
    void shouldPointToWhatHoldsTextAlsoInObjectsButNotInArrays() {
        assertThat(of("{\"nr\":1,\"full text\":{\"a\":[1,{\"b\":\"x\"}],\"c\":{\"d\":\"x\"}},"
                        + "\"a/b~c\":\"x\",\"e\":null}"))
                .containsExactly("/full text/c/d", "/a~1b~0c");
    }

    @Test
    void shouldBeBounded() {
        String many = "\"" + "x".repeat(65) + "\":\"x\"" + ",\"a\":\"x\"".repeat(30);
        assertThat(of("{" + many + "}")).hasSize(FieldNames.NAMES_MAX).containsOnly("/a");
    }

    @Test
    void shouldTakeWhatIsNoObjectForOneWithoutFields() {
        assertThat(of("[{\"a\":\"x\"}]")).isEmpty();
        assertThat(of("")).isEmpty();
        assertThat(of("{\"a\":\"x\",broken")).containsExactly("/a");
    }

    private static Iterable<String> of(String record) {
        return FieldNames.of(record.getBytes(UTF_8));
    }
}
