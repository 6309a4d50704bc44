package io.neardup.streams.store;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** All that an {@link OriginalsDisk} has, part after part. */
public final class DiskEntries {
    /** Behind all keys, and before that of the checkpoint. */
    private static final byte[] LAST = {(byte) 254, (byte) 255};

    private DiskEntries() {}

    public static void forEach(OriginalsDisk disk, BiConsumer<byte[], byte[]> action) {
        for (byte[] first : List.of(new byte[] {0}, new byte[] {1})) {
            disk.visit(first, LAST, entries -> {
                action.accept(entries.key(), entries.value());
                return true;
            });
        }
    }

    /** In hex. */
    public static Map<String, String> of(OriginalsDisk disk) {
        Map<String, String> entries = new TreeMap<>();
        HexFormat hex = HexFormat.of();
        forEach(disk, (key, value) -> entries.put(hex.formatHex(key), hex.formatHex(value)));
        return entries;
    }
}
