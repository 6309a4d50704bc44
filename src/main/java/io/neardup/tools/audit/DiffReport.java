package io.neardup.tools.audit;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import io.neardup.record.Verdict.Outcome;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How two services judge the same input; as JSON what {@code diff --json} prints, but for the examples.
 *
 * @param all of the pairs
 * @param similarity pairs in which somebody says duplicate, by the range of their similarity, the lowest first
 * @param sources pairs by source, those of which most part first
 * @param examples the clearest of each way in which they part
 */
public record DiffReport(
        Side a,
        Side b,
        Shares all,
        List<RangeShares> similarity,
        List<SourceShares> sources,
        @JsonIgnore List<JudgedPair> examples) {

    /**
     * One of the two.
     *
     * @param settings how many of the pairs were judged under which settings, by fingerprint
     */
    public record Side(String name, Map<String, Long> settings, Unmatched unmatched) {}

    /**
     * Verdicts of one side on positions on which the other has none, summed over the input partitions.
     *
     * @param before the first position that both have; all where there is none
     * @param between those that both have
     * @param after the last position that both have
     */
    public record Unmatched(long before, long between, long after) {
        static final Unmatched NONE = new Unmatched(0, 0, 0);

        /** All of them. */
        public long sum() {
            return before + between + after;
        }

        Unmatched plus(Unmatched other) {
            return new Unmatched(before + other.before, between + other.between, after + other.after);
        }
    }

    /**
     * The pairs of a range of similarities.
     *
     * @param from the lower end
     */
    public record RangeShares(double from, @JsonIgnore Shares shares) {
        @JsonAnyGetter
        Map<String, Long> figures() {
            return shares.figures();
        }
    }

    /**
     * The pairs of one source.
     *
     * @param source as documents name it
     */
    public record SourceShares(String source, @JsonIgnore Shares shares) {
        @JsonAnyGetter
        Map<String, Long> figures() {
            return shares.figures();
        }
    }

    /** What was counted of some pairs. Not thread-safe. */
    public static final class Shares {
        private final Map<Agreement, Long> byAgreement = new EnumMap<>(Agreement.class);
        private long duplicatesInA;
        private long duplicatesInB;

        void add(JudgedPair pair) {
            byAgreement.merge(pair.agreement(), 1L, Long::sum);
            duplicatesInA += pair.a().outcome() == Outcome.DUPLICATE ? 1 : 0;
            duplicatesInB += pair.b().outcome() == Outcome.DUPLICATE ? 1 : 0;
        }

        /** Pairs by how they go together; what there is none of may be missing. */
        public Map<Agreement, Long> byAgreement() {
            return Map.copyOf(byAgreement);
        }

        /** Pairs of which A calls the record a duplicate. */
        public long duplicatesInA() {
            return duplicatesInA;
        }

        /** Pairs of which B calls the record a duplicate. */
        public long duplicatesInB() {
            return duplicatesInB;
        }

        public long pairs() {
            return byAgreement.values().stream().mapToLong(Long::longValue).sum();
        }

        /** Pairs that go together so. */
        public long of(Agreement agreement) {
            return byAgreement.getOrDefault(agreement, 0L);
        }

        /** Pairs that are not the same. */
        public long parted() {
            return pairs() - of(Agreement.SAME);
        }

        @JsonValue
        Map<String, Long> figures() {
            Map<String, Long> figures = new LinkedHashMap<>();
            figures.put("records", pairs());
            figures.put("duplicatesInA", duplicatesInA);
            figures.put("duplicatesInB", duplicatesInB);
            for (Agreement agreement : Agreement.values()) {
                figures.put(agreement.code(), of(agreement));
            }
            return figures;
        }
    }
}
