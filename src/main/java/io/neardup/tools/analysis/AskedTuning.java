package io.neardup.tools.analysis;

import io.neardup.tools.analysis.AskedProposal.Cut;
import io.neardup.tools.analysis.Labels.DocumentPair;
import io.neardup.tools.analysis.Tuning.Finding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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
    /** For each part of the answers. */
    private static final int DRAWS_EACH = 20;

    private static final double EQUALLY_GOOD = 0.001;
    private static final int LEFT_OUT_INVERSE = 4;

    private final PairPool pool;
    private final Cuts cuts;
    private final PairChooser chooser;

    private final BitSet asked = new BitSet();
    private final Set<Integer> open = new LinkedHashSet<>();
    private final List<Judged> judged = new ArrayList<>();

    private record Judged(int pair, boolean isSame) {}

    public AskedTuning(PairPool pool) {
        this(pool, SEED);
    }

    AskedTuning(PairPool pool, long seed) {
        this.pool = pool;
        this.cuts = new Cuts(pool);
        this.chooser = new PairChooser(pool, cuts, seed);
    }

    /** Takes all that is said in a file; returns how many of its answers are on pairs that are not in the pool. */
    public int take(Labels labels) {
        int outside = 0;
        for (Map.Entry<DocumentPair, Answer> said : labels.answers().entrySet()) {
            int pair = pool.find(said.getKey().first(), said.getKey().second());
            if (pair >= 0) {
                take(pair, said.getValue());
            } else {
                outside += said.getValue().isJudged() ? 1 : 0;
            }
        }
        return outside;
    }

    /**
     * Takes an answer on a pair of the pool, which is not asked again. One that is open comes first. Of copies the
     * first answer counts, whichever of them it names.
     */
    public void take(int pair, Answer answer) {
        if (asked.get(pair)) {
            return;
        }
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

    /** Pairs of the pool that were answered in any way. */
    public int asked() {
        return asked.cardinality();
    }

    /** Whether a pair stands in a file and is not answered yet. */
    public boolean isOpen(int pair) {
        return open.contains(pair);
    }

    /** Pairs that stand in a file and are not answered yet. */
    public int open() {
        return open.size();
    }

    /** The pair of which an answer tells most, unless one is open; empty where all were asked. */
    public OptionalInt next() {
        return open.isEmpty()
                ? chooser.next(asked, judged.size(), model(judged))
                : OptionalInt.of(open.iterator().next());
    }

    /**
     * More pairs for answers in a file, so that with those that are open there is a round of them.
     *
     * @param questionsMax answers in all
     */
    public List<Integer> round(int questionsMax) {
        int more = Math.min(ROUND, questionsMax - asked()) - open();
        BitSet taken = (BitSet) asked.clone();
        open.forEach(taken::set);
        return more <= 0 ? List.of() : chooser.next(taken, judged.size(), model(judged), more);
    }

    private AnswerModel model(List<Judged> answers) {
        boolean[] isSame = new boolean[answers.size()];
        for (int i = 0; i < isSame.length; i++) {
            isSame[i] = answers.get(i).isSame();
        }
        return AnswerModel.of(pool, answers.stream().mapToInt(Judged::pair).toArray(), isSame);
    }

    /** Whether there are answers enough, of both kinds. */
    public boolean isEnough() {
        return judged.size() >= ANSWERS_MIN && judged(Answer.SAME) > 0 && judged(Answer.OTHER) > 0;
    }

    /**
     * The proposal, with what it rests on. To be asked for where the answers are enough.
     *
     * @param alone what the documents say without any answer; null where that is not known
     */
    public AskedProposal proposal(@Nullable Tuning alone) {
        AnswerModel model = model(judged);
        SplittableRandom random = new SplittableRandom(SEED);
        List<Cut> byShingle = cuts.byShingle(expected(model, DRAWS, random));
        Cut best = preferred(byShingle);
        Tuning sure = alone != null && alone.finding() == Finding.PARTED ? alone : null;
        Optional<Cut> before = sure == null ? Optional.empty() : cut(sure);
        double[] drawn = new double[DRAWS];
        int better = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            double[] chances = model.drawn(random).chances();
            drawn[draw] = cuts.f1(best, chances);
            better += before.isPresent() && drawn[draw] > cuts.f1(before.get(), chances) ? 1 : 0;
        }
        Arrays.sort(drawn);
        return new AskedProposal(
                best,
                byShingle,
                drawn[DRAWS / 20],
                drawn[DRAWS - 1 - DRAWS / 20],
                sure == null || better >= AskedProposal.BETTER_MIN * DRAWS,
                stable(best, random),
                (int) judged.stream()
                        .filter(said -> cuts.isTold(best, said.pair()) != said.isSame())
                        .count(),
                pairsTold(best));
    }

    /** What the documents alone say, if it can be weighed by these pairs: boilerplate counts in them. */
    private Optional<Cut> cut(Tuning alone) {
        int shingle = pool.shingles().indexOf(alone.proposal().shingle());
        return alone.boilerplate().isPresent() || shingle < 0
                ? Optional.empty()
                : Optional.of(new Cut(
                        shingle, alone.proposal().shingle(), alone.proposal().threshold(), Double.NaN));
    }

    /** The chances over all curves that the answers leave open. */
    private double[] expected(AnswerModel model, int draws, SplittableRandom random) {
        double[] mean = new double[pool.size()];
        for (int draw = 0; draw < draws; draw++) {
            double[] chances = model.drawn(random).chances();
            for (int pair = 0; pair < mean.length; pair++) {
                mean[pair] += chances[pair] / draws;
            }
        }
        return mean;
    }

    private long pairsTold(Cut cut) {
        return pool.equalPairs()
                + Math.round(IntStream.range(0, pool.size())
                        .filter(pair -> cuts.isTold(cut, pair))
                        .mapToDouble(pool::weight)
                        .sum());
    }

    /** The best; of equally good ones one that minds the order of words. */
    private Cut preferred(List<Cut> byShingle) {
        double highest = byShingle.stream().mapToDouble(Cut::f1).max().orElseThrow();
        return byShingle.stream()
                .filter(cut -> cut.f1() >= highest - EQUALLY_GOOD)
                .max(Comparator.comparing((Cut cut) -> !ShingleFit.isWithoutOrder(cut.shingle()))
                        .thenComparingDouble(Cut::f1))
                .orElseThrow();
    }

    /** How often it is near the best without some of the answers. */
    private int stable(Cut proposed, SplittableRandom random) {
        int stable = 0;
        for (int i = 0; i < AskedProposal.RESAMPLES; i++) {
            List<Judged> kept = judged.stream()
                    .filter(said -> random.nextInt(LEFT_OUT_INVERSE) > 0)
                    .toList();
            double[] chances = expected(model(kept), DRAWS_EACH, random);
            stable += cuts.f1(proposed, chances) >= cuts.best(chances).f1() - AskedProposal.NEAR ? 1 : 0;
        }
        return stable;
    }

    /**
     * What a choice costs.
     *
     * @param documents in the index where the targets do not say
     * @throws IllegalArgumentException if no banding within the hashes reaches the recall
     */
    public ShingleFit fit(Cut cut, long documents, TuningTargets targets) {
        return ShingleFit.of(cut.shingle(), cut.threshold(), pool.counts(cut.place()), documents, targets);
    }
}
