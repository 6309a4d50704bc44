package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Message.CheckCandidates;
import io.neardup.engine.protocol.Message.CheckLookup;
import io.neardup.engine.protocol.Message.CheckVerified;
import io.neardup.engine.protocol.Message.CheckVerify;
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
    /** How many answers name a candidate. */
    private final Map<DocumentRef, Integer> named = new HashMap<>();

    private final Set<Integer> indexPartitions = new HashSet<>();
    private final Set<Integer> coordinators = new HashSet<>();
    private final List<Neighbour> nearest = new ArrayList<>();
    private int leftOut;
    private int fullBuckets;
    private int compared;

    /** @param askedMax candidates that are asked about at the most; the rest is left out and counted */
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
        leftOut += found.leftOut();
        fullBuckets += found.fullBuckets();
        for (int i = 0; i < found.candidates().size(); i++) {
            named.merge(found.candidates().get(i), 1, Integer::sum);
        }
        return indexPartitions.isEmpty() ? verifies() : Map.of();
    }

    private Map<Integer, CheckVerify> verifies() {
        Map<Integer, DocumentRefsBuilder> byCoordinator = new TreeMap<>();
        named.entrySet().stream()
                .sorted(Map.Entry.<DocumentRef, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(askedMax)
                .forEach(candidate -> byCoordinator
                        .computeIfAbsent(candidate.getKey().coordinator(), coordinator -> new DocumentRefsBuilder())
                        .add(candidate.getKey().packed()));
        leftOut += Math.max(0, named.size() - askedMax);
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
            leftOut += answer.leftOut();
        }
    }

    /** The result; empty while answers are missing. */
    public Optional<CheckResult> result() {
        if (!indexPartitions.isEmpty() || !coordinators.isEmpty()) {
            return Optional.empty();
        }
        nearest.sort(Neighbour.NEAREST_FIRST);
        return Optional.of(new CheckResult(document.id(), nearest, compared, leftOut, fullBuckets));
    }
}
