package io.neardup.service.lifecycle;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Signing;
import io.neardup.engine.similarity.Valley;
import io.neardup.engine.similarity.Valley.InBins;
import io.neardup.streams.metrics.NearestSimilarities.Counted;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Where documents part from copies, by how similar each is to its nearest original, and whether the threshold stands
 * there: by what the picture of it is drawn, and what it says. It is said where {@link Valley}, the test of {@code
 * tune}, is sure, among the similarities that are seen.
 *
 * @param seenFrom how similar a document must be to an original so that the two are compared
 * @param curve how likely two documents are compared, by their similarity in steps of .01 from 0 to 1; null where that
 *     is not known
 */
public record Parting(
        double threshold, double seenFrom, @Nullable List<Double> curve) {
    /** So near the threshold, so many and such a share of all: less may be chance. */
    private static final int NEAR_BINS = 5;

    private static final int NEAR_MIN = 30;
    private static final double NEAR_SHARE = 0.02;
    private static final double HUNDREDTHS = Valley.BINS;

    static Parting of(NeardupConfig config, Signing signing) {
        int differencesMax = signing.differencesMax(config.threshold());
        List<Double> curve = IntStream.rangeClosed(0, Valley.BINS)
                .mapToObj(bin -> signing.comparing(bin / HUNDREDTHS, differencesMax))
                .toList();
        return new Parting(
                config.threshold(),
                seenFrom(config, signing, differencesMax),
                signing.judgesBySharing() ? curve : null);
    }

    /**
     * Below the cut of the sketches less than half is compared, and below the threshold nothing is noted without
     * verdicts. Where nothing is cut all is seen.
     */
    private static double seenFrom(NeardupConfig config, Signing signing, int differencesMax) {
        if (!config.writesVerdicts()) {
            return config.threshold();
        }
        double similarity = signing.similarityAt(differencesMax);
        return Double.isNaN(similarity) ? 0 : Math.min(similarity, config.threshold());
    }

    /** A sentence or two; empty where there is nothing to say. */
    public String sentences(Counted counted) {
        int bin = (int) Math.round(threshold * HUNDREDTHS);
        long below = sum(counted.unique(), bin - NEAR_BINS, bin);
        long above = sum(counted.duplicates(), bin, bin + NEAR_BINS);
        long all = sum(counted.unique(), seenBin(), Valley.BINS) + sum(counted.duplicates(), 0, Valley.BINS);
        Optional<Double> valley = valley(counted).map(Valley::threshold);
        if (valley.filter(at -> Math.abs(at - threshold) * HUNDREDTHS <= NEAR_BINS + 1e-9)
                .isPresent()) {
            return text("The threshold stands in a valley: documents part at about %.2f.", valley.get());
        }
        String parting = valley.map(at -> text("Documents part at about %.2f, and the threshold is %s.", at, threshold))
                .orElse("");
        String crowded = Math.min(below, above) < Math.max(NEAR_MIN, NEAR_SHARE * all)
                ? ""
                : text(
                        "Many documents lie at both sides of the threshold: %,d within 0.05 below it, and %,d above.",
                        below, above);
        return (crowded + " " + parting).isBlank()
                ? ""
                : (crowded + " " + parting).strip() + " The command tune tells more, with a file of documents.";
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static long sum(List<Long> counts, int fromBin, int toBin) {
        return counts.subList(Math.max(0, fromBin), Math.min(toBin, Valley.BINS)).stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private int seenBin() {
        return (int) Math.ceil(seenFrom * HUNDREDTHS - 1e-9);
    }

    /** Where it is sure. */
    private Optional<Valley> valley(Counted counted) {
        return Valley.of(seenBin(), documents(counted, count -> count))
                .filter(found -> found.isSure(halves(found, counted)));
    }

    /** A document counts once: so how many of a bin are in a half is drawn, about as of a binomial distribution. */
    private int halves(Valley whole, Counted counted) {
        SplittableRandom random = new SplittableRandom(1);
        LongUnaryOperator half = count -> Math.max(
                0, Math.min(Math.round(random.nextGaussian(count / 2.0, Math.sqrt((double) count) / 2)), count));
        return (int) IntStream.range(0, Valley.HALVES)
                .mapToObj(unused -> Valley.behind(whole.bulk(), documents(counted, half)))
                .flatMap(Optional::stream)
                .filter(whole::isNear)
                .count();
    }

    /** As they are drawn: each stands for those that were not compared with an original that similar. */
    private InBins documents(Counted counted, LongUnaryOperator part) {
        double[] documents = new double[Valley.BINS];
        for (int bin = 0; bin < Valley.BINS; bin++) {
            long unique = bin < seenBin() ? 0 : counted.unique().get(bin);
            long all = part.applyAsLong(unique + counted.duplicates().get(bin));
            documents[bin] = all == 0 ? 0 : all / chance(bin);
        }
        return (from, to) -> Arrays.stream(documents, from, Math.max(from, to)).sum();
    }

    private double chance(int bin) {
        return curve == null ? 1 : (curve.get(bin) + curve.get(bin + 1)) / 2;
    }
}
