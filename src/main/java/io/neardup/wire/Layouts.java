package io.neardup.wire;

import java.util.Map;
import java.util.TreeMap;

/** The versions of all that an index keeps in bytes. A release reads its own alone. */
public final class Layouts {
    private Layouts() {}

    /** By kind, such as {@code state}; sorted. */
    public static Map<String, Integer> versions() {
        return new TreeMap<>(Map.of(
                "band-log", BandLogCodec.VERSION,
                "messages", MessageCodec.VERSION,
                "progress", ProgressCodec.VERSION,
                "state", StateCodec.VERSION));
    }
}
