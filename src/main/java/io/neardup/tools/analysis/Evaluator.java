package io.neardup.tools.analysis;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Signing;
import io.neardup.config.Signing.Scopes;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.SimilarityJudge;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.engine.similarity.Verification;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import io.neardup.record.Document;
import io.neardup.tools.analysis.Evaluation.Bin;
import io.neardup.tools.analysis.Evaluation.Estimate;
import io.neardup.tools.analysis.Evaluation.LabelReport;
import io.neardup.tools.analysis.Evaluation.Score;
import io.neardup.tools.analysis.Labels.DocumentPair;
import io.neardup.tools.analysis.PairSample.Limits;
import io.neardup.tools.feed.Progress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the similar pairs of documents, and which of them the settings find: of up to {@value #EXACT_MAX} documents all
 * of them, of more by a {@link PairSample}, unless labels are to be compared with. One evaluator is for one call.
 */
public final class Evaluator {
    /** Documents that are compared with each other, all of them. */
    public static final int EXACT_MAX = 20_000;

    /** Any seed will do, as nothing is kept; a fixed one makes two runs alike. */
    private static final long SEED = 0;

    private static final Limits SAMPLED = new Limits(Integer.MAX_VALUE, Long.MAX_VALUE, 20_000, false, 1_000_000_000L);
    /** Of a normal distribution, which 95 % lie within. */
    private static final double DEVIATIONS = 1.96;

    private static final int PROGRESS_PAIRS = 10_000;
    /** Of a search by another shingle than that of the settings: some seconds. */
    private static final long STEPS_MAX = 1_000_000_000L;

    private final List<Document> documents;
    private final NeardupConfig config;
    private final double floor;
    private final @Nullable Labels labels;
    private final int exactMax;
    private final Limits sampled;
    private final Progress progress;
    private final long seed;

    /**
     * @param documents in the order of arrival, at least 2
     * @param floor similarity from which on pairs are looked for: above 0, at most the threshold
     * @param labels what people say of pairs; null where that is not known
     */
    public Evaluator(
            List<Document> documents, NeardupConfig config, double floor, @Nullable Labels labels, Progress progress) {
        this(documents, config, floor, labels, EXACT_MAX, SAMPLED, progress);
    }

    Evaluator(
            List<Document> documents,
            NeardupConfig config,
            double floor,
            @Nullable Labels labels,
            int exactMax,
            Limits sampled,
            Progress progress) {
        this.documents = List.copyOf(documents);
        this.config = config;
        this.floor = floor;
        this.labels = labels;
        this.exactMax = exactMax;
        this.sampled = sampled;
        this.progress = progress;
        this.seed = config.hashSeed().orElse(SEED);
    }

    public Evaluation evaluate() {
        List<ComparedText> texts =
                ComparedText.all(documents, config.shingling().letterCase());
        Counts counts = new Counts();
        if (labels != null) {
            return counts.evaluation(null, scores(texts, labels, counts));
        }
        if (documents.size() > exactMax) {
            return counts.evaluation(estimate(texts, counts), null);
        }
        join(texts, config.shingling(), Long.MAX_VALUE, counts::similar);
        return counts.evaluation(null, null);
    }

    private boolean join(List<ComparedText> texts, Shingling shingling, long stepsMax, SimilarPairs.Sink sink) {
        return new SimilarPairs(texts, shingling.shingler(seed), shingling.spec(), progress)
                .join(floor, stepsMax, sink);
    }

    /** By a shingle at a time: only one has its sets in memory. One by which too many pairs are alike is left out. */
    private LabelReport scores(List<ComparedText> texts, Labels said, Counts counts) {
        Shingling own = config.shingling();
        ShingleScores.Sweep sweep = new ShingleScores.Sweep(said, config.threshold());
        join(texts, own, Long.MAX_VALUE, (first, second, jaccard) -> {
            counts.similar(first, second, jaccard);
            sweep.add(first, second, jaccard);
        });
        List<ShingleScores> all = new ArrayList<>();
        all.add(said.isPartial() ? judged(texts, own, said) : sweep.scores(own.spec(), floor));
        List<String> leftOut = new ArrayList<>();
        Set<String> tried = new LinkedHashSet<>(Tuning.SHINGLES);
        tried.remove(own.spec());
        for (String shingle : tried) {
            Shingling other = TuningTargets.shinglingOf(own, shingle);
            ShingleScores.Sweep swept = new ShingleScores.Sweep(said, config.threshold());
            if (said.isPartial()) {
                all.add(judged(texts, other, said));
            } else if (join(texts, other, STEPS_MAX, swept::add)) {
                all.add(swept.scores(shingle, floor));
            } else {
                leftOut.add(shingle);
            }
        }
        return new LabelReport(said, counts.labelled(said), all, leftOut);
    }

    /** Where only some pairs are judged, these are compared, however alike. */
    private ShingleScores judged(List<ComparedText> texts, Shingling shingling, Labels said) {
        ShingleScores.Sweep sweep = new ShingleScores.Sweep(said, config.threshold());
        Shingler shingler = shingling.shingler(seed);
        Shingles buffer = new Shingles();
        for (DocumentPair pair : said.answers().keySet()) {
            ShingleSet first = texts.get(pair.first()).shingles(shingler, buffer);
            sweep.add(
                    pair.first(),
                    pair.second(),
                    first.jaccard(texts.get(pair.second()).shingles(shingler, buffer)));
        }
        return sweep.scores(shingling.spec(), 0);
    }

    private Estimate estimate(List<ComparedText> texts, Counts counts) {
        progress.update(String.format(Locale.ROOT, "drawing pairs of %,d documents", texts.size()));
        Shingler shingler = config.shingling().shingler(seed);
        PairSample sample = PairSample.of(texts, shingler, sampled);
        Shingles buffer = new Shingles();
        double[] jaccards = new double[sample.size()];
        for (int pair = 0; pair < jaccards.length; pair++) {
            ShingleSet first = sample.first(pair).shingles(shingler, buffer);
            jaccards[pair] = first.jaccard(sample.second(pair).shingles(shingler, buffer));
            if (jaccards[pair] >= floor) {
                counts.similar(
                        sample.first(pair).number(), sample.second(pair).number(), jaccards[pair], sample.weight(pair));
            }
            progress.count(pair, PROGRESS_PAIRS, "%,d of %,d pairs compared", jaccards.length);
        }
        return estimate(sample, jaccards, counts);
    }

    /** Pairs by the variance of Horvitz and Thompson (1952) for pairs that are drawn independently. */
    private Estimate estimate(PairSample sample, double[] jaccards, Counts counts) {
        double variance = 0;
        double[] others = new double[jaccards.length];
        BitSet missed = new BitSet();
        for (int pair = 0; pair < jaccards.length; pair++) {
            if (jaccards[pair] >= config.threshold()) {
                others[pair] = sample.weight(pair) - 1;
                variance += sample.weight(pair) * others[pair];
                missed.set(
                        pair,
                        !counts.candidatePairs.contain(
                                sample.first(pair).number(), sample.second(pair).number()));
            }
        }
        double width = DEVIATIONS * Math.sqrt(variance);
        double[] unseen = unseenMissed(others, missed);
        return new Estimate(
                jaccards.length,
                1 - (missed.cardinality() + unseen[1]) / counts.similar,
                1 - (missed.cardinality() + unseen[0]) / counts.similar,
                Math.max(0, Math.round(counts.similar - width)),
                Math.round(counts.similar + width));
    }

    /**
     * Between how many of the pairs that drawn ones stand for are missed: Wilson's interval (1927), so that it is none
     * of no width where no miss was drawn. Each draw counts for as many pairs as a missed one stands for, one more of
     * those that stand for most counted as missed (Fay and Feuer 1997): misses are likelier where pairs stand for many.
     *
     * @param others pairs that each drawn one stands for
     */
    static double[] unseenMissed(double[] others, BitSet missed) {
        double unseen = DoubleStream.of(others).sum();
        double unseenMissed = missed.stream().mapToDouble(pair -> others[pair]).sum();
        double squares =
                missed.stream().mapToDouble(pair -> others[pair] * others[pair]).sum();
        double most = DoubleStream.of(others).max().orElse(0);
        double each = most == 0 ? 0 : (squares + most * most) / (unseenMissed + most);
        double share = unseen == 0 ? 0 : unseenMissed / unseen;
        double square = unseen == 0 ? 0 : DEVIATIONS * DEVIATIONS * each / unseen;
        double middle = (share + square / 2) / (1 + square);
        double half = Math.sqrt(square * share * (1 - share) + square * square / 4) / (1 + square);
        return new double[] {unseen * Math.max(0, middle - half), unseen * Math.min(1, middle + half)};
    }

    /** Counts candidates and similar pairs, each once; a pair may stand for others. */
    private final class Counts {
        private static final int BINS = 20;

        private final Banding curve = config.banding();
        /** Empty where verification is exact. */
        private final List<Evidence> evidence = new ArrayList<>();

        private final SimilarityJudge judge;
        private final CandidatePairs candidatePairs;
        private final double[] pairs = new double[BINS];
        private final double[] pairsFound = new double[BINS];
        private final double[] pairsPromised = new double[BINS];
        private long candidates;
        private double similar;
        private double found;
        private double promised;
        private double verified;
        private double verifiedSimilar;
        private long judgedVerified;
        private long labelledVerified;

        Counts() {
            // Pairs of all documents are counted beside it, so scopes are left aside here too.
            Signing signing = new Signing(config.family(), curve, seed, Scopes.IGNORED);
            Signing.DocumentSigner signer = signing.signer();
            List<BandKeys> keys = new ArrayList<>();
            for (Document document : documents) {
                try {
                    SignedDocument signed = signer.sign(document);
                    keys.add(signed.keys());
                    if (config.verification() == Verification.ESTIMATE) {
                        evidence.add(signed.evidence());
                    }
                } catch (UnsignableException e) {
                    throw new IllegalStateException("a text that has shingles: " + e.getMessage(), e);
                }
            }
            this.judge = signing.judge();
            this.candidatePairs = new CandidatePairs(keys, config.bucketMax(), this::candidate);
        }

        /** Whether the estimate of two documents reaches the threshold. */
        private boolean isVerified(int first, int second) {
            return judge.similarity(evidence.get(first), evidence.get(second)).value() >= config.threshold();
        }

        private void candidate(int first, int second) {
            candidates++;
            if (!evidence.isEmpty() && isVerified(first, second)) {
                countVerified(first, second, 1);
            }
        }

        void similar(int first, int second, double jaccard) {
            similar(first, second, jaccard, 1);
        }

        /** Takes a pair that is similar, from the floor on. */
        void similar(int first, int second, double jaccard, double weight) {
            boolean isFound = candidatePairs.contain(first, second);
            int bin = bin(jaccard);
            pairs[bin] += weight;
            pairsFound[bin] += isFound ? weight : 0;
            pairsPromised[bin] += weight * curve.probability(jaccard);
            if (jaccard < config.threshold()) {
                return;
            }
            similar += weight;
            promised += weight * curve.probability(jaccard);
            if (isFound) {
                found += weight;
                if (evidence.isEmpty()) {
                    countVerified(first, second, weight);
                }
                verifiedSimilar += evidence.isEmpty() || isVerified(first, second) ? weight : 0;
            }
        }

        private void countVerified(int first, int second, double weight) {
            verified += weight;
            if (labels != null && labels.isJudged(first, second)) {
                judgedVerified++;
                labelledVerified += labels.areDuplicates(first, second) ? 1 : 0;
            }
        }

        /** How well what is found and verified fits what people say. */
        Score labelled(Labels given) {
            return new Score(judgedVerified, labelledVerified, given.pairs());
        }

        Evaluation evaluation(@Nullable Estimate estimate, @Nullable LabelReport report) {
            return new Evaluation(
                    documents.size(),
                    floor,
                    bins(),
                    Math.round(similar),
                    // An estimate may be above what is counted beside it.
                    Math.min(candidates, Math.round(found)),
                    promised / similar,
                    estimate,
                    candidates,
                    new Score(
                            Math.round(verified), Math.round(Math.min(verified, verifiedSimilar)), Math.round(similar)),
                    candidatePairs.bucketsFull(),
                    report);
        }

        /** The bins from the floor on, which may cut the first. */
        private List<Bin> bins() {
            List<Bin> bins = new ArrayList<>();
            for (int bin = bin(floor); bin < BINS; bin++) {
                double from = Math.max(floor, edge(bin));
                double to = edge(bin + 1);
                double promise = pairs[bin] == 0 ? curve.probability((from + to) / 2) : pairsPromised[bin] / pairs[bin];
                bins.add(new Bin(from, to, Math.round(pairs[bin]), Math.round(pairsFound[bin]), promise));
            }
            return bins;
        }

        /** The last has 1, too. */
        private static int bin(double similarity) {
            return Math.min(BINS - 1, SimilarityCounts.step(similarity, BINS));
        }

        private static double edge(int bin) {
            return bin / (double) BINS;
        }
    }
}
