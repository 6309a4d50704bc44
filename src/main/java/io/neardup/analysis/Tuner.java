package io.neardup.analysis;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Measures pairs of documents by several shingles, and proposes settings. Two runs agree. */
public final class Tuner {
    private static final long SEED = 1;

    /** Shared shingles that are counted, of all shinglers together: some ten seconds of one core. */
    private static final double WORK_MAX = 1e10;

    /** So large a share of the pairs is nearly all of them. */
    private static final double NEARLY_ALL = 0.99;

    /** Pairs from here on have more in common than not. */
    private static final double ALIKE = 0.5;

    /** Pairs from here on are equal but for a word or two. */
    private static final double NEARLY_EQUAL = 0.97;

    /** Fewer unrelated pairs do not tell what the index costs. */
    private static final int UNRELATED_MIN = 100;

    private final List<String> texts;
    private final TuningTargets targets;
    private final AnalysisProgress progress;

    /** @param texts canonical */
    public Tuner(List<String> texts, TuningTargets targets, AnalysisProgress progress) {
        this.texts = List.copyOf(texts);
        this.targets = targets;
        this.progress = progress;
    }

    /**
     * Measures and proposes.
     *
     * @throws IllegalArgumentException if no banding within the hashes reaches the recall
     */
    public Tuning tune() {
        progress.update("choosing pairs");
        AskedPairs pairs = new AskedPairs(texts, SEED);
        Collection<String> shingles = shingles();
        pairs.bound(shingles.stream().map(targets::shingler).toList(), WORK_MAX);
        AtomicInteger done = new AtomicInteger();
        List<MeasuredShingle> measured = shingles.parallelStream()
                .map(shingle -> {
                    MeasuredShingle pairsOf = pairs.measure(shingle, targets.shingler(shingle));
                    tell(pairs.pairs(), done.incrementAndGet(), shingles.size());
                    return pairsOf;
                })
                .toList();
        Optional<Parting> parting = Parting.of(measured);
        Finding finding = finding(parting, measured);
        return new Tuning(
                texts.size(),
                pairs.askers(),
                pairs.pairs(),
                typicalCharacters(),
                measured,
                finding,
                finding == Finding.PARTED ? fit(parting.orElseThrow()) : convention(measured),
                parting.map(Parting::alternatives).orElse(List.of()));
    }

    private synchronized void tell(long pairs, int done, int shingles) {
        progress.update(String.format(Locale.ROOT, "%,d pairs compared by %d of %d shingles", pairs, done, shingles));
    }

    private Collection<String> shingles() {
        Set<String> shingles = new LinkedHashSet<>(Tuning.SHINGLES);
        shingles.add(targets.shingle());
        return shingles;
    }

    private int typicalCharacters() {
        int[] rising = texts.stream().mapToInt(String::length).sorted().toArray();
        return rising.length == 0 ? 0 : rising[(rising.length - 1) / 2];
    }

    private Finding finding(Optional<Parting> parting, List<MeasuredShingle> measured) {
        SimilarityCounts usual = ofConvention(measured);
        if (texts.size() < Tuning.DOCUMENTS_MIN) {
            return Finding.TOO_FEW;
        }
        if (texts.stream().allMatch(texts.get(0)::equals)) {
            return Finding.ALL_EQUAL;
        }
        if (usual.pairsFrom(ALIKE) >= NEARLY_ALL * usual.pairs()) {
            return Finding.ALL_ALIKE;
        }
        if (parting.isPresent()) {
            boolean isSure = parting.get().isSure() && typicalCharacters() >= Tuning.CHARACTERS_MIN;
            return isSure ? Finding.PARTED : Finding.UNSURE;
        }
        double copies = usual.pairsFrom(targets.threshold());
        if (copies == 0) {
            return Finding.NO_COPIES;
        }
        return usual.pairsFrom(NEARLY_EQUAL) >= NEARLY_ALL * copies ? Finding.EXACT_COPIES : Finding.NO_VALLEY;
    }

    private ShingleFit fit(Parting parting) {
        MeasuredShingle measured = parting.measured();
        return ShingleFit.of(measured.shingle(), parting.valley().threshold(), measured.counts(), targets);
    }

    private ShingleFit convention(List<MeasuredShingle> measured) {
        SimilarityCounts pairs = ofConvention(measured);
        if (pairs.pairs() - pairs.pairsFrom(targets.threshold()) < UNRELATED_MIN) {
            pairs = new SimilarityCounts();
            pairs.add(targets.unrelated(), 1);
        }
        return ShingleFit.of(targets.shingle(), targets.threshold(), pairs, targets);
    }

    private SimilarityCounts ofConvention(List<MeasuredShingle> measured) {
        return measured.stream()
                .filter(tried -> tried.shingle().equals(targets.shingle()))
                .findFirst()
                .orElseThrow()
                .counts();
    }
}
