package io.neardup.protocol;

import java.util.ArrayList;
import java.util.List;

/** What the band partitions answered to the lookups of a document. */
final class BandAnswers {
    private final List<Partitions.Share> shares;
    /** One a share. */
    private final boolean[] answered;

    private int missing;
    // Most documents have no candidates.
    private List<Refs> found = List.of();
    private int named;

    BandAnswers(List<Partitions.Share> shares) {
        this.shares = shares;
        this.answered = new boolean[shares.size()];
        this.missing = shares.size();
    }

    /** The band keys of the document, by the band partition that owns them. */
    List<Partitions.Share> shares() {
        return shares;
    }

    boolean awaits(int bandPartition) {
        int share = shareOf(bandPartition);
        return share >= 0 && !answered[share];
    }

    private int shareOf(int bandPartition) {
        for (int i = 0; i < answered.length; i++) {
            if (shares.get(i).bandPartition() == bandPartition) {
                return i;
            }
        }
        return -1;
    }

    /** Takes an answer; false, with nothing changed, if it is not awaited. */
    boolean add(int bandPartition, Found inBuckets) {
        if (!awaits(bandPartition)) {
            return false;
        }
        answered[shareOf(bandPartition)] = true;
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

    /** Takes those that were named: the first that each band partition named, then the second of each; some twice. */
    Refs takeFoundInTurns() {
        RefsBuilder inTurns = new RefsBuilder();
        int turns = found.stream().mapToInt(Refs::size).max().orElse(0);
        for (int turn = 0; turn < turns; turn++) {
            for (Refs answer : found) {
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
