package io.neardup.engine.protocol;

import java.util.ArrayList;
import java.util.List;

/** What the index partitions answered to the lookups of a document. */
final class BandAnswers {
    private final List<Partitions.Share> shares;
    /** One a share. */
    private final boolean[] answered;

    private int missing;
    // Most documents have no candidates.
    private List<DocumentRefs> found = List.of();
    private int named;

    BandAnswers(List<Partitions.Share> shares) {
        this.shares = shares;
        this.answered = new boolean[shares.size()];
        this.missing = shares.size();
    }

    /** The band keys of the document, by the index partition that owns them. */
    List<Partitions.Share> shares() {
        return shares;
    }

    boolean awaits(int indexPartition) {
        int share = shareOf(indexPartition);
        return share >= 0 && !answered[share];
    }

    private int shareOf(int indexPartition) {
        for (int i = 0; i < answered.length; i++) {
            if (shares.get(i).indexPartition() == indexPartition) {
                return i;
            }
        }
        return -1;
    }

    /** Takes an answer; false, with nothing changed, if it is not awaited. */
    boolean add(int indexPartition, Found inBuckets) {
        if (!awaits(indexPartition)) {
            return false;
        }
        answered[shareOf(indexPartition)] = true;
        missing--;
        if (!inBuckets.candidates().isEmpty()) {
            found = found.isEmpty() ? new ArrayList<>() : found;
            found.add(inBuckets.candidates());
            named += inBuckets.candidates().size();
        }
        return true;
    }

    boolean areAll() {
        return missing == 0;
    }

    boolean hasFound() {
        return !found.isEmpty();
    }

    /** Takes those that were named: the first that each index partition named, then the second of each; some twice. */
    DocumentRefs takeFoundInTurns() {
        DocumentRefsBuilder inTurns = new DocumentRefsBuilder();
        int turns = found.stream().mapToInt(DocumentRefs::size).max().orElse(0);
        for (int turn = 0; turn < turns; turn++) {
            for (DocumentRefs answer : found) {
                if (turn < answer.size()) {
                    inTurns.add(answer.packed(turn));
                }
            }
        }
        found = List.of();
        named = 0;
        return inTurns.take();
    }

    /** About how many bytes of heap those take that were named. */
    long bytes() {
        return (long) Long.BYTES * named;
    }
}
