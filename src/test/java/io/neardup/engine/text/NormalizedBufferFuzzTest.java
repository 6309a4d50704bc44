package io.neardup.engine.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.neardup.testing.Cost;

class NormalizedBufferFuzzTest {
    /** Long enough for a repeated pattern to show quadratic time. */
    private static final int REPEATED_CHARS = 10_000;

    private static final int PATTERN_CHARS_MAX = 4;
    private static final long HEAP_FREE = 256 * 1024;
    private static final int HEAP_PER_CHAR = 256;

    @FuzzTest
    void shouldEqualTheNormalizedTextOfAString(byte[] bytes) {
        String raw = new String(bytes, UTF_8);
        shouldEqualTheNormalizedText(raw);
        if (!raw.isEmpty() && raw.length() <= PATTERN_CHARS_MAX) {
            shouldEqualTheNormalizedText(raw.repeat(REPEATED_CHARS / raw.length()));
        }
    }

    private static void shouldEqualTheNormalizedText(String raw) {
        byte[] utf8 = raw.getBytes(UTF_8);
        for (LetterCase letterCase : LetterCase.values()) {
            NormalizedBuffer buffer = new NormalizedBuffer(letterCase);
            Cost.shouldBeBounded(
                    HEAP_FREE + (long) HEAP_PER_CHAR * raw.length(), () -> buffer.set(utf8, 0, utf8.length));
            String normalized = new String(buffer.array(), 0, buffer.length(), UTF_8);
            assertThat(normalized).isEqualTo(NormalizedText.of(raw, letterCase));
        }
    }
}
