package io.neardup.tools.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.testing.Cost;
import java.io.IOException;

/** What holds for a reader of whatever bytes. */
final class FeedFuzz {
    static final int RECORD_BYTES_MAX = 100_000;
    /** Buffers, and what the libraries have of their own. */
    private static final long HEAP_FREE = 4 << 20;

    private static final int HEAP_PER_BYTE = 4_096;

    private FeedFuzz() {}

    /** Opens what reads the bytes. */
    interface Opening {
        FormatReader open(Skipped skipped) throws IOException;
    }

    /** It comes to an end in a bounded time and heap, and fails in no other way than it declares. */
    static void shouldEnd(byte[] bytes, Opening opening) {
        shouldEnd(bytes, bytes.length + 1L, opening);
    }

    /** @param partsMax records and what is skipped: packed bytes hold more than one a byte */
    static void shouldEnd(byte[] bytes, long partsMax, Opening opening) {
        Cost.shouldBeBounded(HEAP_FREE + (long) HEAP_PER_BYTE * bytes.length, () -> read(partsMax, opening));
    }

    private static void read(long partsMax, Opening opening) {
        Skipped skipped = new Skipped();
        try {
            FormatReader reader = opening.open(skipped);
            long records = 0;
            while (reader.next() != null) {
                records++;
                assertThat(records + skipped.snapshot().parts()).isLessThanOrEqualTo(partsMax);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageNotContaining("null");
        }
    }
}
