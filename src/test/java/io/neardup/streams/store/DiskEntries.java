package io.neardup.streams.store;

import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** All that an {@link OriginalsDisk} has, part after part. */
public final class DiskEntries {
    private DiskEntries() {}

    public static void forEach(OriginalsDisk disk, BiConsumer<byte[], byte[]> action) {
        for (OriginalsDisk.Cursor part : disk.all()) {
            try (part) {
                for (; part.isValid(); part.advance()) {
                    action.accept(part.key(), part.value());
                }
            }
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
