package io.neardup.config;

import io.neardup.family.Family;
import io.neardup.lsh.Banding;
import io.neardup.lsh.BandingSolver;
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
        return BandingSolver.solve(
                family.agreement((double) value(values, Keys.THRESHOLD)),
                (double) value(values, Keys.RECALL),
                (long) value(values, Keys.INDEX_SIZE),
                family.agreement((double) value(values, Keys.UNRELATED)),
                family.valuesMax());
    }

    private static Object value(Map<String, Object> values, String key) {
        return Objects.requireNonNull(values.get(key), key);
    }
}
