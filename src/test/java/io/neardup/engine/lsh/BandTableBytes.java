package io.neardup.engine.lsh;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** What a band table has in memory, as it would be in a segment. */
public final class BandTableBytes {
    private BandTableBytes() {}

    /** The table stays as it is. Where it has nothing in memory there is no file. */
    public static void write(BandTable table, Path file) throws IOException {
        MemoryPart memory = memory(table);
        memory.putRestored();
        Renumbering numbers = new Renumbering(memory.gone(), memory.documents());
        if (numbers.left() > 0) {
            SegmentLayout layout = new SegmentLayout(bands(memory), numbers.left());
            new SegmentWriter(layout, List.of(memory), List.of(numbers), () -> false).write(file);
        }
    }

    private static MemoryPart memory(BandTable table) {
        return (MemoryPart) field(BandTable.class, "memory", table);
    }

    private static int bands(MemoryPart memory) {
        return ((BandBuckets[]) field(MemoryPart.class, "bands", memory)).length;
    }

    private static Object field(Class<?> type, String name, Object of) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return Objects.requireNonNull(field.get(of));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }
}
