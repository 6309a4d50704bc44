package io.neardup.streams.store;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The versions of all that an index keeps in bytes. It keeps those that it was made with. */
public final class Layouts {
    private Layouts() {}

    /** Of an index that is made now, by kind, such as {@code state}; sorted. */
    public static Map<String, Integer> versions() {
        return new TreeMap<>(Map.of(
                "band-log", BandLogCodec.VERSION,
                "messages", MessageCodec.VERSION,
                "progress", ProgressCodec.VERSION,
                "state", StateCodec.VERSION));
    }

    /** Of all indexes that this release works on, by kind. */
    public static Map<String, List<Integer>> read() {
        Map<String, List<Integer>> read = new TreeMap<>();
        versions().forEach((kind, version) -> read.put(kind, List.of(version)));
        read.put("messages", List.of(MessageCodec.WITHOUT_EPOCHS, MessageCodec.VERSION));
        read.put("state", StateLayout.versions());
        return read;
    }
}
