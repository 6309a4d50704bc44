package io.neardup.tools.audit;

import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Outcome;
import io.neardup.tools.audit.DiffReport.RangeShares;
import io.neardup.tools.audit.DiffReport.Shares;
import io.neardup.tools.audit.DiffReport.Side;
import io.neardup.tools.audit.DiffReport.SourceShares;
import io.neardup.tools.audit.DiffReport.Unmatched;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/** Counts pairs of verdicts. Its size is bounded, however many there are. */
final class DiffTally {
    /** Ranges of similarity, each .05 wide. */
    private static final int RANGES = 20;

    private static final int SOURCES_MAX = 10_000;
    private static final int SOURCES_SHOWN_MAX = 20;
    private static final int SETTINGS_MAX = 100;

    /** Of documents that name none. */
    private static final String NO_SOURCE = "(none)";

    /** Those that come when there are too many. */
    private static final String OTHER_SOURCES = "(others)";

    private final int examplesMax;
    private final Shares all = new Shares();
    private final Map<Integer, Shares> byRange = new TreeMap<>();
    private final Map<String, Shares> bySource = new HashMap<>();
    private final Map<String, Long> settingsOfA = new TreeMap<>();
    private final Map<String, Long> settingsOfB = new TreeMap<>();
    /** The clearest of each way to part, the least clear of them at the head. */
    private final Map<Agreement, PriorityQueue<JudgedPair>> examples = new EnumMap<>(Agreement.class);

    /** @param examplesMax of each way to part, 0 or more */
    DiffTally(int examplesMax) {
        this.examplesMax = examplesMax;
    }

    void add(Verdict a, Verdict b) {
        JudgedPair pair = new JudgedPair(Agreement.of(a, b), a, b);
        all.add(pair);
        if (a.outcome() == Outcome.DUPLICATE || b.outcome() == Outcome.DUPLICATE) {
            byRange.computeIfAbsent(range(pair), range -> new Shares()).add(pair);
        }
        addSource(pair);
        addSettings(settingsOfA, a);
        addSettings(settingsOfB, b);
        addExample(pair);
    }

    /** By what A says, where A says duplicate. */
    private static int range(JudgedPair pair) {
        Verdict saying = pair.a().outcome() == Outcome.DUPLICATE ? pair.a() : pair.b();
        return (int) Math.floor(JudgedPair.similarity(saying) * RANGES + 1e-9);
    }

    private void addSource(JudgedPair pair) {
        String named = pair.a().source() != null ? pair.a().source() : pair.b().source();
        String source = named == null ? NO_SOURCE : named;
        boolean fits = bySource.size() < SOURCES_MAX || bySource.containsKey(source);
        bySource.computeIfAbsent(fits ? source : OTHER_SOURCES, name -> new Shares())
                .add(pair);
    }

    private static void addSettings(Map<String, Long> settings, Verdict verdict) {
        if (settings.size() < SETTINGS_MAX || settings.containsKey(verdict.settings())) {
            settings.merge(verdict.settings(), 1L, Long::sum);
        }
    }

    private void addExample(JudgedPair pair) {
        if (pair.agreement() == Agreement.SAME) {
            return;
        }
        PriorityQueue<JudgedPair> kept = examples.computeIfAbsent(
                pair.agreement(), agreement -> new PriorityQueue<>(JudgedPair.CLEAREST.reversed()));
        kept.add(pair);
        if (kept.size() > examplesMax) {
            kept.remove();
        }
    }

    long pairs() {
        return all.pairs();
    }

    DiffReport report(String nameOfA, Unmatched unmatchedOfA, String nameOfB, Unmatched unmatchedOfB) {
        return new DiffReport(
                new Side(nameOfA, settingsOfA, unmatchedOfA),
                new Side(nameOfB, settingsOfB, unmatchedOfB),
                all,
                byRange.entrySet().stream()
                        .map(range -> new RangeShares(range.getKey() / (double) RANGES, range.getValue()))
                        .toList(),
                sources(),
                examples.values().stream()
                        .flatMap(kept -> kept.stream().sorted(JudgedPair.CLEAREST))
                        .toList());
    }

    /** None where no document names one. */
    private List<SourceShares> sources() {
        if (bySource.size() == 1 && bySource.containsKey(NO_SOURCE)) {
            return List.of();
        }
        return bySource.entrySet().stream()
                .map(entry -> new SourceShares(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparingLong(
                                (SourceShares one) -> one.shares().parted())
                        .reversed()
                        .thenComparing(SourceShares::source))
                .limit(SOURCES_SHOWN_MAX)
                .toList();
    }
}
