package io.neardup.streams.store;

import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** All that an {@link OriginalsDisk} has, part after part. */
public final class DiskEntries {
    private DiskEntries() {}

    public static void forEach(OriginalsDisk disk, BiConsumer<byte[], byte[]> action) {
        forEach(disk, new byte[] {0}, new byte[] {0, (byte) 255}, action);
        forEach(disk, new byte[] {1}, new byte[] {(byte) 254}, action);
    }

    private static void forEach(OriginalsDisk disk, byte[] from, byte[] to, BiConsumer<byte[], byte[]> action) {
        disk.visit(from, to, (key, value) -> {
            action.accept(key, value);
            return true;
        });
    }

    /** Those of a store. */
    public static Map<String, String> of(OriginalStore store) {
        return of(store.disk());
    }

    /** In hex. */
    public static Map<String, String> of(OriginalsDisk disk) {
        Map<String, String> entries = new TreeMap<>();
        HexFormat hex = HexFormat.of();
        forEach(disk, (key, value) -> entries.put(hex.formatHex(key), hex.formatHex(value)));
        return entries;
    }
}
