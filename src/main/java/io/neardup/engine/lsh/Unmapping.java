package io.neardup.engine.lsh;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;

/**
 * Ends the mapping of a file at once. Java 17 has no other way than that of {@code sun.misc.Unsafe}, in the module
 * jdk.unsupported; without it the garbage collector ends a mapping some time later.
 */
final class Unmapping {
    private static final MethodHandle CLEANER = cleaner();

    private Unmapping() {}

    private static MethodHandle cleaner() {
        try {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field instance = unsafe.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            return MethodHandles.lookup()
                    .findVirtual(unsafe, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
                    .bindTo(instance.get(null));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("expected the module jdk.unsupported, found none", e);
        }
    }

    /** Whoever reads the buffer after this crashes. */
    static void unmap(MappedByteBuffer buffer) {
        try {
            CLEANER.invokeExact((ByteBuffer) buffer);
        } catch (Throwable e) {
            throw new IllegalStateException("a mapped file cannot be let go", e);
        }
    }
}
