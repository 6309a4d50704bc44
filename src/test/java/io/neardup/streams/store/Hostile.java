package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import io.neardup.testing.Cost;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Function;
import java.util.function.Supplier;

/** What every layout must stand: bytes cut off, changed at random, or of another version. */
final class Hostile {
    private static final int MUTATIONS = 2_000;

    /**
     * Decoded values take more room than their bytes, but within a factor; an error takes its message and its stack.
     */
    private static final int BYTES_PER_BYTE = 64;

    private static final int BYTES_OF_AN_ERROR = 64 * 1024;

    private Hostile() {}

    static <T> void checkMutations(long seed, Supplier<byte[]> encoded, Function<byte[], T> decode) {
        RandomValues values = new RandomValues(seed);
        // Loads the classes, whose bytes are not the decoder's.
        decodesOrRefuses(new byte[0], decode);
        decodesOrRefuses(encoded.get(), decode);
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] bytes = values.mutated(encoded.get());
            long allocatedBefore = allocatedBytes();
            decodesOrRefuses(bytes, decode);
            assertThat(allocatedBytes() - allocatedBefore)
                    .describedAs("bytes taken on the heap for %d bytes", bytes.length)
                    .isLessThan((long) BYTES_PER_BYTE * bytes.length + BYTES_OF_AN_ERROR);
        }
    }

    /** What is read from any bytes must be read again from what it is written as, within the same limits. */
    static <T> void checkAny(byte[] bytes, Function<byte[], T> decode, Function<T, byte[]> encode) {
        long heapBytesMax = (long) BYTES_PER_BYTE * bytes.length + BYTES_OF_AN_ERROR;
        Cost.shouldBeBounded(heapBytesMax, () -> decodesOrRefuses(bytes, decode));
        T value;
        try {
            value = decode.apply(bytes);
        } catch (WireException refused) {
            return;
        }
        assertThat(decode.apply(encode.apply(value))).isEqualTo(value);
    }

    static <T> void decodesOrRefuses(byte[] bytes, Function<byte[], T> decode) {
        try {
            assertThat(decode.apply(bytes)).isNotNull();
        } catch (WireException refused) {
            assertThat(refused.getMessage()).contains("expected", "found");
        } catch (RuntimeException other) {
            fail("expected a value or a WireException for " + HexFormat.of().formatHex(bytes), other);
        }
    }

    /** Bytes in hex, of which blanks do not count. */
    static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    /** A version, and what follows in hex. */
    static byte[] bytes(int version, String tail) {
        return bytes(HexFormat.of().toHexDigits((byte) version) + tail);
    }

    static <T> void checkTruncation(byte[] encoded, Function<byte[], T> decode) {
        for (int length = 0; length < encoded.length; length++) {
            byte[] cut = Arrays.copyOf(encoded, length);
            assertThatThrownBy(() -> decode.apply(cut))
                    .describedAs("%d of %d bytes", length, encoded.length)
                    .isInstanceOf(WireException.class);
        }
    }

    static <T> void checkVersion(byte[] encoded, Function<byte[], T> decode) {
        byte[] other = encoded.clone();
        other[0]++;
        assertThatThrownBy(() -> decode.apply(other))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("expected version ")
                .hasMessageContaining(encoded[0] + ", found " + other[0])
                .hasMessageContaining("application.id");
    }

    private static long allocatedBytes() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }
}
