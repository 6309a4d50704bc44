package io.neardup.config;

import io.neardup.engine.lsh.Banding;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.text.HtmlText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Everything that shapes an index. Entries made under other settings cannot be found again, so an index is bound to
 * these for its life; only the seed of its hashes is kept beside them. Threshold and measure are not among them: they
 * may change, and what was decided stays so.
 *
 * @param entries names that are settings too have their keys; versions are those of the algorithms and of the layouts,
 *     stop words their fingerprint
 */
public record IndexSettings(Map<String, String> entries) {
    static final String INPUT_PARTITIONS = "input.partitions";
    private static final String LAYOUT = "layout.";

    public IndexSettings {
        entries = Map.copyOf(entries);
    }

    /**
     * What an index made now would be bound to.
     *
     * @param inputPartitions partitions of the input topics, each the coordinator of its documents
     * @param layouts the versions of the layouts that it is written in, by kind
     */
    public static IndexSettings of(NeardupConfig config, int inputPartitions, Map<String, Integer> layouts) {
        Banding banding = config.banding();
        Map<String, String> entries = new LinkedHashMap<>();
        config.family().identity().forEach((name, value) -> Keys.own(name)
                .ifPresentOrElse(key -> entries.put(key, Expected.spelled(value)), () -> entries.put(name, value)));
        entries.put(Keys.SIGNATURE, config.signature().toString());
        entries.put(Keys.BANDS, String.valueOf(banding.bands()));
        entries.put(Keys.ROWS, String.valueOf(banding.rows()));
        entries.put("band-keys.version", String.valueOf(Banding.VERSION));
        entries.put(Keys.INDEX_PARTITIONS, String.valueOf(config.indexPartitions()));
        entries.put(INPUT_PARTITIONS, String.valueOf(inputPartitions));
        config.scope().ifPresent(scope -> entries.put(Keys.SCOPE, scope));
        if (config.isHtml()) {
            entries.put(Keys.DOCUMENT_HTML, "true");
            entries.put("html-text.version", String.valueOf(HtmlText.VERSION));
        }
        if (config.versions() == Versions.REPLACE) {
            entries.put(Keys.VERSIONS, Expected.spelled(Versions.REPLACE.name()));
        }
        layouts.forEach((kind, version) -> entries.put(LAYOUT + kind, String.valueOf(version)));
        return new IndexSettings(entries);
    }

    /** How many partitions the input had when the index was made, each the coordinator of its documents. */
    public int inputPartitions() {
        return Integer.parseInt(Objects.requireNonNull(entries.get(INPUT_PARTITIONS), INPUT_PARTITIONS));
    }

    /**
     * How these settings differ from those an index was made with, layouts aside; one line each, sorted; empty if they
     * fit it.
     *
     * @param stored the settings of the index
     */
    public List<String> differences(IndexSettings stored) {
        TreeSet<String> keys = new TreeSet<>(entries.keySet());
        keys.addAll(stored.entries.keySet());
        keys.removeIf(key -> key.startsWith(LAYOUT));
        List<String> differences = new ArrayList<>();
        for (String key : keys) {
            String now = entries.get(key);
            String before = stored.entries.get(key);
            if (!Objects.equals(now, before)) {
                differences.add(key + ": the index was made with " + shown(before) + ", now " + shown(now));
            }
        }
        return differences;
    }

    /**
     * The layouts of this index that a release does not read, one line each, sorted: no setting changes them.
     *
     * @param read the version that it reads, by kind
     */
    public List<String> unreadLayouts(Map<String, Integer> read) {
        TreeMap<String, String> expected = new TreeMap<>();
        entries.keySet().stream().filter(key -> key.startsWith(LAYOUT)).forEach(key -> expected.put(key, "nothing"));
        read.forEach((kind, version) -> expected.put(LAYOUT + kind, String.valueOf(version)));
        List<String> unread = new ArrayList<>();
        expected.forEach((key, version) -> {
            String found = shown(entries.get(key));
            if (!found.equals(version)) {
                unread.add(key + ": the index was made with " + found + ", this release reads " + version);
            }
        });
        return unread;
    }

    private static String shown(@Nullable String value) {
        return value == null ? "nothing" : value;
    }
}
