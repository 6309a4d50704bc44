package io.neardup.config;

import io.neardup.engine.lsh.Banding;
import io.neardup.engine.lsh.BandingSolver;
import io.neardup.engine.lsh.SCurve;
import io.neardup.engine.similarity.Family;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Bands and rows of settings whose values are checked one by one. */
final class Bandings {
    private Bandings() {}

    /**
     * The given ones, or those of the fewest values that reach the targets.
     *
     * @throws IllegalArgumentException if no banding within the hashes reaches them
     */
    static Banding of(Map<String, Object> values, Family family) {
        if (values.get(Keys.BANDS) instanceof Integer bands && values.get(Keys.ROWS) instanceof Integer rows) {
            return new Banding(bands, rows);
        }
        if (family.valuesMax() == 1) {
            return new Banding(1, 1);
        }
        double threshold = (double) value(values, Keys.THRESHOLD);
        double recall = (double) value(values, Keys.RECALL);
        double unrelated = family.agreement((double) value(values, Keys.UNRELATED));
        double agreement = family.agreement(threshold);
        double most = new SCurve(family.valuesMax(), 1).probability(agreement);
        if (most < recall || agreement <= unrelated) {
            throw unreachable(threshold, recall, most, family);
        }
        return BandingSolver.solve(
                agreement, recall, (long) value(values, Keys.INDEX_SIZE), unrelated, family.valuesMax());
    }

    private static IllegalArgumentException unreachable(double threshold, double recall, double most, Family family) {
        double leastAgreement = new SCurve(family.valuesMax(), 1).similarityAt(recall);
        return new IllegalArgumentException(String.format(
                Locale.ROOT,
                "recall %s at threshold %s cannot be reached with %d values of a signature, of which documents at the"
                        + " threshold agree on %.4f: expected a recall of at most %.4f, or a threshold of at least"
                        + " %.4f",
                recall,
                threshold,
                family.valuesMax(),
                family.agreement(threshold),
                Math.floor(most * 1e4) / 1e4,
                Math.ceil(family.similarityAt(leastAgreement) * 1e4) / 1e4));
    }

    private static Object value(Map<String, Object> values, String key) {
        return Objects.requireNonNull(values.get(key), key);
    }
}
