package io.neardup.tools.feed;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;

class PackedInputFuzzTest {
    @FuzzTest
    void shouldUnpackOrTellDamage(byte[] bytes) {
        FeedFuzz.shouldEnd(
                bytes,
                PackedInput.FREE_BYTES,
                skipped -> new JsonLinesReader(
                        "fuzz", new PackedInput(new ByteArrayInputStream(bytes)), skipped, FeedFuzz.RECORD_BYTES_MAX));
    }
}
