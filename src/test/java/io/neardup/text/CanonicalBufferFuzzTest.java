package io.neardup.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.neardup.testing.Cost;

class CanonicalBufferFuzzTest {
    /** Long enough for a repeated pattern to show quadratic time. */
    private static final int REPEATED_CHARS = 10_000;

    private static final int PATTERN_CHARS_MAX = 4;
    private static final long HEAP_FREE = 256 * 1024;
    private static final int HEAP_PER_CHAR = 256;

    @FuzzTest
    void shouldEqualTheCanonicalTextOfAString(byte[] bytes) {
        String raw = new String(bytes, UTF_8);
        shouldEqualTheCanonicalText(raw);
        if (!raw.isEmpty() && raw.length() <= PATTERN_CHARS_MAX) {
            shouldEqualTheCanonicalText(raw.repeat(REPEATED_CHARS / raw.length()));
        }
    }

    private static void shouldEqualTheCanonicalText(String raw) {
        byte[] utf8 = raw.getBytes(UTF_8);
        for (LetterCase letterCase : LetterCase.values()) {
            CanonicalBuffer buffer = new CanonicalBuffer(letterCase);
            Cost.shouldBeBounded(
                    HEAP_FREE + (long) HEAP_PER_CHAR * raw.length(), () -> buffer.set(utf8, 0, utf8.length));
            String canonical = new String(buffer.array(), 0, buffer.length(), UTF_8);
            assertThat(canonical).isEqualTo(CanonicalText.of(raw, letterCase));
        }
    }
}
