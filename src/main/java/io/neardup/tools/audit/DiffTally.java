package io.neardup.tools.audit;

import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Outcome;
import io.neardup.tools.audit.DiffReport.SourceShares;
import io.neardup.tools.audit.DiffReport.Tenth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts pairs of verdicts. Its size is bounded, however many there are. */
final class DiffTally {
    /** Ranges of similarity, each .05 wide. */
    private static final int RANGES = 20;

    private static final int SOURCES_MAX = 10_000;
    private static final int SOURCES_TOLD_MAX = 20;
    private static final int SETTINGS_MAX = 100;

    /** Of documents that name none, and those that come when there are too many. */
    static final String NO_SOURCE = "(none)";

    private static final String OTHER_SOURCES = "(others)";

    private final ShareCounts all = new ShareCounts();
    private final SortedMap<Integer, ShareCounts> byRange = new TreeMap<>();
    private final Map<String, ShareCounts> bySource = new HashMap<>();
    private final Map<String, Long> settingsOfA = new TreeMap<>();
    private final Map<String, Long> settingsOfB = new TreeMap<>();
    private final ShareCounts[] tenths = new ShareCounts[Stretches.TENTHS];
    private final long[] tenthsFromMillis = new long[Stretches.TENTHS];
    private final ClearestExamples examples;
    private Stretches stretches = new Stretches();
    private long pairs;

    DiffTally(int examplesMax) {
        this.examples = new ClearestExamples(examplesMax);
    }

    void add(Verdict a, Verdict b) {
        JudgedPair pair = new JudgedPair(Agreement.of(a, b), a, b);
        pairs++;
        all.add(pair);
        stretches.add(pair);
        if (a.outcome() == Outcome.DUPLICATE || b.outcome() == Outcome.DUPLICATE) {
            byRange.computeIfAbsent(range(pair), range -> new ShareCounts()).add(pair);
        }
        addSource(pair);
        addSettings(settingsOfA, a);
        addSettings(settingsOfB, b);
        examples.add(pair);
    }

    /** By what A says, where A says duplicate. */
    private static int range(JudgedPair pair) {
        Verdict told = pair.a().outcome() == Outcome.DUPLICATE ? pair.a() : pair.b();
        return (int) Math.floor(JudgedPair.similarity(told) * RANGES + 1e-9);
    }

    private void addSource(JudgedPair pair) {
        String named = pair.a().source() != null ? pair.a().source() : pair.b().source();
        String source = named == null ? NO_SOURCE : named;
        boolean fits = bySource.size() < SOURCES_MAX || bySource.containsKey(source);
        bySource.computeIfAbsent(fits ? source : OTHER_SOURCES, name -> new ShareCounts())
                .add(pair);
    }

    private static void addSettings(Map<String, Long> settings, Verdict verdict) {
        if (settings.size() < SETTINGS_MAX || settings.containsKey(verdict.settings())) {
            settings.merge(verdict.settings(), 1L, Long::sum);
        }
    }

    /** What comes from here on is of another input partition. */
    void endPartition() {
        stretches.cut((tenth, stretch) -> {
            if (tenths[tenth] == null) {
                tenths[tenth] = new ShareCounts();
                tenthsFromMillis[tenth] = stretch.firstMillis();
            }
            tenths[tenth].add(stretch.counts());
            tenthsFromMillis[tenth] = Math.min(tenthsFromMillis[tenth], stretch.firstMillis());
        });
        stretches = new Stretches();
    }

    long pairs() {
        return pairs;
    }

    DiffReport report(String nameOfA, LeftOut leftOutOfA, String nameOfB, LeftOut leftOutOfB) {
        SortedMap<Double, Shares> ranges = new TreeMap<>();
        byRange.forEach((range, counts) -> ranges.put(range / (double) RANGES, counts.shares()));
        return new DiffReport(
                new DiffReport.Side(nameOfA, settingsOfA, leftOutOfA),
                new DiffReport.Side(nameOfB, settingsOfB, leftOutOfB),
                all.shares(),
                ranges,
                sources(),
                overTime(),
                examples.all());
    }

    /** None where no document names one. */
    private List<SourceShares> sources() {
        if (bySource.size() == 1 && bySource.containsKey(NO_SOURCE)) {
            return List.of();
        }
        return bySource.entrySet().stream()
                .map(entry -> new SourceShares(entry.getKey(), entry.getValue().shares()))
                .sorted(Comparator.comparingLong(
                                (SourceShares one) -> one.shares().parted())
                        .reversed()
                        .thenComparing(SourceShares::source))
                .limit(SOURCES_TOLD_MAX)
                .toList();
    }

    private List<Tenth> overTime() {
        List<Tenth> told = new ArrayList<>();
        for (int i = 0; i < tenths.length; i++) {
            if (tenths[i] != null) {
                told.add(new Tenth(i, tenthsFromMillis[i], tenths[i].shares()));
            }
        }
        return told;
    }
}
