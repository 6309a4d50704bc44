package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every layout that is kept must do; a subclass names its own in a static method {@code pinned}. */
abstract class LayoutContract {
    private static final int MUTATIONS = 2_000;

    /**
     * Decoded values take more room than their bytes, but within a factor; an error takes its message and its stack.
     */
    private static final int BYTES_PER_BYTE = 64;

    private static final int BYTES_OF_AN_ERROR = 64 * 1024;

    /** Numbers too long for any, lists and texts that are not as long as they say, a band of none. */
    private static final List<String> BROKEN = List.of(
            "01 80808080808080808080 01",
            "03 03 ac02 02 05 09 ffffffffffffffff7f",
            "03 03 ac02 02 05 09 80ade204 0007",
            "ffffffffffffffff7f",
            "02 c080 00",
            "07 80ade204 01 03 05 00",
            "07 01 01 03 05 ffffffff7f 0000000000000007",
            "07 00 01 03 05 01 00",
            "00 02 0a 0000000000000000 00 01 01 01 ffffffff07 00 00");

    /**
     * A value of a layout, pinned to its bytes.
     *
     * @param hex the bytes, of which blanks do not count
     */
    record Pinned<T>(Layout<T> layout, T value, String hex) {
        byte[] bytes() {
            return LayoutContract.bytes(hex);
        }

        @Override
        public String toString() {
            return String.valueOf(value);
        }
    }

    @ParameterizedTest
    @MethodSource("pinned")
    <T> void shouldKeepItsLayout(Pinned<T> pinned) {
        assertThat(pinned.layout().encode(pinned.value())).isEqualTo(pinned.bytes());
        assertThat(pinned.layout().decode(pinned.bytes())).isEqualTo(pinned.value());
    }

    @ParameterizedTest
    @MethodSource("pinned")
    <T> void shouldRefuseAnotherVersionAndWhatIsCutOff(Pinned<T> pinned) {
        checkVersion(pinned.bytes(), pinned.layout()::decode);
        checkTruncation(pinned.bytes(), pinned.layout()::decode);
    }

    @ParameterizedTest
    @MethodSource("pinned")
    <T> void shouldReadAnyBytesOrRefuseThem(Pinned<T> pinned) {
        Layout<T> layout = pinned.layout();
        checkMutations(pinned.bytes(), layout::decode, layout::encode);
        BROKEN.forEach(tail -> checkAny(bytes(layout.version(), tail), layout::decode, layout::encode));
    }

    // ---- what every layout must stand: bytes cut off, changed at random, or of another version

    static <T> void checkMutations(byte[] encoded, Function<byte[], T> decode, Function<T, byte[]> encode) {
        Random random = new Random(2);
        // The first ones load classes, whose bytes are not the decoder's.
        for (int i = 0; i < MUTATIONS / 4; i++) {
            decodedOrRefused(mutated(encoded, random), decode);
        }
        for (int i = 0; i < MUTATIONS; i++) {
            checkAny(mutated(encoded, random), decode, encode);
        }
    }

    /** The bytes with one to three bytes changed, or cut off, or with more behind. */
    private static byte[] mutated(byte[] bytes, Random random) {
        byte[] mutated =
                switch (random.nextInt(4)) {
                    case 0 -> Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
                    case 1 -> Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(9));
                    default -> bytes.clone();
                };
        for (int i = 1 + random.nextInt(3); i > 0 && mutated.length > 0; i--) {
            byte[] likely = {0, 1, 5, -1, 127, -128, (byte) random.nextInt()};
            mutated[random.nextInt(mutated.length)] = likely[random.nextInt(7)];
        }
        return mutated;
    }

    /** What is read from any bytes, within bounds of memory, must be read again from what it is written as. */
    private static <T> void checkAny(byte[] bytes, Function<byte[], T> decode, Function<T, byte[]> encode) {
        long allocatedBefore = allocatedBytes();
        Optional<T> decoded = decodedOrRefused(bytes, decode);
        assertThat(allocatedBytes() - allocatedBefore)
                .describedAs("bytes taken on the heap for %d bytes", bytes.length)
                .isLessThan((long) BYTES_PER_BYTE * bytes.length + BYTES_OF_AN_ERROR);
        decoded.ifPresent(value -> assertThat(decode.apply(encode.apply(value)))
                .describedAs("what was read from %s", HexFormat.of().formatHex(bytes))
                .isEqualTo(value));
    }

    private static <T> Optional<T> decodedOrRefused(byte[] bytes, Function<byte[], T> decode) {
        try {
            return Optional.of(decode.apply(bytes));
        } catch (WireException refused) {
            assertThat(refused.getMessage()).contains("expected", "found");
            return Optional.empty();
        } catch (RuntimeException other) {
            return fail(
                    "expected a value or a WireException for " + HexFormat.of().formatHex(bytes), other);
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
