package io.neardup.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Eight bytes of an array at once, as a long. */
final class EightBytes {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long SIGN_BITS = 0x8080808080808080L;

    private EightBytes() {}

    /** Those from an offset on; there must be so many. */
    static long at(byte[] bytes, int offset) {
        return (long) LONGS.get(bytes, offset);
    }

    static boolean areAscii(long bytes) {
        return (bytes & SIGN_BITS) == 0;
    }

    /**
     * Not 0 if any byte is this ASCII character. Mycroft's trick (1987) is exact for this: it errs only above a byte
     * that did match.
     */
    static long matches(long bytes, char ascii) {
        long zeros = bytes ^ ascii * ONES;
        return zeros - ONES & ~zeros & SIGN_BITS;
    }
}
