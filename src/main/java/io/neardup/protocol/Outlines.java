package io.neardup.protocol;

import io.neardup.sketch.Outline;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Outlines of documents of a home that others in a crowd asked about, up to {@value #BYTES_MAX} bytes; those that
 * nobody asked about for longest leave first. A crowd is asked about again and again.
 */
final class Outlines {
    private static final long BYTES_MAX = 16L << 20;
    private static final long ENTRY_BYTES = 80;

    private final Map<Long, Outline> byDocument = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /** The outline of a document; null where it is not at hand. */
    @Nullable
    Outline find(long document) {
        return byDocument.get(document);
    }

    boolean has(long document) {
        return byDocument.containsKey(document);
    }

    void put(long document, Outline outline) {
        Outline before = byDocument.put(document, outline);
        bytes += bytes(outline) - (before == null ? 0 : bytes(before));
        for (Iterator<Outline> oldest = byDocument.values().iterator(); bytes > BYTES_MAX && oldest.hasNext(); ) {
            bytes -= bytes(oldest.next());
            oldest.remove();
        }
    }

    private static long bytes(Outline outline) {
        return ENTRY_BYTES + outline.bytes();
    }

    long bytes() {
        return bytes;
    }
}
