package io.neardup.streams.store;

import static io.neardup.streams.store.BandTables.candidates;
import static io.neardup.streams.store.BandTables.ref;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.protocol.DocumentRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

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
}
