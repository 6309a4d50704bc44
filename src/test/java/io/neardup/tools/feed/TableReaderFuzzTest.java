package io.neardup.tools.feed;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;

class TableReaderFuzzTest {
    @FuzzTest
    void shouldReadOrPassOverWhateverATableHolds(byte[] bytes) {
        FeedFuzz.shouldEnd(
                bytes,
                skipped -> new TableReader(
                        "fuzz", new ByteArrayInputStream(bytes), bytes, skipped, FeedFuzz.RECORD_BYTES_MAX));
    }
}
