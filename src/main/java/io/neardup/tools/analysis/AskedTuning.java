package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.neardup.tools.analysis.AnswerModel.Judged;
import io.neardup.tools.analysis.Choices.Choice;
import io.neardup.tools.analysis.Labels.DocumentPair;
import io.neardup.tools.analysis.Tuning.Finding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Asks people about pairs of a pool, and proposes shingle and threshold from what they say. Pairs are chosen for what
 * their answers tell, so they are no sample of the pool, and F1 on them says little. It is estimated over all pairs of
 * the pool, each with its chance to be the same by {@link AnswerModel}.
 *
 * <p>The same answers lead to the same questions and the same proposal.
 */
public final class AskedTuning {
    /** Fewer answers do not make a proposal. */
    public static final int ANSWERS_MIN = 6;

    /** Questions that are written at once, for people who answer in a file: the next ones follow from the answers. */
    public static final int ROUND = 5;

    private static final long SEED = 1;
    private static final int DRAWS = 60;
    private static final double EQUALLY_GOOD = 0.001;
    /** By these texts of the same words in another order are equal, or nearly so. */
    private static final Set<String> WITHOUT_ORDER = Set.of("word:1", "char:3", "char:4");

    private static final double BETTER_MIN = 0.9;
    /** A threshold of which F1 may be lower is a guess. */
    private static final double F1_MIN = 0.5;

    /**
     * What answers on pairs propose.
     *
     * @param best shingle and threshold of the highest F1 that is expected
     * @param byShingle the best threshold of each shingle
     * @param f1Low F1 of the proposal is above it with a chance of 95 %, by the model
     * @param f1High and below this one
     * @param isBetter whether it is better than what the documents alone say, with a chance of .9; true where these say
     *     nothing
     * @param pairs that are at or above the threshold
     */
    public record Proposal(
            @JsonUnwrapped Choice best,
            @JsonIgnore List<Choice> byShingle,
            double f1Low,
            double f1High,
            boolean isBetter,
            long pairs) {
        /** Whether the answers tell enough to leave what the documents alone say. */
        @JsonProperty("isProposed")
        public boolean tellsEnough() {
            return f1Low >= F1_MIN && isBetter;
        }
    }

    private final PairPool pool;
    private final Choices choices;
    private final PairChooser chooser;

    private final BitSet asked = new BitSet();
    private final Set<Integer> open = new LinkedHashSet<>();
    private final List<Judged> judged = new ArrayList<>();

    public AskedTuning(PairPool pool) {
        this(pool, SEED);
    }

    AskedTuning(PairPool pool, long seed) {
        this.pool = pool;
        this.choices = new Choices(pool);
        this.chooser = new PairChooser(choices, seed);
    }

    /** Takes all that is said in a file; returns how many of its answers are on pairs that are not in the pool. */
    public int take(Labels labels) {
        Map<DocumentPair, Integer> pairs = new HashMap<>();
        for (int pair = 0; pair < pool.size(); pair++) {
            pairs.put(new DocumentPair(pool.first(pair), pool.second(pair)), pair);
        }
        int outside = 0;
        for (Map.Entry<DocumentPair, Answer> said : labels.answers().entrySet()) {
            Integer pair = pairs.get(said.getKey());
            if (pair != null) {
                take(pair, said.getValue());
            } else {
                outside += said.getValue().isJudged() ? 1 : 0;
            }
        }
        return outside;
    }

    /** Takes an answer on a pair of the pool, which is not asked again. One that is open comes first. */
    public void take(int pair, Answer answer) {
        if (answer == Answer.OPEN) {
            open.add(pair);
        } else {
            asked.set(pair);
            open.remove(pair);
            if (answer.isJudged()) {
                judged.add(new Judged(pair, answer == Answer.SAME));
            }
        }
    }

    /** Pairs of the pool that are judged to be the same, or to be others. */
    public int judged(Answer answer) {
        return (int) judged.stream()
                .filter(said -> said.isSame() == (answer == Answer.SAME))
                .count();
    }

    public int judged() {
        return judged.size();
    }

    /** Pairs of the pool that were answered in any way. */
    public int asked() {
        return asked.cardinality();
    }

    /** Whether a pair stands in a file and is not answered yet. */
    public boolean isOpen(int pair) {
        return open.contains(pair);
    }

    public int open() {
        return open.size();
    }

    /** The pair of which an answer tells most, unless one is open; empty where all were asked. */
    public OptionalInt next() {
        return open.isEmpty()
                ? chooser.next(asked, judged.size(), model())
                : OptionalInt.of(open.iterator().next());
    }

    /**
     * More pairs for answers in a file, so that with those that are open there is a round of them.
     *
     * @param questionsMax answers in all
     */
    public List<Integer> round(int questionsMax) {
        BitSet taken = (BitSet) asked.clone();
        open.forEach(taken::set);
        AnswerModel model = model();
        List<Integer> round = new ArrayList<>();
        for (int more = Math.min(ROUND, questionsMax - asked()) - open(); more > 0; more--) {
            chooser.next(taken, judged.size(), model).ifPresent(pair -> {
                taken.set(pair);
                round.add(pair);
            });
        }
        return round;
    }

    private AnswerModel model() {
        return AnswerModel.of(pool, judged);
    }

    public boolean isEnough() {
        return judged.size() >= ANSWERS_MIN && judged(Answer.SAME) > 0 && judged(Answer.OTHER) > 0;
    }

    /**
     * The proposal, with what it rests on. To be asked for where the answers are enough.
     *
     * @param alone what the documents say without any answer
     */
    public Proposal proposal(Tuning alone) {
        AnswerModel model = model();
        SplittableRandom random = new SplittableRandom(SEED);
        double[] expected = new double[pool.size()];
        for (int draw = 0; draw < DRAWS; draw++) {
            double[] drawn = model.drawn(random).chances();
            Arrays.setAll(expected, pair -> expected[pair] + drawn[pair] / DRAWS);
        }
        List<Choice> byShingle = choices.byShingle(expected);
        Choice best = preferred(byShingle);
        Choice before = alone.finding() == Finding.PARTED ? choiceOf(alone.proposal()) : null;
        double[] f1 = new double[DRAWS];
        int better = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            double[] drawn = model.drawn(random).chances();
            f1[draw] = choices.f1(best, drawn);
            better += before == null || f1[draw] > choices.f1(before, drawn) ? 1 : 0;
        }
        Arrays.sort(f1);
        double pairs = IntStream.range(0, pool.size())
                .filter(pair -> choices.isAtOrAbove(best, pair))
                .mapToDouble(pool::weight)
                .sum();
        return new Proposal(
                best,
                byShingle,
                f1[DRAWS / 20 - 1],
                f1[DRAWS - DRAWS / 20],
                better >= BETTER_MIN * DRAWS,
                Math.round(pairs));
    }

    private Choice choiceOf(ShingleFit alone) {
        return new Choice(pool.shingles().indexOf(alone.shingle()), alone.shingle(), alone.threshold(), Double.NaN);
    }

    /** The best; of equally good ones one that minds the order of words. */
    private static Choice preferred(List<Choice> byShingle) {
        double highest = byShingle.stream().mapToDouble(Choice::f1).max().orElseThrow();
        return byShingle.stream()
                .filter(choice -> choice.f1() >= highest - EQUALLY_GOOD)
                .max(Comparator.comparing((Choice choice) -> !WITHOUT_ORDER.contains(choice.shingle()))
                        .thenComparingDouble(Choice::f1))
                .orElseThrow();
    }

    /**
     * What a choice costs.
     *
     * @param documents in the index where the targets do not say
     * @throws IllegalArgumentException if no banding within the hashes reaches the recall
     */
    public ShingleFit fit(Choice choice, long documents, TuningTargets targets) {
        return ShingleFit.of(choice.shingle(), choice.threshold(), pool.counts(choice.place()), documents, targets);
    }
}
