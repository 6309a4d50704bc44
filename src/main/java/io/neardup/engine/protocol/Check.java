package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Message.CheckCandidates;
import io.neardup.engine.protocol.Message.CheckId;
import io.neardup.engine.protocol.Message.CheckLookup;
import io.neardup.engine.protocol.Message.CheckVerified;
import io.neardup.engine.protocol.Message.CheckVerify;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Message.Neighbour;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Whether a document would be a duplicate, as who asks from outside follows it: {@link CheckLookup} to each index
 * partition that owns one of its buckets, {@link CheckVerify} to the coordinators of the candidates, and the
 * {@linkplain CheckResult result}. The document is never put into the index, and has no ref.
 *
 * <p>A repeated answer counts once. Nothing is asked again: where an answer is lost, there is no result.
 */
public final class Check {
    private final CheckId id;
    private final SignedDocument document;
    private final int askedMax;
    private final List<Partitions.Share> shares;
    /** How many answers returned a candidate. */
    private final Map<DocumentRef, Integer> returned = new HashMap<>();

    private final Set<Integer> indexPartitions = new HashSet<>();
    private final Set<Integer> coordinators = new HashSet<>();
    private final List<Neighbour> nearest = new ArrayList<>();
    private int truncated;
    private int fullBuckets;
    private int compared;

    /** @param askedMax candidates that are asked about at the most; the rest is truncated and counted */
    public Check(CheckId id, SignedDocument document, Partitions partitions, int askedMax) {
        this.id = id;
        this.document = document;
        this.askedMax = askedMax;
        this.shares = partitions.split(document.keys());
        shares.forEach(share -> indexPartitions.add(share.indexPartition()));
    }

    /** What to send first, by index partition. */
    public Map<Integer, CheckLookup> lookups() {
        Map<Integer, CheckLookup> lookups = new TreeMap<>();
        shares.forEach(share -> lookups.put(share.indexPartition(), new CheckLookup(id, share.keys())));
        return lookups;
    }

    /**
     * Takes an answer of an index partition.
     *
     * @return what to send next, by coordinator; nothing before the last of them has answered
     */
    public Map<Integer, CheckVerify> receive(CheckCandidates answer) {
        if (!indexPartitions.remove(answer.indexPartition())) {
            return Map.of();
        }
        Found found = answer.found();
        truncated += found.truncated();
        fullBuckets += found.fullBuckets();
        for (int i = 0; i < found.candidates().size(); i++) {
            returned.merge(found.candidates().get(i), 1, Integer::sum);
        }
        return indexPartitions.isEmpty() ? verifies() : Map.of();
    }

    private Map<Integer, CheckVerify> verifies() {
        Map<Integer, DocumentRefs.Builder> byCoordinator = new TreeMap<>();
        returned.entrySet().stream()
                .sorted(Map.Entry.<DocumentRef, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(askedMax)
                .forEach(candidate -> byCoordinator
                        .computeIfAbsent(candidate.getKey().coordinator(), coordinator -> new DocumentRefs.Builder())
                        .add(candidate.getKey().packed()));
        truncated += Math.max(0, returned.size() - askedMax);
        Map<Integer, CheckVerify> verifies = new TreeMap<>();
        byCoordinator.forEach((coordinator, refs) ->
                verifies.put(coordinator, new CheckVerify(id, document.evidence(), document.sketch(), refs.take())));
        coordinators.addAll(verifies.keySet());
        return verifies;
    }

    /** Takes the answer of a coordinator. */
    public void receive(CheckVerified answer) {
        if (coordinators.remove(answer.coordinator())) {
            nearest.addAll(answer.nearest());
            compared += answer.compared();
            truncated += answer.truncated();
        }
    }

    /** The result; empty while answers are missing. */
    public Optional<CheckResult> result() {
        if (!indexPartitions.isEmpty() || !coordinators.isEmpty()) {
            return Optional.empty();
        }
        nearest.sort(Neighbour.NEAREST_FIRST);
        return Optional.of(new CheckResult(document.id(), nearest, compared, truncated, fullBuckets));
    }

    /**
     * What a check found.
     *
     * @param id of the document that was checked
     * @param nearest documents of the index that are most similar to it, best first;
     *     {@link Message.CheckVerified#NEAREST_MAX} of each coordinator at most
     * @param compared with how many it was compared
     * @param truncated how many others that share a bucket were truncated at a bound
     * @param fullBuckets how many of its buckets were full, and may have refused others
     */
    public record CheckResult(String id, List<Neighbour> nearest, int compared, int truncated, int fullBuckets) {
        public CheckResult {
            nearest = List.copyOf(nearest);
        }

        /** The original that it would be a duplicate of at a threshold. */
        public Optional<Neighbour> originalAt(double threshold) {
            return nearest.stream()
                    .filter(neighbour ->
                            !neighbour.isPending() && neighbour.similarity().value() >= threshold)
                    .findFirst();
        }

        /** The threshold from which on, upwards, it would be unique; 0 where no original is like it. */
        public double uniqueAbove() {
            return nearest.stream()
                    .filter(neighbour -> !neighbour.isPending())
                    .mapToDouble(neighbour -> neighbour.similarity().value())
                    .max()
                    .orElse(0);
        }
    }
}
