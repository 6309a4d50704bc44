package io.neardup.engine.similarity;

import io.neardup.engine.text.SplitMix64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shingle bitmaps of documents, by their numbers, that others with many likely candidates asked about, up to
 * {@value #BYTES_MAX} bytes: beyond, those go that were not asked about for longest. Look-alikes are asked about again
 * and again; who is asked about once may never be again, and its bitmap would cost as much as it saves.
 */
public final class BitmapCache {
    private static final long BYTES_MAX = 16L << 20;
    /** With fewer taken there is room. */
    private static final long ROOM_BYTES = BYTES_MAX / 8 * 7;

    private static final long ENTRY_BYTES = 96;
    private static final int SEEN_MAX = 1 << 12;

    /** By mixed numbers: these come in blocks of which often the first few alone are used. */
    private final Map<Long, BitmapFilter> byDocument = new LinkedHashMap<>(64, 0.75f, true);
    /** Documents that were compared, each in the slot of its mixed number, until another takes it. */
    private final long[] seen = new long[SEEN_MAX];

    private long bytes;

    /** The bitmap of a document; null where it is not at hand. */
    public @Nullable BitmapFilter find(long document) {
        return byDocument.get(SplitMix64.mix(document));
    }

    /**
     * Whether the bitmap of a document that is compared now is worth making: it is not at hand, and there is room, or
     * the document was compared not long ago too.
     */
    public boolean isWanted(long document) {
        long mixed = SplitMix64.mix(document);
        int slot = (int) mixed & (SEEN_MAX - 1);
        boolean isSeen = seen[slot] == document;
        seen[slot] = document;
        return !byDocument.containsKey(mixed) && (isSeen || bytes < ROOM_BYTES);
    }

    public void put(long document, BitmapFilter bitmap) {
        BitmapFilter before = byDocument.put(SplitMix64.mix(document), bitmap);
        bytes += bytes(bitmap) - (before == null ? 0 : bytes(before));
        Iterator<BitmapFilter> oldest = byDocument.values().iterator();
        while (bytes > BYTES_MAX) {
            bytes -= bytes(oldest.next());
            oldest.remove();
        }
    }

    private static long bytes(BitmapFilter bitmap) {
        return ENTRY_BYTES + bitmap.bytes();
    }

    /** What they take of the heap, about. */
    public long bytes() {
        return bytes;
    }
}
