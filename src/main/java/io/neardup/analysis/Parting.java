package io.neardup.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where documents part by the shingle of the deepest valley, and how sure that is: what random halves of the documents
 * say, each by the shingle that is best there.
 */
final class Parting {
    /** Valleys that are no deeper are found in chance alone. */
    private static final double DEPTH_MIN = 4;

    /** In random parts of labelled documents all proposals were good from here on, and some bad ones were near it. */
    private static final double DEPTH_SURE = 12;

    /** Most of the halves. */
    private static final int HALVES_SURE = PairTally.RESAMPLES / 2 + 1;

    /** Thresholds that are no further apart are alike. */
    private static final double NEAR = 0.1 + 1e-9;

    private final List<Proposed> proposals;

    private Parting(List<Proposed> proposals) {
        this.proposals = proposals;
    }

    private record Proposed(MeasuredShingle measured, Valley valley, int halves) {}

    /** Looks for it; of an equal depth the first shingle counts. */
    static Optional<Parting> of(List<MeasuredShingle> measured) {
        return deepest(measured, MeasuredShingle::valley)
                .filter(best -> best.valley.depth() >= DEPTH_MIN)
                .map(best -> new Parting(proposals(best, measured)));
    }

    private static List<Proposed> proposals(Proposed best, List<MeasuredShingle> measured) {
        List<Proposed> proposals = new ArrayList<>(List.of(best));
        for (int half = 0; half < PairTally.RESAMPLES; half++) {
            int asked = half;
            deepest(measured, shingle -> shingle.valleyOfHalf(asked)).ifPresent(found -> count(found, proposals));
        }
        proposals
                .subList(1, proposals.size())
                .sort(Comparator.comparingInt(Proposed::halves).reversed());
        return proposals;
    }

    private static void count(Proposed found, List<Proposed> proposals) {
        for (int i = 0; i < proposals.size(); i++) {
            Proposed known = proposals.get(i);
            if (Math.abs(known.valley.threshold() - found.valley.threshold()) <= NEAR) {
                proposals.set(i, new Proposed(known.measured, known.valley, known.halves + 1));
                return;
            }
        }
        proposals.add(new Proposed(found.measured, found.valley, 1));
    }

    private static Optional<Proposed> deepest(
            List<MeasuredShingle> measured, Function<MeasuredShingle, Optional<Valley>> valleyOf) {
        Proposed deepest = null;
        for (MeasuredShingle shingle : measured) {
            Valley valley = valleyOf.apply(shingle).orElse(null);
            if (valley != null && (deepest == null || valley.depth() > deepest.valley.depth())) {
                deepest = new Proposed(shingle, valley, 0);
            }
        }
        return Optional.ofNullable(deepest);
    }

    /** Whether the valley is deep, and most halves of the documents have it too. */
    boolean isSure() {
        return valley().depth() >= DEPTH_SURE && proposals.get(0).halves >= HALVES_SURE;
    }

    MeasuredShingle measured() {
        return proposals.get(0).measured;
    }

    Valley valley() {
        return proposals.get(0).valley;
    }

    /** The proposal, and behind it what halves propose instead, the more of them the earlier. */
    List<Alternative> alternatives() {
        return proposals.stream()
                .map(proposed -> Alternative.of(proposed.measured, proposed.valley.threshold(), proposed.halves))
                .toList();
    }
}
