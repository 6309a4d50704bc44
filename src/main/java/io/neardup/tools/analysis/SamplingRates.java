package io.neardup.tools.analysis;

import io.neardup.engine.text.Shingler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Of each shingler, how large a sample of their shingles texts are measured by ({@link SampledShingles}). */
final class SamplingRates {
    /** Texts are measured by all of their shingles. */
    static final SamplingRates ALL = new SamplingRates();

    private final Map<String, Integer> zerosOf = new HashMap<>();
    private double perByteMax;

    private SamplingRates() {}

    /** @param pilots some texts at random, which tell what all are like */
    static SamplingRates of(List<Shingler> shinglers, List<ComparedText> pilots) {
        SamplingRates rates = new SamplingRates();
        for (Shingler shingler : shinglers) {
            int zeros = SampledShingles.zeros(shingler, pilots, SampledShingles.TYPICAL_MAX);
            rates.zerosOf.put(shingler.name(), zeros);
            rates.perByteMax = Math.max(rates.perByteMax, new SampledShingles(shingler, zeros).perByte(pilots));
        }
        return rates;
    }

    /** Cuts by one of the shinglers; by another one, all shingles stay. */
    SampledShingles cutting(Shingler shingler) {
        return new SampledShingles(shingler, zerosOf.getOrDefault(shingler.name(), 0));
    }

    /** How many shingles are kept of a byte of text, by the shingler that keeps the most. */
    double perByteMax() {
        return perByteMax;
    }

    /** Whether some texts are not measured by all of their shingles. */
    boolean isSampling() {
        return zerosOf.values().stream().anyMatch(zeros -> zeros > 0);
    }
}
