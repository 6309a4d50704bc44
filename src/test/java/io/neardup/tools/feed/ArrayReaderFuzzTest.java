package io.neardup.tools.feed;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;

class ArrayReaderFuzzTest {
    @FuzzTest
    void shouldReadOrPassOverWhateverAnArrayHolds(byte[] bytes) {
        FeedFuzz.shouldEnd(
                bytes,
                skipped -> new ArrayReader(
                        "fuzz", new ByteArrayInputStream(bytes), true, skipped, FeedFuzz.RECORD_BYTES_MAX));
    }
}
