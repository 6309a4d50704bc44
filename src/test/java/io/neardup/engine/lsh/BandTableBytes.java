package io.neardup.engine.lsh;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What a band table has in memory, as it would be in a segment. */
public final class BandTableBytes {
    private BandTableBytes() {}

    /** The table stays as it is. Where it has nothing in memory there is no file. */
    public static void write(BandTable table, Path file) throws IOException {
        SegmentSource source = table.inMemoryNow().source();
        SegmentWriter.write(file, table.bands(), List.of(source), () -> false);
    }
}
