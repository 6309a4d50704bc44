package io.neardup.tools.local;

import io.neardup.engine.similarity.Similarity;
import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.tools.local.LocalSummary.Example;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.common.cache.LRUCache;

/**
 * Picks a few pairs that show what the similarity means: one close to each of three levels between the threshold and 1,
 * of different originals.
 *
 * <p>Only the beginnings of the texts of recent uniques are remembered, at most 16 MB. A duplicate may come before the
 * unique that it names, as they are on different topics. Not thread-safe.
 */
final class DuplicateExamples {
    private static final double[] LEVELS = {0.85, 0.5, 0.15};
    private static final int UNIQUES_MAX = 1_000;
    private static final int WAITING_MAX = 200;
    private static final int TEXT_CHARS_MAX = 8_000;
    private static final int DOCUMENTS_MIN = 20_000;

    private final double threshold;
    private final DocumentReader reader;
    private final LRUCache<String, String> uniques = new LRUCache<>(UNIQUES_MAX);
    private final LRUCache<String, Duplicate> waiting = new LRUCache<>(WAITING_MAX);
    /** By the place of the level. */
    private final Map<Integer, Example> chosen = new HashMap<>();

    private long seen;

    DuplicateExamples(double threshold, DocumentReader reader) {
        this.threshold = threshold;
        this.reader = reader;
    }

    private record Duplicate(String id, Optional<String> text, Similarity similarity) {}

    void unique(InputRecord unique) {
        seen++;
        if (isWanted() && reader.read(unique) instanceof Document document) {
            String text = start(document.text().decode());
            uniques.put(document.id(), text);
            Duplicate duplicate = waiting.get(document.id());
            if (duplicate != null) {
                waiting.remove(document.id());
                choose(document.id(), text, duplicate);
            }
        }
    }

    /** @param original its id */
    void duplicate(InputRecord duplicate, String id, String original, Similarity similarity) {
        seen++;
        if (isWanted()) {
            Optional<String> text = reader.read(duplicate) instanceof Document document
                    ? Optional.of(start(document.text().decode()))
                    : Optional.empty();
            String originalText = uniques.get(original);
            Duplicate found = new Duplicate(id, text, similarity);
            if (originalText == null) {
                waiting.put(original, found);
            } else {
                choose(original, originalText, found);
            }
        }
    }

    /** The most similar ones first. */
    List<Example> chosen() {
        return chosen.values().stream()
                .sorted(Comparator.comparingDouble(
                                (Example example) -> example.similarity().value())
                        .reversed())
                .toList();
    }

    /** Reading a document again costs some microseconds: in a long run the later ones are left alone. */
    private boolean isWanted() {
        return seen <= DOCUMENTS_MIN || chosen.size() < LEVELS.length;
    }

    private void choose(String original, String originalText, Duplicate duplicate) {
        double similarity = duplicate.similarity.value();
        int level = IntStream.range(0, LEVELS.length)
                .boxed()
                .min(Comparator.comparingDouble(one -> distance(one, similarity)))
                .orElseThrow();
        Example present = chosen.get(level);
        boolean better = present == null
                || distance(level, similarity)
                        < distance(level, present.similarity().value());
        boolean isShownElsewhere = chosen.entrySet().stream()
                .anyMatch(other ->
                        other.getKey() != level && other.getValue().originalId().equals(original));
        if (better && !isShownElsewhere) {
            chosen.put(level, new Example(original, originalText, duplicate.id, duplicate.text, duplicate.similarity));
        }
    }

    private double distance(int level, double similarity) {
        return Math.abs(threshold + (1 - threshold) * LEVELS[level] - similarity);
    }

    private static String start(String text) {
        return text.length() <= TEXT_CHARS_MAX ? text : text.substring(0, TEXT_CHARS_MAX);
    }
}
