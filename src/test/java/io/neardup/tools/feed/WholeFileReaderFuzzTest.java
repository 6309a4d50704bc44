package io.neardup.tools.feed;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;

class WholeFileReaderFuzzTest {
    @FuzzTest
    void shouldReadOrPassOverWhateverAPageHolds(byte[] bytes) {
        FeedFuzz.shouldEnd(
                bytes,
                skipped -> new WholeFileReader(
                        "fuzz", new ByteArrayInputStream(bytes), true, skipped, FeedFuzz.RECORD_BYTES_MAX));
    }
}
