package io.neardup.tools.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.engine.similarity.Similarity;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Position;
import io.neardup.record.Verdict.Repeated;
import io.neardup.tools.audit.DiffReport.Agreement;
import io.neardup.tools.audit.DiffReport.Pair;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The join of two sorted streams, beside one that holds everything. */
class VerdictDiffTest {
    private static Verdict unique(String topic, int partition, long offset, String source) {
        return verdict(new Position(topic, partition, offset), Outcome.UNIQUE, null, null, source);
    }

    private static Verdict duplicate(long offset, String original, double similarity) {
        return duplicate(offset, original, null, similarity);
    }

    private static Verdict duplicate(long offset, String original, @Nullable String place, double similarity) {
        return verdict(
                new Position("documents", 0, offset),
                Outcome.DUPLICATE,
                new Repeated(original, place, Similarity.of(similarity), null),
                null,
                null);
    }

    private static Verdict verdict(
            Position position,
            Outcome outcome,
            @Nullable Repeated repeated,
            @Nullable String reason,
            @Nullable String source) {
        return new Verdict(
                position,
                1_000 * position.offset(),
                position.toString(),
                outcome,
                repeated,
                null,
                reason,
                List.of(),
                "0123",
                source,
                0);
    }

    private static Verdict unique(long offset) {
        return unique("documents", 0, offset, "wire");
    }

    private static DiffReport diff(List<Verdict> a, List<Verdict> b) throws IOException {
        return diffOfLanes(List.of(a), List.of(b));
    }

    private static DiffReport diffOfLanes(List<List<Verdict>> a, List<List<Verdict>> b) throws IOException {
        return new VerdictDiff(listed("a", a), listed("b", b), text -> {}).run();
    }

    private static VerdictLog listed(String name, List<List<Verdict>> lanes) {
        return new VerdictLog(name, lanes.size(), lane -> {
            Iterator<Verdict> left = lanes.get(lane).iterator();
            return () -> left.hasNext() ? left.next() : null;
        });
    }

    // ---- the oracle

    /** A draw of verdicts on some input partitions, with gaps; mixed into lanes, each input partition in one. */
    private record Draw(List<Verdict> verdicts, List<List<Verdict>> lanes) {
        static Draw of(SplittableRandom random, int topics, int partitions, int lanes) {
            List<Verdict> all = new ArrayList<>();
            List<List<Verdict>> mixed =
                    Stream.<List<Verdict>>generate(ArrayList::new).limit(lanes).toList();
            List<List<Verdict>> left = new ArrayList<>();
            for (int topic = 0; topic < topics; topic++) {
                for (int partition = 0; partition < partitions; partition++) {
                    left.add(new ArrayList<>(some(random, "t" + topic, partition)));
                }
            }
            left.forEach(all::addAll);
            for (left.removeIf(List::isEmpty); !left.isEmpty(); left.removeIf(List::isEmpty)) {
                Verdict next = left.get(random.nextInt(left.size())).remove(0);
                mixed.get(next.position().partition() % lanes).add(next);
            }
            return new Draw(all, mixed);
        }

        private static List<Verdict> some(SplittableRandom random, String topic, int partition) {
            List<Verdict> verdicts = new ArrayList<>();
            int from = random.nextInt(20);
            for (int offset = from; offset < from + random.nextInt(1, 80); offset++) {
                if (random.nextInt(10) > 0) {
                    verdicts.add(any(random, new Position(topic, partition, offset)));
                }
            }
            return verdicts;
        }

        private static Verdict any(SplittableRandom random, Position position) {
            Outcome outcome = List.of(Outcome.values()).get(random.nextInt(4));
            Repeated repeated = outcome == Outcome.DUPLICATE
                    ? new Repeated("o" + random.nextInt(3), null, Similarity.of(random.nextInt(0, 101) / 100.0), null)
                    : null;
            String reason = outcome == Outcome.DEAD_LETTER ? "r" + random.nextInt(2) : null;
            return verdict(
                    position, outcome, repeated, reason, random.nextInt(4) == 0 ? null : "s" + position.offset() % 3);
        }

        Map<Position, Verdict> byPosition() {
            Map<Position, Verdict> found = new HashMap<>();
            verdicts.forEach(verdict -> found.put(verdict.position(), verdict));
            return found;
        }
    }

    private static List<Pair> pairs(Draw a, Draw b) {
        Map<Position, Verdict> others = b.byPosition();
        return a.verdicts().stream()
                .filter(verdict -> others.containsKey(verdict.position()))
                .map(verdict -> new Pair(verdict, Objects.requireNonNull(others.get(verdict.position()))))
                .toList();
    }

    private static Map<Agreement, Long> counts(DiffReport.Shares shares) {
        return Stream.of(Agreement.values())
                .filter(agreement -> shares.of(agreement) > 0)
                .collect(Collectors.toMap(agreement -> agreement, shares::of));
    }

    private static Map<Agreement, Long> counts(Stream<Pair> pairs) {
        Map<Agreement, Long> counts = new TreeMap<>();
        pairs.forEach(pair -> counts.merge(pair.agreement(), 1L, Long::sum));
        return counts;
    }

    @ParameterizedTest
    @CsvSource({"1,1,1,1", "1,4,4,4", "1,4,1,1", "2,3,3,3", "2,4,4,8", "3,4,2,1"})
    void shouldFindWhatAComparisonOfAllFinds(int topics, int partitions, int lanesOfA, int lanesOfB)
            throws IOException {
        SplittableRandom random = new SplittableRandom(topics * 100L + lanesOfB);
        for (int i = 0; i < 200; i++) {
            Draw a = Draw.of(random, topics, partitions, lanesOfA);
            Draw b = Draw.of(random, topics, partitions, lanesOfB);
            List<Pair> pairs = pairs(a, b);
            if (pairs.isEmpty()) {
                continue;
            }

            DiffReport report = diffOfLanes(a.lanes(), b.lanes());

            assertThat(counts(report.all())).isEqualTo(counts(pairs.stream()));
            assertThat(report.a().unmatched()).isEqualTo(a.verdicts().size() - pairs.size());
            assertThat(report.b().unmatched()).isEqualTo(b.verdicts().size() - pairs.size());
            shouldCountByRange(report, pairs);
            shouldCountBySource(report, pairs);
            assertThat(report.examples()).isEqualTo(clearest(pairs));
        }
    }

    private static void shouldCountByRange(DiffReport report, List<Pair> pairs) {
        List<Pair> told = pairs.stream()
                .filter(pair ->
                        pair.a().outcome() == Outcome.DUPLICATE || pair.b().outcome() == Outcome.DUPLICATE)
                .toList();
        assertThat(report.similarity().stream()
                        .mapToLong(one -> one.shares().pairs())
                        .sum())
                .isEqualTo(told.size());
        report.similarity().forEach(one -> assertThat(counts(one.shares()))
                .isEqualTo(counts(told.stream().filter(pair -> isIn(one.from(), pair)))));
    }

    private static boolean isIn(double from, Pair pair) {
        return Math.abs(Math.floor(pair.similarity() * 20 + 1e-9) / 20 - from) < 1e-6;
    }

    private static void shouldCountBySource(DiffReport report, List<Pair> pairs) {
        report.sources().forEach(one -> assertThat(counts(one.shares()))
                .isEqualTo(counts(pairs.stream().filter(pair -> one.source().equals(pair.source())))));
    }

    private static List<Pair> clearest(List<Pair> pairs) {
        List<Pair> clearest = new ArrayList<>();
        for (Agreement agreement : Agreement.values()) {
            pairs.stream()
                    .filter(pair -> agreement != Agreement.SAME && pair.agreement() == agreement)
                    .sorted(Pair.CLEAREST)
                    .limit(DiffReport.Tally.EXAMPLES_MAX)
                    .forEach(clearest::add);
        }
        return clearest;
    }

    // ---- one by one

    /** Ids are not unique, verdicts of an earlier release say no places, and one service may be older than a topic. */
    @Test
    void shouldTellOriginalsOfOneIdApartWhereBothSayWhereTheyAre() throws IOException {
        DiffReport report = diff(
                List.of(
                        duplicate(0, "o", "documents-0-7", 0.8),
                        duplicate(1, "o", 0.8),
                        duplicate(2, "o", "p-0-1", 0.8),
                        duplicate(3, "o", "p#1-0-1", 0.8)),
                List.of(
                        duplicate(0, "o", "documents-0-8", 0.8),
                        duplicate(1, "o", "documents-0-8", 0.8),
                        duplicate(2, "o", "p-0-1", 0.8),
                        duplicate(3, "o", "p-0-1", 0.8)));

        assertThat(counts(report.all()))
                .containsEntry(Agreement.OTHER_ORIGINAL, 1L)
                .containsEntry(Agreement.SAME, 3L);
    }

    @Test
    void shouldShowTheMostSimilarOfWhatOneOfThemMisses() throws IOException {
        DiffReport report = diff(
                List.of(duplicate(0, "o", 0.71), duplicate(1, "o", 0.79), duplicate(2, "o", 0.75), unique(3)),
                List.of(unique(0), unique(1), unique(2), duplicate(3, "p", 0.9)));

        assertThat(report.examples())
                .extracting(example -> example.a().position().offset())
                .containsExactly(1L, 2L, 0L, 3L);
        assertThat(report.all().of(Agreement.DUPLICATE_IN_A)).isEqualTo(3);
        assertThat(report.all().of(Agreement.DUPLICATE_IN_B)).isEqualTo(1);
    }

    @Test
    void shouldNotGrowWithTheSources() throws IOException {
        List<Verdict> many = new ArrayList<>();
        for (int i = 0; i < 30_000; i++) {
            many.add(unique("documents", 0, i, "s" + i));
        }

        DiffReport report = diff(many, many);

        assertThat(report.sources()).hasSizeLessThanOrEqualTo(20);
        assertThat(report.all().of(Agreement.SAME)).isEqualTo(30_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 2})
    void shouldRefuseVerdictsThatAreNotInTheOrderOfTheInput(long offset) {
        assertThatThrownBy(() -> diff(List.of(unique(0), unique(3), unique(offset)), List.of(unique(0))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("verdicts on documents-0: expected them in the order of the input")
                .hasMessageContaining("--since");
    }

    @Test
    void shouldRefuseWhatHasNoPositionInCommon() {
        assertThatThrownBy(() -> diff(List.of(unique(0)), List.of(unique("other", 0, 0, "wire"))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("found none: a has 1 on others, and b 1");
    }
}
