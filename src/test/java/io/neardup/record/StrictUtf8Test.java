package io.neardup.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrictUtf8Test {

    @ParameterizedTest
    @CsvSource({
        "C0 80, 0",
        "C1 BF, 0",
        "E0 9F BF, 0",
        "ED A0 80, 0",
        "F0 8F BF BF, 0",
        "F4 90 80 80, 0",
        "F5 80 80 80, 0",
        "FF, 0",
        "80, 0",
        "41 C3, 1",
        "41 E2 82, 1",
        "41 F0 9F 98, 1",
        "61 62 63 64 65 66 67 68 69 C3 28, 9",
        "41 C3 A9, -1",
        "ED 9F BF, -1",
        "EE 80 80, -1",
        "F4 8F BF BF, -1",
        "00, -1",
        "'', -1"
    })
    void shouldFindTheFirstMalformedSequence(String hex, int offset) {
        byte[] bytes = hex.isEmpty() ? new byte[0] : HexFormat.ofDelimiter(" ").parseHex(hex);

        assertThat(StrictUtf8.firstMalformed(bytes)).isEqualTo(offset);
    }

    @Test
    void shouldAgreeWithTheStrictDecoderOfThePlatform() {
        Random random = new Random(11);
        byte[] valid = "plain text é ß 漢字 😀 and plain text again".getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = valid.clone();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);

            assertThat(StrictUtf8.firstMalformed(bytes) < 0).isEqualTo(decodes(bytes));
        }
    }

    private static boolean decodes(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
