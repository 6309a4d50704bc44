package io.neardup.tools.analysis;

import io.neardup.config.NeardupConfig;
import io.neardup.engine.text.Shingling;
import io.neardup.record.Document;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds all similar pairs of documents, and which of them the settings find. One evaluator is for one call. */
public final class Evaluator {
    /** Any seed will do, as nothing is kept; a fixed one makes two runs alike. */
    private static final long SEED = 0;

    private static final int PROGRESS_DOCUMENTS = 100;

    private final List<Document> documents;
    private final NeardupConfig config;
    private final double floor;
    private final @Nullable Labels labels;
    private final @Nullable Tuning tuning;
    private final AnalysisProgress progress;
    private final long seed;

    /**
     * @param documents in the order of arrival, at least 2
     * @param floor similarity from which on pairs are looked for: above 0, at most the threshold
     * @param labels what people say of pairs; null where that is not known
     * @param tuning of the same documents by the same settings, without labels; null where it is not known
     */
    public Evaluator(
            List<Document> documents,
            NeardupConfig config,
            double floor,
            @Nullable Labels labels,
            @Nullable Tuning tuning,
            AnalysisProgress progress) {
        if (!(floor > 0 && floor <= config.threshold())) {
            throw new IllegalArgumentException(
                    "floor " + floor + ": expected above 0, at most the threshold " + config.threshold());
        }
        this.documents = List.copyOf(documents);
        this.config = config;
        this.floor = floor;
        this.labels = labels;
        this.tuning = tuning;
        this.progress = progress;
        this.seed = config.hashSeed().orElse(SEED);
    }

    public Evaluation evaluate() {
        return labels == null
                ? counts((first, second, jaccard) -> {}).evaluation(documents.size(), floor, null)
                : evaluate(labels);
    }

    private Evaluation evaluate(Labels said) {
        LabelTrials trials = new LabelTrials(documents, config, said, seed, progress);
        Shingling own = config.shingling();
        List<ShingleScores> others = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        for (Shingling shingling : tried()) {
            if (!shingling.equals(own)) {
                trials.scores(shingling, floor(shingling))
                        .ifPresentOrElse(others::add, () -> leftOut.add(shingling.spec()));
            }
        }
        LabelSweep sweep = new LabelSweep(said, config.threshold());
        PairCounts counts = counts(sweep);
        ShingleScores settings = said.isPartial() ? trials.judged(own) : sweep.scores(own, floor);
        LabelReport report = new LabelReport(said, counts.labelled(said), settings, others, leftOut);
        return counts.evaluation(documents.size(), floor, report);
    }

    /** Each shingle as it was tuned by, so that what that found can be scored; else whole. */
    private List<Shingling> tried() {
        Set<String> shingles = new LinkedHashSet<>(Tuning.SHINGLES);
        shingles.add(config.shingling().spec());
        return shingles.stream()
                .map(shingle -> Optional.ofNullable(tuning)
                        .flatMap(found -> found.measured(shingle))
                        .map(MeasuredShingle::shingling)
                        .orElseGet(() -> DocumentShingles.cut(config.shingling(), shingle)))
                .toList();
    }

    /** Low enough for what was tuned by the same shingles. */
    private double floor(Shingling shingling) {
        return Optional.ofNullable(tuning)
                .flatMap(found -> found.measured(shingling.spec()))
                .flatMap(MeasuredShingle::valley)
                .map(valley -> Math.min(floor, valley.threshold()))
                .orElse(floor);
    }

    /** Counts what the settings find, and tells every similar pair. */
    private PairCounts counts(PairSink similar) {
        SignedSample signed = new SignedSample(documents, config, seed);
        Meetings meetings = new Meetings(signed.keys(), config.bucketMax());
        PairCounts counts = new PairCounts(config, signed, meetings, labels);
        meetings.forEach(counts::candidate);
        join((first, second, jaccard) -> {
            counts.similar(first, second, jaccard);
            similar.pair(first, second, jaccard);
        });
        return counts;
    }

    private void join(PairSink sink) {
        int all = documents.size();
        RankedSets sets = RankedSets.of(
                new DocumentShingles(documents, config.shingling(), seed),
                done -> tell(done, "shingles ranked, %,d of %,d documents", (done + 1) / 2, all));
        new AllPairs(sets, floor).join(sink, done -> tell(done, "compared exactly, %,d of %,d documents", done, all));
    }

    private void tell(int step, String format, int done, int all) {
        if (step % PROGRESS_DOCUMENTS == 0) {
            progress.update(String.format(Locale.ROOT, format, done, all));
        }
    }
}
