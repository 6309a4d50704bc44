package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.testing.Cost;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

class BandSnapshotFuzzTest {
    private static final int BANDS = 2;
    private static final int BUCKET_MAX = 1000;
    private static final BandSnapshot.Header HEADER = new BandSnapshot.Header(0, 77);
    private static final long HEAP_FREE = 256 * 1024;
    private static final int HEAP_PER_BYTE = 64;

    @FuzzTest
    void shouldUseAFileOnlyAsItWasWritten(byte[] bytes) throws IOException {
        Path file = Files.createTempFile("buckets", ".snapshot");
        try {
            BandSnapshot snapshot = new BandSnapshot(file, "changelog", BANDS, BUCKET_MAX);
            assertThat(bounded(snapshot, bytes, file)).isEmpty();

            snapshot.write(table(), HEADER);
            byte[] written = Files.readAllBytes(file);
            byte[] overwritten = overwritten(written, bytes);
            assertThat(bounded(snapshot, overwritten, file).map(BandSnapshot.Content::header))
                    .isEqualTo(Arrays.equals(overwritten, written) ? Optional.of(HEADER) : Optional.empty());
        } finally {
            Files.delete(file);
        }
    }

    private static Optional<BandSnapshot.Content> bounded(BandSnapshot snapshot, byte[] bytes, Path file)
            throws IOException {
        Files.write(file, bytes);
        Cost.shouldBeBounded(HEAP_FREE + (long) HEAP_PER_BYTE * bytes.length, () -> read(snapshot));
        return read(snapshot);
    }

    private static Optional<BandSnapshot.Content> read(BandSnapshot snapshot) {
        try {
            return snapshot.read(HEADER.writtenMillis(), new Changelog());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static LoggedBandTable table() {
        LoggedBandTable table = new LoggedBandTable(new BandTable(BANDS, BUCKET_MAX), new Changelog());
        table.insert(BandTables.ref(1), BandKeys.of(new long[] {1, 7}));
        table.insert(BandTables.ref(2), BandKeys.of(new long[] {2, 7}));
        table.writeChanges();
        return table;
    }

    /** The file with bytes put over its own, from the place on that the first two of them say. */
    private static byte[] overwritten(byte[] written, byte[] bytes) {
        byte[] overwritten = written.clone();
        if (bytes.length > Short.BYTES) {
            int at = Short.toUnsignedInt(ByteBuffer.wrap(bytes).getShort()) % written.length;
            int length = Math.min(bytes.length - Short.BYTES, written.length - at);
            System.arraycopy(bytes, Short.BYTES, overwritten, at, length);
        }
        return overwritten;
    }
}
