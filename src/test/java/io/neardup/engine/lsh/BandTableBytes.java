package io.neardup.engine.lsh;

import java.io.IOException;
import java.nio.file.Path;

/** What a band table has in memory, as it would be in a segment. */
public final class BandTableBytes {
    private BandTableBytes() {}

    /** The table is not to be used any more. Where it has nothing in memory there is no file. */
    public static void write(BandTable table, Path file) throws IOException {
        table.freeze().write(file);
    }
}
