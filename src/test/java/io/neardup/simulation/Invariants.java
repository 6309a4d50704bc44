package io.neardup.simulation;

import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.Decision;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.protocol.Provenance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The promises, checked on what left the coordinators.
 *
 * @param releases what left each coordinator, in order
 * @param seeds how many of the first documents are originals whatever they resemble
 * @param history the inputs with what a predecessor took of them
 * @param inherited the documents that were originals of the predecessor
 * @param marked those of them that were bounded when they were taken over
 */
record Invariants(
        Corpus corpus,
        List<Input> inputs,
        List<List<Release>> releases,
        Versions versions,
        int seeds,
        List<Input> history,
        Set<Integer> inherited,
        Set<Integer> marked) {

    record Release(int document, Decision decision) {}

    /** The records of a topic that came to a coordinator, in order; those that are no documents as negative numbers. */
    record Input(int coordinator, String topic, List<Integer> records) {
        /** Its records from one place up to another. */
        Input part(int from, int to) {
            return new Input(coordinator, topic, records.subList(from, to));
        }
    }

    /**
     * What is broken, if anything.
     *
     * @param copies whether they are copies, of which one is found by all of a text: marks excuse nothing there
     * @param sequentialOutcomeExpected whether every document asked all that its buckets should have had, one after the
     *     other
     * @param originals the documents that are originals in the end: all unique ones but those forgotten
     */
    Optional<String> violation(boolean copies, boolean sequentialOutcomeExpected, Set<Integer> originals) {
        return conservationAndOrder()
                .or(this::notJudged)
                .or(this::seedsThatAreNoOriginals)
                .or(this::validReference)
                .or(this::nearest)
                .or(() -> noRemainingDuplicates(originals, copies))
                .or(() -> sequentialOutcomeExpected ? sequential() : Optional.empty());
    }

    private Map<Integer, Decision> decisions() {
        Map<Integer, Decision> decisions = new LinkedHashMap<>();
        releases.forEach(coordinator -> coordinator.stream()
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

    private Optional<String> seedsThatAreNoOriginals() {
        return decisions().entrySet().stream()
                .filter(decided -> decided.getKey() < seeds && !(decided.getValue() instanceof Decision.Unique))
                .findFirst()
                .map(decided -> "seed: " + decided + " is to be an original, whatever it resembles");
    }

    private Optional<String> conservationAndOrder() {
        for (Input input : inputs) {
            List<Integer> left = releases.get(input.coordinator()).stream()
                    .map(Release::document)
                    .filter(input.records()::contains)
                    .toList();
            if (!left.equals(input.records())) {
                return Optional.of("conservation or order: " + input + " left as " + left);
            }
        }
        return Optional.empty();
    }

    private Optional<String> validReference() {
        Map<Integer, Decision> decisions = decisions();
        for (var entry : decisions.entrySet()) {
            if (entry.getValue() instanceof Decision.Duplicate duplicate
                    && (duplicate.similarity().value() < Corpus.THRESHOLD
                            || mayHaveBeenOriginals(decisions)
                                    .noneMatch(other -> names(duplicate, entry.getKey(), other)))) {
                return Optional.of("valid-reference: " + entry.getKey() + " is " + duplicate + ", of " + decisions);
            }
        }
        return Optional.empty();
    }

    private Stream<Integer> mayHaveBeenOriginals(Map<Integer, Decision> decisions) {
        return Stream.concat(
                inherited.stream(),
                decisions.keySet().stream().filter(other -> mayHaveBeenOriginal(decisions.get(other))));
    }

    /** The nearest below the threshold is an original that did not come later, and as similar as it is said to be. */
    private Optional<String> nearest() {
        Map<Integer, Decision> decisions = decisions();
        for (var entry : decisions.entrySet()) {
            Neighbour nearest = entry.getValue() instanceof Decision.Unique unique ? unique.nearestBelow() : null;
            if (nearest != null
                    && (nearest.similarity().value() >= Corpus.THRESHOLD
                            || mayHaveBeenOriginals(decisions)
                                    .noneMatch(other -> isIt(nearest, entry.getKey(), other)))) {
                return Optional.of("nearest: " + entry.getKey() + " is told of " + nearest + ", of " + decisions);
            }
        }
        return Optional.empty();
    }

    private boolean isIt(Neighbour nearest, int document, int original) {
        return corpus.id(original).equals(nearest.id())
                && provenance(original).equals(nearest.provenance())
                && !cameLater(original, document)
                && corpus.judged(document, original).equals(nearest.similarity());
    }

    /** In the same input: of others the order is not known. */
    private boolean cameLater(int document, int before) {
        return history.stream().map(Input::records).anyMatch(records -> {
            int at = records.indexOf(before);
            return at >= 0 && records.indexOf(document) > at;
        });
    }

    /** Unique, or not judged in the end: of an original that was withdrawn a duplicate may have left before. */
    private static boolean mayHaveBeenOriginal(@Nullable Decision decision) {
        return decision instanceof Decision.Unique || decision instanceof Decision.Unjudged;
    }

    /** That of each document is its own. */
    static Provenance provenance(int document) {
        return new Provenance("t-0-" + document, "", document, 1);
    }

    /** The provenance tells documents of one id apart. */
    private boolean names(Decision.Duplicate duplicate, int document, int original) {
        return corpus.id(original).equals(duplicate.originalId())
                && provenance(original).equals(duplicate.provenance())
                && corpus.judged(document, original).equals(duplicate.similarity());
    }

    /**
     * A document that was bounded is marked, and may have missed another. Of copies of one text even these are found:
     * they come before all others.
     */
    private Optional<String> noRemainingDuplicates(Set<Integer> originals, boolean copies) {
        List<Integer> unique =
                new ArrayList<>(inherited.stream().filter(originals::contains).toList());
        Set<Integer> bounded = new HashSet<>(marked);
        for (var entry : decisions().entrySet()) {
            int document = entry.getKey();
            if (entry.getValue() instanceof Decision.Unique decision && originals.contains(document)) {
                if (!decision.bounds().isEmpty()) {
                    bounded.add(document);
                }
                for (int other : unique) {
                    boolean areSeeds = other < seeds && document < seeds;
                    boolean isExcused = (bounded.contains(document) || bounded.contains(other))
                            && !(copies && corpus.areCopies(document, other));
                    if (!areSeeds
                            && !isExcused
                            && corpus.match(document, other)
                            && !isNewVersion(document)
                            && !isNewVersion(other)) {
                        return Optional.of(
                                "no-remaining-duplicates: " + document + " and " + other + " are both unique");
                    }
                }
                unique.add(document);
            }
        }
        return Optional.empty();
    }

    /** Whether the document may have been unique only because it was to replace an earlier one. */
    private boolean isNewVersion(int document) {
        if (versions == Versions.COMPARE) {
            return false;
        }
        int coordinator = history.stream()
                .filter(input -> input.records().contains(document))
                .findFirst()
                .orElseThrow()
                .coordinator();
        return history.stream()
                .filter(input -> input.coordinator() == coordinator)
                .flatMap(input -> input.records().stream())
                .anyMatch(other ->
                        other >= 0 && other != document && corpus.id(other).equals(corpus.id(document)));
    }

    /**
     * One topic only: what has the id of an earlier unique document of its coordinator is unique; one that was
     * withdrawn may have taken the place of that before.
     */
    Optional<String> uniqueVersions() {
        Map<Integer, Decision> decisions = decisions();
        for (Input input : inputs) {
            Set<String> unique = new HashSet<>();
            for (int document : input.records()) {
                if (document < 0) {
                    continue;
                }
                String id = corpus.id(document);
                Decision decision = decisions.get(document);
                if (decision instanceof Decision.Unique) {
                    unique.add(id);
                } else if (decision instanceof Decision.Unjudged) {
                    unique.remove(id);
                } else if (unique.contains(id)) {
                    return Optional.of("versions: " + document + " is " + decision);
                }
            }
        }
        return Optional.empty();
    }

    /** One coordinator with one topic only: what the sequential algorithm decides, the seeds first. */
    private Optional<String> sequential() {
        TreeSet<Integer> unique = new TreeSet<>();
        Map<Integer, Integer> originalOf = new HashMap<>();
        for (int document :
                inputs.stream().flatMap(input -> input.records().stream()).toList()) {
            if (document < 0) {
                continue;
            }
            Optional<Integer> original = document < seeds
                    ? Optional.empty()
                    : unique.stream()
                            .filter(earlier -> corpus.match(document, earlier))
                            .reduce((a, b) -> better(document, a, b));
            original.ifPresentOrElse(o -> originalOf.put(document, o), () -> unique.add(document));
        }
        for (Release release : releases.get(0)) {
            if (release.document() < 0) {
                continue;
            }
            Integer expected = originalOf.get(release.document());
            boolean kept = release.decision() instanceof Decision.Duplicate duplicate
                    ? expected != null && names(duplicate, release.document(), expected)
                    : expected == null && mayHaveBeenOriginal(release.decision());
            if (!kept) {
                return Optional.of("sequential: " + release.document() + " should repeat " + expected + ", found "
                        + release.decision());
            }
        }
        return Optional.empty();
    }

    /** The more similar of two originals; of equal ones the earlier. */
    private int better(int document, int a, int b) {
        return corpus.similarity(document, b) > corpus.similarity(document, a) ? b : a;
    }
}
