package io.neardup.tools.feed;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;

class CrawlReaderFuzzTest {
    @FuzzTest
    void shouldReadOrPassOverWhateverAnArchiveHolds(byte[] bytes) {
        FeedFuzz.shouldEnd(
                bytes,
                skipped -> new CrawlReader(
                        "fuzz", new PackedInput(new ByteArrayInputStream(bytes)), skipped, FeedFuzz.RECORD_BYTES_MAX));
    }
}
