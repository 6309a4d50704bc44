package io.neardup.config;

import io.neardup.engine.lsh.Banding;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.similarity.Verification;
import io.neardup.engine.text.Hash128;
import io.neardup.engine.text.HtmlText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
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
    private static final String INPUT_PARTITIONS = "input.partitions";
    private static final String LAYOUT = "layout.";

    /** What shapes normalized texts, and to which of them each is compared. */
    private static final List<String> SHAPING_TEXTS = List.of(
            Keys.LETTER_CASE.name(),
            "normalized-text.version",
            Keys.DOCUMENT_HTML.name(),
            "html-text.version",
            Keys.SCOPE.name());

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
        Map<String, String> entries = new LinkedHashMap<>();
        config.family().identity().forEach((name, value) -> {
            boolean isSetting = Keys.isKnown(Keys.PREFIX + name);
            entries.put(isSetting ? Keys.PREFIX + name : name, isSetting ? SettingType.spelled(value) : value);
        });
        entries.put(Keys.SIGNATURE.name(), config.signature());
        entries.put(Keys.BANDING.name(), SettingType.written(config.banding()));
        entries.put("band-keys.version", String.valueOf(Banding.VERSION));
        entries.put(Keys.INDEX_PARTITIONS.name(), String.valueOf(config.indexPartitions()));
        entries.put(INPUT_PARTITIONS, String.valueOf(inputPartitions));
        config.scope().ifPresent(scope -> entries.put(Keys.SCOPE.name(), scope));
        if (config.isHtml()) {
            entries.put(Keys.DOCUMENT_HTML.name(), "true");
            entries.put("html-text.version", String.valueOf(HtmlText.VERSION));
        }
        if (config.versions() == Versions.REPLACE) {
            entries.put(Keys.VERSIONS.name(), SettingType.written(Versions.REPLACE));
        }
        layouts.forEach((kind, version) -> entries.put(LAYOUT + kind, String.valueOf(version)));
        return new IndexSettings(entries);
    }

    /** How many partitions the input had when the index was made, each the coordinator of its documents. */
    public int inputPartitions() {
        return Integer.parseInt(Objects.requireNonNull(entries.get(INPUT_PARTITIONS), INPUT_PARTITIONS));
    }

    public boolean hasScopes() {
        return entries.containsKey(Keys.SCOPE.name());
    }

    /**
     * How these settings differ from those an index was made with, layouts aside; one line each, sorted; empty if they
     * fit it.
     *
     * @param stored the settings of the index
     */
    public List<String> differences(IndexSettings stored) {
        return differences(stored.entries(false), entries(false), "now");
    }

    /**
     * The layouts of this index that a release does not read, one line each, sorted: no setting changes them.
     *
     * @param read the version that it reads, by kind
     */
    public List<String> unsupportedLayouts(Map<String, Integer> read) {
        Map<String, String> layouts = new TreeMap<>();
        read.forEach((kind, version) -> layouts.put(LAYOUT + kind, String.valueOf(version)));
        return differences(entries(true), layouts, "this release reads");
    }

    private Map<String, String> entries(boolean areLayouts) {
        Map<String, String> some = new TreeMap<>(entries);
        some.keySet().removeIf(key -> key.startsWith(LAYOUT) != areLayouts);
        return some;
    }

    /** @param who has the others, with its verb */
    private static List<String> differences(Map<String, String> made, Map<String, String> others, String who) {
        Set<String> keys = new TreeSet<>(made.keySet());
        keys.addAll(others.keySet());
        return keys.stream()
                .filter(key -> !Objects.equals(made.get(key), others.get(key)))
                .map(key -> key + ": the index was made with " + shown(made.get(key)) + ", " + who + " "
                        + shown(others.get(key)))
                .toList();
    }

    /**
     * Why an index of other settings cannot be made from what this one keeps, its normalized texts, a line for each
     * setting; empty if it can. How these texts were made must be the same; what is made of them, as shingles,
     * signatures and bands, may be another.
     *
     * @param config of the index to be made
     * @param inputPartitions of the input now
     */
    public List<String> successorProblems(NeardupConfig config, int inputPartitions) {
        IndexSettings successor = of(config, inputPartitions, Map.of());
        List<String> problems = new ArrayList<>();
        if (!keepsOriginalTexts()) {
            problems.add(Keys.VERIFY.name() + ": the predecessor keeps no texts (" + Keys.SIGNATURE.name() + "="
                    + shown(entries.get(Keys.SIGNATURE.name())) + ", " + Keys.VERIFY.name() + "="
                    + shown(entries.get(Keys.VERIFY.name())) + "): nothing can be made from it");
        }
        boolean readsNormalizedText = config.family().readsNormalizedText();
        if (!readsNormalizedText) {
            problems.add(Keys.SIGNATURE.name() + ": expected one that compares normalized texts (minhash, simhash or"
                    + " exact), as the predecessor keeps no others, found " + config.signature());
        }
        for (String key : SHAPING_TEXTS) {
            String before = entries.get(key);
            String now = successor.entries.get(key);
            boolean isKnown = readsNormalizedText || key.equals(Keys.SCOPE.name());
            if (isKnown && !Objects.equals(before, now)) {
                problems.add(key + ": the predecessor was made with " + shown(before) + ", now " + shown(now));
            }
        }
        if (!config.seedTopics().isEmpty()) {
            problems.add(Keys.SEED_TOPICS.name() + ": expected none beside a predecessor, whose originals hold its own"
                    + " seeds, found " + config.seedTopics());
        }
        if (inputPartitions < inputPartitions()) {
            problems.add(Keys.INPUT_TOPICS.name() + ": expected at least " + inputPartitions()
                    + " partitions, as when the predecessor was made, found " + inputPartitions);
        }
        return problems;
    }

    /** Whether originals have a text, which others are compared with. */
    boolean keepsOriginalTexts() {
        return Families.OF_SHINGLES.contains(shown(entries.get(Keys.SIGNATURE.name())))
                && SettingType.written(Verification.EXACT).equals(entries.get(Keys.VERIFY.name()));
    }

    /**
     * What records are judged by, in 16 hexadecimal digits: all that an index is bound to, and what may change in its
     * life. How the work is spread over partitions is not among them, nor is the seed of the hashes, which each index
     * draws anew, nor what an index begins with, which may be left out once it has that.
     *
     * @param values of the settings
     */
    static String fingerprint(NeardupConfig config, SettingValues values) {
        SortedMap<String, String> judging =
                new TreeMap<>(of(config, 0, Map.of()).entries());
        // Of these nothing is judged any more: verdicts keep the fingerprint that they had with them.
        judging.put("neardup.shingles.max", String.valueOf(config.shingling().shinglesMax()));
        judging.put(Keys.SEED_JUDGE.name(), "false");
        judging.remove(INPUT_PARTITIONS);
        judging.remove(Keys.INDEX_PARTITIONS.name());
        Keys.all().stream().filter(Keys.Key::isJudging).forEach(key -> values.find(key)
                .ifPresent(value -> judging.put(key.name(), SettingType.written(value))));
        Hash128 hash = new Hash128();
        hash.add(judging.toString());
        return hash.fingerprint();
    }

    private static String shown(@Nullable String value) {
        return value == null ? "nothing" : value;
    }
}
