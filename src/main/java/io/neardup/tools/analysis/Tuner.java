package io.neardup.tools.analysis;

import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingling;
import io.neardup.tools.analysis.GatheredTexts.Bounds;
import io.neardup.tools.analysis.PairSample.Limits;
import io.neardup.tools.analysis.Tuning.Finding;
import io.neardup.tools.feed.Progress;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Measures pairs of documents by several shingles, and proposes settings. Where boilerplate holds most of the pairs
 * together that would be found, they are measured once more without it. Two runs agree.
 */
public final class Tuner {
    private static final long SEED = 1;

    /** Bytes of the texts that are held at once; of a larger file as many of askers, and of pairs that are measured. */
    private static final long HELD_BYTES_MAX = 1L << 27;
    /** Bytes of the askers' texts, of long ones the part that is measured: a shingle takes 8 bytes of each thread. */
    private static final long ASKED_BYTES_MAX = 8_000_000;
    /** Pairs of a stratum: as many as askers, so that each of them has neighbours there. */
    private static final int PAIRS_MAX = 10_000;
    /** Askers of a file that is not held. */
    private static final int ASKERS_MAX = 2_000;
    /**
     * Of a file that is not held each pair brings a text that is cut by each shingle. Two of each asker: of one alone,
     * halves of the documents would seem to have no neighbours.
     */
    private static final int READ_ALIKE_MAX = 2 * ASKERS_MAX;

    private static final int READ_UNLIKE_MAX = 1_000;
    /** To compare a byte of a pair by all shingles takes some 20 ns. */
    private static final long COMPARED_BYTES_MAX = 1_000_000_000L;

    private static final Limits HELD = new Limits(10_000, ASKED_BYTES_MAX, PAIRS_MAX, true, COMPARED_BYTES_MAX);

    private static final int PROGRESS_DOCUMENTS = 10_000;
    /** Of these boilerplate can be the reason. */
    private static final Set<Finding> BOILERPLATE_MAY_BE_WHY =
            EnumSet.of(Finding.PARTED, Finding.UNSURE, Finding.NO_VALLEY, Finding.ALL_ALIKE);

    private final DocumentLines.Source source;
    private final TuningTargets targets;
    private final Bounds bounds;
    private final Progress progress;

    /**
     * Nothing is read yet.
     *
     * @param documentsMax of these only the first are taken
     */
    public Tuner(DocumentLines.Source source, TuningTargets targets, int documentsMax, Progress progress) {
        this(source, targets, new Bounds(documentsMax, HELD_BYTES_MAX, ASKERS_MAX), progress);
    }

    Tuner(DocumentLines.Source source, TuningTargets targets, Bounds bounds, Progress progress) {
        this.source = source;
        this.targets = targets;
        this.bounds = bounds;
        this.progress = progress;
    }

    /**
     * Reads, measures and proposes.
     *
     * @throws IllegalArgumentException if no banding within the hashes reaches the recall
     */
    public Tuning tune() throws IOException {
        LetterCase letterCase = targets.shingling().letterCase();
        GatheredTexts gathered = GatheredTexts.of(source, letterCase, bounds, SEED, progress);
        Shingler screen = targets.shingler(PairSample.SCREEN);
        if (gathered.isWhole()) {
            return tune(gathered, PairSample.of(gathered.texts(), screen, HELD));
        }
        Limits limits = new Limits(
                bounds.sampleMax(),
                ASKED_BYTES_MAX,
                READ_ALIKE_MAX,
                true,
                READ_UNLIKE_MAX,
                COMPARED_BYTES_MAX,
                bounds.bytesMax());
        return tune(gathered, PairSample.of(gathered, passing -> readAgain(gathered, passing), screen, limits));
    }

    private void readAgain(GatheredTexts gathered, Consumer<ComparedText> passing) throws IOException {
        int documents = gathered.documents();
        try (DocumentLines lines = source.open()) {
            GatheredTexts.read(lines, targets.shingling().letterCase(), documents, text -> {
                passing.accept(text);
                progress.count(text.number(), PROGRESS_DOCUMENTS, "%,d of %,d documents compared", documents);
            });
        }
    }

    private Tuning tune(GatheredTexts gathered, PairSample pairs) {
        BoilerplateCounts counts = new BoilerplateCounts(gathered.texts());
        boolean isGiven = targets.shingling().boilerplate() != null;
        TuningRound first = round(gathered, pairs, isGiven ? without(counts) : all());
        Optional<Boilerplate> suspected = isGiven ? Optional.empty() : boilerplate(first, pairs, counts);
        TuningRound second = suspected.isPresent() ? round(gathered, pairs, without(counts)) : first;
        Optional<Boilerplate> boilerplate = suspected.filter(found -> isProven(first, second));
        TuningRound round = boilerplate.isPresent() ? second : first;
        return new Tuning(
                gathered.lines(),
                gathered.rejected(),
                gathered.documents(),
                pairs.askers(),
                pairs.pairs(),
                pairs.size(),
                gathered.typicalCharacters(),
                round.measured(),
                round.finding(),
                round.fit(),
                round.alternatives(),
                boilerplate);
    }

    /** What boilerplate makes of a first round, if it makes most of what would be found. */
    private Optional<Boilerplate> boilerplate(TuningRound round, PairSample pairs, BoilerplateCounts counts) {
        if (!BOILERPLATE_MAY_BE_WHY.contains(round.finding())) {
            return Optional.empty();
        }
        progress.update("counting shingles that many documents hold");
        MeasuredShingle best = round.best();
        return Optional.of(
                        Boilerplate.of(best, round.bestThreshold(), pairs, targets.shingling(best.shingle()), counts))
                .filter(Boilerplate::isMost);
    }

    /** What all documents share can be a template, or one story of which all are copies: without it they must part. */
    private static boolean isProven(TuningRound whole, TuningRound without) {
        return whole.finding() != Finding.ALL_ALIKE || without.finding() == Finding.PARTED;
    }

    private List<Shingling> all() {
        return targets.shingles().stream().map(targets::shingling).toList();
    }

    /** All shinglings without what is common; that of the settings always, others if they leave enough. */
    private List<Shingling> without(BoilerplateCounts counts) {
        return twoAtATime(all(), counts::without).stream()
                .filter(shingling -> shingling.spec().equals(targets.shingle()) || counts.isLeavingEnough(shingling))
                .toList();
    }

    private TuningRound round(GatheredTexts gathered, PairSample pairs, List<Shingling> shinglings) {
        AtomicInteger done = new AtomicInteger();
        List<MeasuredShingle> measured = twoAtATime(shinglings, shingling -> {
            MeasuredShingle tried = pairs.measure(shingling);
            synchronized (this) {
                progress.count(
                        pairs.pairs(),
                        1,
                        "%,d pairs compared by %d of %d shingles",
                        done.incrementAndGet(),
                        shinglings.size());
            }
            return tried;
        });
        return new TuningRound(measured, gathered, targets);
    }

    /** Does the same with each, however many processors there are: each holds what it measures. */
    private static <T, R> List<R> twoAtATime(List<T> all, Function<T, R> function) {
        ForkJoinPool threads = new ForkJoinPool(2);
        try {
            return threads.submit(() -> all.parallelStream().map(function).toList())
                    .join();
        } finally {
            threads.shutdownNow();
        }
    }
}
