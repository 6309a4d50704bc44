package io.neardup.streams.store;

import static io.neardup.streams.store.BandTables.candidates;
import static io.neardup.streams.store.BandTables.ref;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.simulation.SimulatedBandState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoggedBandTableTest {
    private static final int LARGE = 1_000;
    private static final DocumentRef NOBODY = new DocumentRef(9, 9);
    private static final BandKeys KEYS = BandKeys.owning(new long[] {11, 22});

    private final Changelog changelog = new Changelog();

    private LoggedBandTable open(int bands, int bucketMax) {
        return new LoggedBandTable(new BandTable(bands, bucketMax), 0, 0, changelog);
    }

    private static LoggedBandTable restored(int bands, int bucketMax, Changelog from) {
        LoggedBandTable table = new LoggedBandTable(new BandTable(bands, bucketMax), 0, 0, new Changelog());
        from.from(0).forEach(entry -> table.restore(entry.key(), entry.value()));
        return table;
    }

    private static void insertAll(LoggedBandTable table, int count) {
        IntStream.range(0, count).forEach(d -> table.insert(ref(d), KEYS));
    }

    @Test
    void shouldWriteOneRecordAStep() {
        LoggedBandTable table = open(2, LARGE);
        insertAll(table, 64);
        table.writeChanges();
        table.insert(ref(64), KEYS);
        table.insert(ref(0), KEYS);
        table.writeChanges();
        table.insert(ref(64), KEYS);
        table.writeChanges();
        assertThat(changelog.size()).isEqualTo(2);
    }

    @Test
    void shouldWriteOneRecordForAllThatAStepRemovesFromABatch() {
        LoggedBandTable table = open(2, LARGE);
        insertAll(table, 64);
        table.writeChanges();
        IntStream.range(0, 40).forEach(d -> table.remove(ref(d), KEYS));
        table.remove(NOBODY, KEYS);
        table.writeChanges();
        assertThat(changelog.size()).isEqualTo(2);
        assertThat(candidates(restored(2, LARGE, changelog), NOBODY, KEYS)).hasSize(24);
    }

    @Test
    void shouldLeaveNothingOfABatchOfWhichAllAreDeadAndWriteNothingOfWhatOneStepBringsAndTakes() {
        LoggedBandTable table = open(2, LARGE);
        table.insert(ref(0), KEYS);
        table.remove(ref(0), KEYS);
        table.writeChanges();
        assertThat(changelog.compacted(changelog.size(), false).size()).isZero();
        table.insert(ref(1), KEYS);
        table.insert(ref(2), KEYS);
        table.writeChanges();
        for (int d = 1; d <= 2; d++) {
            table.remove(ref(d), KEYS);
            table.writeChanges();
        }
        assertThat(changelog.compacted(changelog.size(), false).size()).isZero();
    }

    @Test
    void shouldLeaveTheStateOfOneAfterManyCopies() {
        LoggedBandTable table = open(2, LARGE);
        int copies = 20_000;
        List<Integer> undecided = new ArrayList<>();
        for (int d = 0; d < copies; d++) {
            table.insert(ref(d), KEYS);
            undecided.add(d);
            if (d % 50 == 49) {
                table.writeChanges();
            }
            if (undecided.size() == 900) {
                removeUnlessFirst(table, undecided.subList(0, 450));
                undecided.subList(0, 450).clear();
                table.writeChanges();
            }
        }
        removeUnlessFirst(table, undecided);
        table.writeChanges();

        Changelog compacted = changelog.compacted(changelog.size(), false);
        assertThat(table.documents()).isOne();
        assertThat(compacted.size()).isEqualTo(2);
        assertThat(compacted.bytes()).isLessThan(2_000);
        assertThat(candidates(restored(2, LARGE, changelog), NOBODY, KEYS)).isEqualTo(Map.of(ref(0), 2));
        assertThat(candidates(restored(2, LARGE, compacted), NOBODY, KEYS)).isEqualTo(Map.of(ref(0), 2));
    }

    private static void removeUnlessFirst(LoggedBandTable table, List<Integer> copies) {
        copies.stream().filter(copy -> copy > 0).forEach(copy -> table.remove(ref(copy), KEYS));
    }

    @Test
    void shouldNotUseTheIdsOfTheLostAgain() {
        LoggedBandTable table = open(2, LARGE);
        table.insert(ref(1), KEYS);
        table.writeChanges();
        table.remove(ref(1), KEYS);
        table.writeChanges();
        LoggedBandTable next = new LoggedBandTable(new BandTable(2, LARGE), 0, 0, changelog);
        List.copyOf(changelog.from(0)).forEach(entry -> next.restore(entry.key(), entry.value()));
        next.insert(ref(2), KEYS);
        next.writeChanges();

        assertThat(BandLogCodec.KEY.decode(changelog.from(3).get(0).key()).batch())
                .isOne();
    }

    /**
     * Random steps against buckets by the book, with a restart now and then from the changelog in any state that
     * compaction may leave, and a standby that follows and takes over.
     */
    @ParameterizedTest
    @CsvSource({
        // bands, bucketMax, keys a band, seeds
        "1, 1000, 30, 10",
        "3, 1000, 30, 10",
        "3, 4, 10, 10",
        "2, 1, 20, 10",
        "3, 5, 60, 10",
        "2, 1000, 100000, 10",
    })
    void shouldAgreeWithBucketsByTheBookHoweverItWasRestored(int bands, int bucketMax, int keysPerBand, int seeds) {
        for (int seed = 0; seed < seeds; seed++) {
            new RandomRun(bands, bucketMax, keysPerBand, seed).run();
        }
    }

    private static final class RandomRun {
        private static final int STEPS = 300;

        private final Random random;
        private final int seed;
        private final List<BandKeys> keys = new ArrayList<>();
        private final SimulatedBandState expected;
        private final Supplier<BandTable> tables;
        private Changelog changelog = new Changelog();
        private LoggedBandTable active;
        private LoggedBandTable standby;
        private int standbyOffset;

        RandomRun(int bands, int bucketMax, int keysPerBand, int seed) {
            this.seed = seed;
            random = new Random(seed);
            expected = new SimulatedBandState(bucketMax);
            tables = () -> new BandTable(bands, bucketMax);
            for (int document = 0; document < 400; document++) {
                keys.add(BandKeys.owning(random.longs(bands, 0, keysPerBand).toArray()));
            }
            active = open();
            standby = open();
        }

        private LoggedBandTable open() {
            return new LoggedBandTable(tables.get(), 0, 0, (key, value) -> changelog.write(key, value));
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                boolean mostlyInserts = step / 60 % 2 == 0;
                for (int i = random.nextInt(random.nextInt(10) == 0 ? 150 : 12); i > 0; i--) {
                    operate(random.nextInt(keys.size()), mostlyInserts);
                }
                active.writeChanges();
                switch (random.nextInt(20)) {
                    case 0 -> restart();
                    case 1 -> follow();
                    case 2 -> swap();
                    default -> {}
                }
            }
            check();
            restart();
            check();
        }

        private void operate(int document, boolean mostlyInserts) {
            BandKeys of = keys.get(document);
            if (random.nextInt(4) == 0 == mostlyInserts) {
                active.remove(ref(document), of);
                expected.remove(ref(document), of);
            } else {
                assertAgree(ref(document), document);
                active.insert(ref(document), of);
                expected.insert(ref(document), of);
            }
        }

        private void assertAgree(DocumentRef asker, int document) {
            Map<DocumentRef, Integer> found = candidates(active, asker, keys.get(document));
            Map<DocumentRef, Integer> byTheBook = expected.shared(asker, keys.get(document));
            if (!found.equals(byTheBook)) {
                fail("seed %d, document %d: expected %s, found %s".formatted(seed, document, byTheBook, found));
            }
        }

        private void restart() {
            int size = changelog.size();
            changelog = random.nextBoolean()
                    ? changelog.thinned(random)
                    : changelog.compacted(random.nextInt(size + 1), random.nextBoolean());
            active = open();
            changelog.from(0).forEach(entry -> active.restore(entry.key(), entry.value()));
            standby = open();
            standbyOffset = 0;
        }

        private void follow() {
            changelog.from(standbyOffset).forEach(entry -> standby.restore(entry.key(), entry.value()));
            standbyOffset = changelog.size();
        }

        private void swap() {
            follow();
            LoggedBandTable demoted = active;
            active = standby;
            standby = demoted;
        }

        private void check() {
            for (int document = 0; document < keys.size(); document++) {
                assertAgree(NOBODY, document);
            }
            assertThat(active.documents()).describedAs("seed %d", seed).isEqualTo(expected.size());
        }
    }
}
