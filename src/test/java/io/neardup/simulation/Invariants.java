package io.neardup.simulation;

import io.neardup.protocol.Decision;
import io.neardup.sketch.Similarity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The promises, checked on what left the homes. */
final class Invariants {
    private final Corpus corpus;
    private final List<Input> inputs;
    private final List<List<Release>> releases;

    record Release(int document, Decision decision) {}

    /** The records of a topic that came to a home, in order; those that are no documents as negative numbers. */
    record Input(int home, String topic, List<Integer> records) {}

    /**
     * @param releases what left each home, in order
     */
    Invariants(Corpus corpus, List<Input> inputs, List<List<Release>> releases) {
        this.corpus = corpus;
        this.inputs = inputs;
        this.releases = releases;
    }

    /**
     * What is broken, if anything.
     *
     * @param originals the documents that are originals in the end: all unique ones but those forgotten
     */
    Optional<String> violation(boolean sequentialOutcomeExpected, Set<Integer> originals) {
        return conservationAndOrder()
                .or(this::notJudged)
                .or(this::domination)
                .or(() -> independence(originals))
                .or(() -> sequentialOutcomeExpected ? sequential() : Optional.empty());
    }

    private Map<Integer, Decision> decisions() {
        Map<Integer, Decision> decisions = new LinkedHashMap<>();
        releases.forEach(home -> home.stream()
                .filter(release -> release.document() >= 0)
                .forEach(release -> decisions.put(release.document(), release.decision())));
        return decisions;
    }

    private Optional<String> notJudged() {
        return releases.stream()
                .flatMap(List::stream)
                .filter(release -> release.document() < 0 && !(release.decision() instanceof Decision.Unjudged))
                .findFirst()
                .map(release -> "not judged: " + release);
    }

    private Optional<String> conservationAndOrder() {
        for (Input input : inputs) {
            List<Integer> left = releases.get(input.home()).stream()
                    .map(Release::document)
                    .filter(input.records()::contains)
                    .toList();
            if (!left.equals(input.records())) {
                return Optional.of("conservation or order: " + input + " left as " + left);
            }
        }
        return Optional.empty();
    }

    private Optional<String> domination() {
        Map<Integer, Decision> decisions = decisions();
        for (var entry : decisions.entrySet()) {
            if (entry.getValue() instanceof Decision.Duplicate duplicate) {
                int original = Integer.parseInt(duplicate.originalId().substring(1));
                Similarity exact = corpus.judged(entry.getKey(), original);
                if (!(decisions.get(original) instanceof Decision.Unique)
                        || exact.value() < Corpus.THRESHOLD
                        || !exact.equals(duplicate.similarity())) {
                    return Optional.of("domination: " + entry.getKey() + " is " + duplicate + ", exactly " + exact
                            + ", and that one is " + decisions.get(original));
                }
            }
        }
        return Optional.empty();
    }

    private Optional<String> independence(Set<Integer> originals) {
        List<Integer> unique = new ArrayList<>();
        for (var entry : decisions().entrySet()) {
            if (entry.getValue() instanceof Decision.Unique && originals.contains(entry.getKey())) {
                for (int other : unique) {
                    if (corpus.match(entry.getKey(), other)) {
                        return Optional.of("independence: " + entry.getKey() + " and " + other + " are both unique");
                    }
                }
                unique.add(entry.getKey());
            }
        }
        return Optional.empty();
    }

    /** One home with one topic only: what the sequential algorithm decides. */
    private Optional<String> sequential() {
        TreeSet<Integer> unique = new TreeSet<>();
        Map<Integer, Integer> originalOf = new HashMap<>();
        for (int document : inputs.get(0).records()) {
            if (document < 0) {
                continue;
            }
            Optional<Integer> original = unique.stream()
                    .filter(earlier -> corpus.match(document, earlier))
                    .reduce((a, b) -> better(document, a, b));
            original.ifPresentOrElse(o -> originalOf.put(document, o), () -> unique.add(document));
        }
        for (Release release : releases.get(0)) {
            if (release.document() < 0) {
                continue;
            }
            Integer expected = originalOf.get(release.document());
            Integer found = release.decision() instanceof Decision.Duplicate duplicate
                    ? (Integer) Integer.parseInt(duplicate.originalId().substring(1))
                    : null;
            if (!Objects.equals(expected, found)) {
                return Optional.of(
                        "sequential: " + release.document() + " should repeat " + expected + ", found " + found);
            }
        }
        return Optional.empty();
    }

    /** The more similar of two originals; of equal ones the earlier. */
    private int better(int document, int a, int b) {
        return corpus.similarity(document, b) > corpus.similarity(document, a) ? b : a;
    }
}
