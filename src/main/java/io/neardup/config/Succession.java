package io.neardup.config;

import io.neardup.engine.similarity.Verification;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether an index can be made from what another one keeps, its normalized texts: how these were made must be the same.
 * What is made of them, as shingles, signatures and bands, may be another.
 */
public final class Succession {
    /** What shapes normalized texts, and to which of them each is compared. */
    private static final List<String> SAME =
            List.of(Keys.LETTER_CASE, "normalized-text.version", Keys.DOCUMENT_HTML, "html-text.version", Keys.SCOPE);

    private static final List<String> KEEPING_TEXTS = List.of("minhash", "simhash");

    private Succession() {}

    /**
     * Why an index of these settings cannot be made from another, a line for each setting; empty if it can.
     *
     * @param predecessor what the other was made with
     * @param inputPartitions of the input now
     */
    public static List<String> problems(IndexSettings predecessor, NeardupConfig config, int inputPartitions) {
        IndexSettings own = IndexSettings.of(config, inputPartitions, Map.of());
        List<String> problems = new ArrayList<>();
        if (!keepsTexts(predecessor)) {
            problems.add(Keys.VERIFY + ": the predecessor keeps no texts (" + Keys.SIGNATURE + "="
                    + shown(predecessor.entries().get(Keys.SIGNATURE)) + ", " + Keys.VERIFY + "="
                    + shown(predecessor.entries().get(Keys.VERIFY)) + "): nothing can be made from it");
        }
        if (!config.family().readsNormalizedText()) {
            problems.add(
                    Keys.SIGNATURE + ": expected one that compares normalized texts (minhash, simhash, or exact with "
                            + Keys.EXACT_TEXT + "=normalized), as the predecessor keeps no others, found "
                            + config.signature());
        }
        for (String key : SAME) {
            String before = predecessor.entries().get(key);
            String now = own.entries().get(key);
            boolean isTold = config.family().readsNormalizedText() || key.equals(Keys.SCOPE);
            if (isTold && !Objects.equals(before, now)) {
                problems.add(key + ": the predecessor was made with " + shown(before) + ", now " + shown(now));
            }
        }
        if (!config.seedTopics().isEmpty()) {
            problems.add(Keys.SEED_TOPICS + ": expected none beside a predecessor, whose originals hold its own seeds,"
                    + " found " + config.seedTopics());
        }
        int coordinators = predecessor.inputPartitions();
        if (inputPartitions < coordinators) {
            problems.add(Keys.INPUT_TOPICS + ": expected at least " + coordinators
                    + " partitions, as when the predecessor was made, found " + inputPartitions);
        }
        return problems;
    }

    /** Whether documents of an index are compared by scope. */
    public static boolean hasScopes(IndexSettings settings) {
        return settings.entries().containsKey(Keys.SCOPE);
    }

    private static boolean keepsTexts(IndexSettings index) {
        String signature = String.valueOf(index.entries().get(Keys.SIGNATURE)).toLowerCase(Locale.ROOT);
        return KEEPING_TEXTS.contains(signature)
                && Expected.spelled(Verification.EXACT.name())
                        .equals(index.entries().get(Keys.VERIFY));
    }

    private static String shown(@Nullable String value) {
        return value == null ? "nothing" : value;
    }
}
