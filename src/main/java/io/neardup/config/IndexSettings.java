package io.neardup.config;

import io.neardup.html.HtmlText;
import io.neardup.lsh.Banding;
import io.neardup.protocol.Versions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Predicate;
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
     * @param inputPartitions partitions of the input topics, each the home of its documents
     * @param layouts the versions of the layouts that this release reads and writes, by kind
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
        entries.put(Keys.BAND_PARTITIONS, String.valueOf(config.bandPartitions()));
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

    /**
     * How these settings differ from those an index was made with, layouts aside; one line each, sorted; empty if they
     * fit it.
     *
     * @param stored the settings of the index
     */
    public List<String> differences(IndexSettings stored) {
        return differences(stored, key -> !key.startsWith(LAYOUT));
    }

    /** How the layouts of an index differ from those of this release, in the same form: no setting changes them. */
    public List<String> layoutDifferences(IndexSettings stored) {
        return differences(stored, key -> key.startsWith(LAYOUT));
    }

    private List<String> differences(IndexSettings stored, Predicate<String> counts) {
        TreeSet<String> keys = new TreeSet<>(entries.keySet());
        keys.addAll(stored.entries.keySet());
        keys.removeIf(counts.negate());
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

    private static String shown(@Nullable String value) {
        return value == null ? "nothing" : value;
    }
}
