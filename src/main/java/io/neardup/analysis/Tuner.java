package io.neardup.analysis;

import io.neardup.analysis.GatheredTexts.Bounds;
import io.neardup.lsh.BandingSolver;
import io.neardup.text.LetterCase;
import java.io.IOException;
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

    /** Texts of a file that are held at once; of a larger one only askers are, and pairs that are measured. */
    private static final long HELD_BYTES_MAX = 1L << 27;

    /** So large a share of the pairs is nearly all of them. */
    private static final double NEARLY_ALL = 0.99;

    /** Pairs from here on have more in common than not. */
    private static final double ALIKE = 0.5;

    /** Pairs from here on are equal but for a word or two. */
    private static final double NEARLY_EQUAL = 0.97;

    /** Fewer unrelated pairs do not tell what the index costs. */
    private static final int UNRELATED_MIN = 100;

    /** Askers of a file that is not held. */
    private static final int ASKERS_MAX = 2_000;

    private final DocumentSource source;
    private final TuningTargets targets;
    private final Bounds bounds;
    private final AnalysisProgress progress;

    /**
     * Nothing is read yet.
     *
     * @param documentsMax of these only the first are taken
     */
    public Tuner(DocumentSource source, TuningTargets targets, int documentsMax, AnalysisProgress progress) {
        this(source, targets, new Bounds(documentsMax, HELD_BYTES_MAX, ASKERS_MAX), progress);
    }

    Tuner(DocumentSource source, TuningTargets targets, Bounds bounds, AnalysisProgress progress) {
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
        return tune(
                gathered,
                gathered.isWhole()
                        ? asked(gathered.texts())
                        : ScreenedPairs.of(gathered, source, targets, bounds.bytesMax(), progress));
    }

    private MeasuredPairs asked(List<ComparedText> texts) {
        AskedPairs pairs = new AskedPairs(texts, SEED);
        pairs.bound(shingles().stream().map(targets::shingler).toList(), WORK_MAX);
        return pairs;
    }

    private Tuning tune(GatheredTexts gathered, MeasuredPairs pairs) {
        List<MeasuredShingle> measured = measure(pairs);
        Optional<Parting> parting =
                Parting.of(measured, (shingle, threshold) -> cost(shingle, threshold, gathered.documents()));
        Finding finding = finding(gathered, parting, measured);
        return new Tuning(
                gathered.lines(),
                gathered.rejected(),
                gathered.documents(),
                pairs.askers(),
                pairs.pairs(),
                gathered.typicalCharacters(),
                measured,
                finding,
                finding == Finding.PARTED
                        ? fit(parting.orElseThrow(), gathered.documents())
                        : convention(measured, gathered.documents()),
                parting.map(Parting::alternatives).orElse(List.of()),
                pairs::document);
    }

    private List<MeasuredShingle> measure(MeasuredPairs pairs) {
        Collection<String> shingles = shingles();
        AtomicInteger done = new AtomicInteger();
        return shingles.parallelStream()
                .map(shingle -> {
                    MeasuredShingle measured = pairs.measure(shingle, targets.shingler(shingle));
                    tell(pairs.pairs(), done.incrementAndGet(), shingles.size());
                    return measured;
                })
                .toList();
    }

    private synchronized void tell(long pairs, int done, int shingles) {
        progress.update(String.format(Locale.ROOT, "%,d pairs compared by %d of %d shingles", pairs, done, shingles));
    }

    private Collection<String> shingles() {
        Set<String> shingles = new LinkedHashSet<>(Tuning.SHINGLES);
        shingles.add(targets.shingle());
        return shingles;
    }

    private Finding finding(GatheredTexts texts, Optional<Parting> parting, List<MeasuredShingle> measured) {
        SimilarityCounts usual = ofConvention(measured);
        if (texts.documents() < Tuning.DOCUMENTS_MIN) {
            return Finding.TOO_FEW;
        }
        if (texts.isAllEqual()) {
            return Finding.ALL_EQUAL;
        }
        if (usual.pairsFrom(ALIKE) >= NEARLY_ALL * usual.pairs()) {
            return Finding.ALL_ALIKE;
        }
        if (parting.isPresent()) {
            boolean isSure = parting.get().isSure() && texts.typicalCharacters() >= Tuning.CHARACTERS_MIN;
            return isSure ? Finding.PARTED : Finding.UNSURE;
        }
        double copies = usual.pairsFrom(targets.threshold());
        if (copies == 0) {
            return Finding.NO_COPIES;
        }
        return usual.pairsFrom(NEARLY_EQUAL) >= NEARLY_ALL * copies ? Finding.EXACT_COPIES : Finding.NO_VALLEY;
    }

    private ShingleFit fit(Parting parting, int documents) {
        MeasuredShingle measured = parting.measured();
        return ShingleFit.of(measured.shingle(), parting.threshold(), measured.counts(), documents, targets);
    }

    /** False candidates; what is below one costs nothing that counts. */
    private double cost(MeasuredShingle measured, double threshold, int documents) {
        try {
            ShingleFit fit = ShingleFit.of(measured.shingle(), threshold, measured.counts(), documents, targets);
            return Math.max(BandingSolver.FALSE_CANDIDATES_MAX, fit.falseCandidates());
        } catch (IllegalArgumentException e) {
            return Double.POSITIVE_INFINITY;
        }
    }

    private ShingleFit convention(List<MeasuredShingle> measured, int documents) {
        SimilarityCounts pairs = ofConvention(measured);
        if (pairs.pairs() - pairs.pairsFrom(targets.threshold()) < UNRELATED_MIN) {
            pairs = new SimilarityCounts();
            pairs.add(targets.unrelated(), 1);
        }
        return ShingleFit.of(targets.shingle(), targets.threshold(), pairs, documents, targets);
    }

    private SimilarityCounts ofConvention(List<MeasuredShingle> measured) {
        return measured.stream()
                .filter(tried -> tried.shingle().equals(targets.shingle()))
                .findFirst()
                .orElseThrow()
                .counts();
    }
}
