package io.neardup.tools.analysis;

import io.neardup.tools.analysis.Choices.Choice;
import java.util.BitSet;
import java.util.Comparator;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;

/**
 * Chooses the pairs of which an answer tells most. The same answers lead to the same question.
 *
 * <ol>
 *   <li>The first ones halve the range in which same turns to other.
 *   <li>Then mostly a pair on which two choices of shingle and threshold differ: the best one, and the best under
 *       another curve that the answers leave open. The answer decides between the two.
 *   <li>Else any pair, the likelier the less is known of it.
 * </ol>
 */
final class PairChooser {
    private static final int HALVING = 8;
    /** Pairs among which one is drawn while halving. */
    private static final int NEAR = 20;

    private static final double BETWEEN_CHOICES = 0.7;
    private static final int DRAWS_MAX = 6;
    /** Fewer pairs between two choices do not matter. */
    private static final int DIFFERENT_MIN = 20;

    private final Choices choices;
    private final long seed;

    PairChooser(Choices choices, long seed) {
        this.choices = choices;
        this.seed = seed;
    }

    /**
     * The next question; empty if every pair was asked.
     *
     * @param asked pairs that are not to be asked
     * @param judged how many answers there are
     */
    OptionalInt next(BitSet asked, int judged, AnswerModel model) {
        SplittableRandom random = new SplittableRandom(seed + asked.cardinality());
        double[] chances = model.chances();
        if (judged < HALVING) {
            BitSet nearest = nearest(asked, chances);
            return drawn(asked, pair -> nearest.get(pair) ? 1 : 0, chances.length, random);
        }
        if (random.nextDouble() < BETWEEN_CHOICES) {
            BitSet different = different(asked, model, chances, random);
            if (!different.isEmpty()) {
                return drawn(asked, pair -> different.get(pair) ? 1 : 0, chances.length, random);
            }
        }
        return drawn(asked, pair -> chances[pair] * (1 - chances[pair]), chances.length, random);
    }

    private BitSet nearest(BitSet asked, double[] chances) {
        PriorityQueue<Integer> nearest =
                new PriorityQueue<>(Comparator.comparingDouble((Integer pair) -> Math.abs(chances[pair] - 0.5))
                        .reversed());
        for (int pair = asked.nextClearBit(0); pair < chances.length; pair = asked.nextClearBit(pair + 1)) {
            nearest.add(pair);
            if (nearest.size() > NEAR) {
                nearest.remove();
            }
        }
        BitSet pairs = new BitSet(chances.length);
        nearest.forEach(pairs::set);
        return pairs;
    }

    /** Pairs that one choice takes for duplicates and another does not; empty where they hardly differ. */
    private BitSet different(BitSet asked, AnswerModel model, double[] chances, SplittableRandom random) {
        Choice best = choices.best(chances);
        for (int draw = 0; draw < DRAWS_MAX; draw++) {
            Choice other = choices.best(model.drawn(random).chances());
            BitSet different = new BitSet(chances.length);
            for (int pair = asked.nextClearBit(0); pair < chances.length; pair = asked.nextClearBit(pair + 1)) {
                different.set(pair, choices.isAtOrAbove(best, pair) != choices.isAtOrAbove(other, pair));
            }
            if (different.cardinality() >= DIFFERENT_MIN) {
                return different;
            }
        }
        return new BitSet();
    }

    /** A pair that was not asked, with a chance in proportion to its weight. */
    private static OptionalInt drawn(BitSet asked, IntToDoubleFunction weight, int pairs, SplittableRandom random) {
        double sum = 0;
        int drawn = -1;
        for (int pair = asked.nextClearBit(0); pair < pairs; pair = asked.nextClearBit(pair + 1)) {
            double added = weight.applyAsDouble(pair) + Double.MIN_NORMAL;
            sum += added;
            drawn = random.nextDouble() * sum < added ? pair : drawn;
        }
        return drawn < 0 ? OptionalInt.empty() : OptionalInt.of(drawn);
    }
}
