package io.neardup.tools.audit;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Repeated;
import io.neardup.streams.input.InputGenerations;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How two services judge the same input; as JSON what {@code diff --json} prints, but for the examples.
 *
 * @param all of the pairs
 * @param similarity pairs in which somebody says duplicate, by the range of their similarity, the lowest first
 * @param sources pairs by source, those of which most differ first
 * @param examples the clearest of each way in which they differ
 */
public record DiffReport(
        Side a,
        Side b,
        Shares all,
        List<RangeShares> similarity,
        List<SourceShares> sources,
        @JsonIgnore List<Pair> examples) {
    /** How two verdicts on one record go together. */
    public enum Agreement {
        /** The same outcome, for the same reason, of the same original. */
        SAME("both the same"),
        OTHER_ORIGINAL("duplicate in both, of other originals"),
        DUPLICATE_IN_A("duplicate in A, unique in B"),
        DUPLICATE_IN_B("unique in A, duplicate in B"),
        /** A dead letter in one of them, or in both for other reasons. */
        OTHER_OUTCOME("otherwise: dead letters");

        private final String text;

        Agreement(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }

        @JsonValue
        public String code() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    public record Pair(Verdict a, Verdict b) {
        /** The clearest first; of equally clear ones that of the first place. */
        static final Comparator<Pair> CLEAREST = Comparator.comparingDouble(Pair::clearness)
                .reversed()
                .thenComparing(example -> example.a.position().topic())
                .thenComparingInt(example -> example.a.position().partition())
                .thenComparingLong(example -> example.a.position().offset());

        public Agreement agreement() {
            if (a.outcome() == Outcome.DUPLICATE && b.outcome() == Outcome.UNIQUE) {
                return Agreement.DUPLICATE_IN_A;
            }
            if (a.outcome() == Outcome.UNIQUE && b.outcome() == Outcome.DUPLICATE) {
                return Agreement.DUPLICATE_IN_B;
            }
            if (a.outcome() != b.outcome() || !Objects.equals(a.reason(), b.reason())) {
                return Agreement.OTHER_OUTCOME;
            }
            return areOfOneOriginal(a.repeated(), b.repeated()) ? Agreement.SAME : Agreement.OTHER_ORIGINAL;
        }

        /** Verdicts of an earlier release say no places, and the two may count the generations of a topic otherwise. */
        private static boolean areOfOneOriginal(@Nullable Repeated a, @Nullable Repeated b) {
            if (a == null || b == null) {
                return a == null && b == null;
            }
            boolean areAtOnePlace = a.place() == null
                    || b.place() == null
                    || InputGenerations.withoutGeneration(a.place())
                            .equals(InputGenerations.withoutGeneration(b.place()));
            return a.original().equals(b.original()) && areAtOnePlace;
        }

        /** The more similar the pair that one of them misses, or the further apart the originals, the clearer. */
        private double clearness() {
            return switch (agreement()) {
                case DUPLICATE_IN_A -> similarity(a);
                case DUPLICATE_IN_B -> similarity(b);
                case OTHER_ORIGINAL -> Math.abs(similarity(a) - similarity(b));
                case SAME, OTHER_OUTCOME -> 0;
            };
        }

        /** 0 for what is no duplicate. */
        private static double similarity(Verdict verdict) {
            Repeated repeated = verdict.repeated();
            return repeated == null ? 0 : repeated.similarity().value();
        }

        /** What A says, where A says duplicate; else what B does. */
        double similarity() {
            return similarity(a.outcome() == Outcome.DUPLICATE ? a : b);
        }

        /** As one of the documents names it. */
        String source() {
            String named = a.source() != null ? a.source() : b.source();
            return named == null ? NO_SOURCE : named;
        }
    }

    /**
     * One of the two.
     *
     * @param settings how many of the pairs were judged under which settings, by fingerprint
     * @param unmatched verdicts on positions on which the other has none
     */
    public record Side(String name, Map<String, Long> settings, long unmatched) {}

    /** The pairs of a range of similarities, by its lower end. */
    public record RangeShares(double from, @JsonUnwrapped Shares shares) {}

    public record SourceShares(String source, @JsonUnwrapped Shares shares) {}

    /** What was counted of some pairs. Not thread-safe. */
    public static final class Shares {
        private final Map<Agreement, Long> byAgreement = new EnumMap<>(Agreement.class);
        private long duplicatesInA;
        private long duplicatesInB;

        void add(Pair pair) {
            byAgreement.merge(pair.agreement(), 1L, Long::sum);
            duplicatesInA += pair.a.outcome() == Outcome.DUPLICATE ? 1 : 0;
            duplicatesInB += pair.b.outcome() == Outcome.DUPLICATE ? 1 : 0;
        }

        public long pairs() {
            return byAgreement.values().stream().mapToLong(Long::longValue).sum();
        }

        public long of(Agreement agreement) {
            return byAgreement.getOrDefault(agreement, 0L);
        }

        public long differing() {
            return pairs() - of(Agreement.SAME);
        }

        @JsonAnyGetter
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

    /** Ranges of similarity, each .05 wide. */
    private static final int RANGES = 20;
    /** Of documents that name none. */
    private static final String NO_SOURCE = "(none)";

    /** Counts pairs one by one. Its size is bounded, however many there are. */
    static final class Tally {
        private static final int SOURCES_MAX = 10_000;
        private static final int SOURCES_SHOWN_MAX = 20;
        private static final int SETTINGS_MAX = 100;
        /** Of each way to differ. */
        static final int EXAMPLES_MAX = 3;

        /** Those that come when there are too many. */
        private static final String OTHER_SOURCES = "(others)";

        private final Shares all = new Shares();
        private final Map<Integer, Shares> byRange = new TreeMap<>();
        private final Map<String, Shares> bySource = new HashMap<>();
        private final Map<String, Long> settingsOfA = new TreeMap<>();
        private final Map<String, Long> settingsOfB = new TreeMap<>();
        /** The clearest of each way to differ, the least clear of them at the head. */
        private final Map<Agreement, PriorityQueue<Pair>> examples = new EnumMap<>(Agreement.class);

        void add(Pair pair) {
            all.add(pair);
            if (pair.a.outcome() == Outcome.DUPLICATE || pair.b.outcome() == Outcome.DUPLICATE) {
                int range = (int) Math.floor(pair.similarity() * RANGES + 1e-9);
                byRange.computeIfAbsent(range, first -> new Shares()).add(pair);
            }
            boolean fits = bySource.size() < SOURCES_MAX || bySource.containsKey(pair.source());
            bySource.computeIfAbsent(fits ? pair.source() : OTHER_SOURCES, first -> new Shares())
                    .add(pair);
            addSettings(settingsOfA, pair.a);
            addSettings(settingsOfB, pair.b);
            if (pair.agreement() != Agreement.SAME) {
                PriorityQueue<Pair> kept = examples.computeIfAbsent(
                        pair.agreement(), agreement -> new PriorityQueue<>(Pair.CLEAREST.reversed()));
                kept.add(pair);
                if (kept.size() > EXAMPLES_MAX) {
                    kept.remove();
                }
            }
        }

        private static void addSettings(Map<String, Long> settings, Verdict verdict) {
            if (settings.size() < SETTINGS_MAX || settings.containsKey(verdict.settings())) {
                settings.merge(verdict.settings(), 1L, Long::sum);
            }
        }

        long pairs() {
            return all.pairs();
        }

        DiffReport report(String nameOfA, long unmatchedOfA, String nameOfB, long unmatchedOfB) {
            boolean isAnyNamed = bySource.size() > 1 || !bySource.containsKey(NO_SOURCE);
            return new DiffReport(
                    new Side(nameOfA, settingsOfA, unmatchedOfA),
                    new Side(nameOfB, settingsOfB, unmatchedOfB),
                    all,
                    byRange.entrySet().stream()
                            .map(range -> new RangeShares(range.getKey() / (double) RANGES, range.getValue()))
                            .toList(),
                    isAnyNamed ? sources() : List.of(),
                    examples.values().stream()
                            .flatMap(kept -> kept.stream().sorted(Pair.CLEAREST))
                            .toList());
        }

        private List<SourceShares> sources() {
            return bySource.entrySet().stream()
                    .map(entry -> new SourceShares(entry.getKey(), entry.getValue()))
                    .sorted(Comparator.comparingLong(
                                    (SourceShares one) -> one.shares().differing())
                            .reversed()
                            .thenComparing(SourceShares::source))
                    .limit(SOURCES_SHOWN_MAX)
                    .toList();
        }
    }
}
