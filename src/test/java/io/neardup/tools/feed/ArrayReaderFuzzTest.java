package io.neardup.tools.feed;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;

class ArrayReaderFuzzTest {
    @FuzzTest
    void shouldReadOrPassOverWhateverAnArrayHolds(byte[] bytes) {
        for (boolean isArray : new boolean[] {true, false}) {
            FeedFuzz.shouldEnd(
                    bytes,
                    skipped -> new ArrayReader(
                            "fuzz", new ByteArrayInputStream(bytes), isArray, skipped, FeedFuzz.RECORD_BYTES_MAX));
        }
    }
}
