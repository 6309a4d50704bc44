package io.neardup.tools.feed;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;

class NewsReaderFuzzTest {
    @FuzzTest
    void shouldReadOrPassOverWhateverAFeedHolds(byte[] bytes) {
        FeedFuzz.shouldEnd(
                bytes,
                skipped -> new NewsReader(
                        "fuzz", new ByteArrayInputStream(bytes), bytes, false, skipped, FeedFuzz.RECORD_BYTES_MAX));
    }
}
