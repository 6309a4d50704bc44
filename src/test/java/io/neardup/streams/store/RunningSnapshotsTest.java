package io.neardup.streams.store;

import static io.neardup.streams.store.BandTables.ref;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.streams.store.BandSnapshot.Header;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunningSnapshotsTest {
    private static final int BUCKET_MAX = 1_000;
    private static final int CHANGES_MIN = (int) RunningSnapshots.CHANGES_MIN;

    /** With a disk that has other work. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    private long nowMillis = 1_000_000_000;
    private Optional<Long> offset = Optional.of(0L);
    private int inserted;

    private final RunningSnapshots.SnapshotTurn turn = new RunningSnapshots.SnapshotTurn();
    private final Changelog changelog = new Changelog();

    private LoggedBandTable table() {
        return new LoggedBandTable(new BandTable(1, BUCKET_MAX), changelog);
    }

    private BandSnapshot snapshot(String name) {
        return new BandSnapshot(folder.resolve(name), "changelog", 1, BUCKET_MAX);
    }

    private RunningSnapshots snapshots(String name, LoggedBandTable table, @Nullable Header before) {
        return new RunningSnapshots(snapshot(name), table, turn, () -> nowMillis, Optional.ofNullable(before));
    }

    private void insert(LoggedBandTable into, int documents) {
        for (int i = 0; i < documents; i++) {
            into.insert(ref(inserted), BandKeys.of(new long[] {inserted}));
            inserted++;
        }
        into.writeChanges();
    }

    /** Goes on until one is written; each time so many milliseconds later. */
    private Header written(RunningSnapshots snapshots, int millis) throws IOException {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        Optional<Header> written = Optional.empty();
        while (written.isEmpty() && System.nanoTime() < deadlineNanos) {
            nowMillis += millis;
            written = snapshots.advance(() -> offset);
            Thread.onSpinWait();
        }
        return written.orElseThrow(() -> new AssertionError("nothing was written"));
    }

    @Test
    void shouldWriteWhereManyHaveComeOrGone() throws IOException {
        LoggedBandTable table = table();
        RunningSnapshots snapshots = snapshots("a", table, new Header(nowMillis, 0));
        insert(table, CHANGES_MIN - 1);
        offset = Optional.of(41L);

        assertThat(snapshots.advance(() -> offset)).isEmpty();
        assertThat(snapshots.end()).isEmpty();
        assertThat(folder).isEmptyDirectory();

        table.remove(ref(7), BandKeys.of(new long[] {7}));
        table.writeChanges();
        offset = Optional.of(42L);

        Header written = written(snapshots, 100);
        assertThat(written.offset()).isEqualTo(42);
        var content = snapshot("a").read(nowMillis, changelog).orElseThrow();
        assertThat(content.header()).isEqualTo(written);
        assertThat(content.table().documents()).isEqualTo(CHANGES_MIN - 2);
        nowMillis += 1_000;
        snapshots.advance(() -> offset);
        assertThat(snapshots.end()).isEmpty();
    }

    @Test
    void shouldWriteAlsoWhatWasRestoredInItsCount() throws IOException {
        insert(table(), CHANGES_MIN);
        LoggedBandTable restored = table();
        changelog.from(0).forEach(entry -> restored.restore(entry.key(), entry.value()));
        restored.documents();

        written(snapshots("a", restored, new Header(nowMillis, 0)), 100);

        assertThat(folder.resolve("a")).exists();
    }

    @Test
    void shouldReplaceWhatIsHoursOldWhereAnythingHasChanged() throws IOException {
        LoggedBandTable table = table();
        RunningSnapshots snapshots = snapshots("a", table, new Header(nowMillis, 0));
        nowMillis += Duration.ofHours(4).toMillis();
        snapshots.advance(() -> offset);
        assertThat(folder).isEmptyDirectory();
        insert(table, 1);

        long before = nowMillis;

        assertThat(written(snapshots, 100).writtenMillis()).isGreaterThanOrEqualTo(before);
    }

    @Test
    void shouldNotEndWhileSomethingIsNotCommitted() throws IOException {
        LoggedBandTable table = table();
        RunningSnapshots snapshots = snapshots("a", table, null);
        insert(table, 1);
        offset = Optional.empty();
        for (int i = 0; i < 100; i++) {
            nowMillis += 100;
            snapshots.advance(() -> offset);
        }
        assertThat(snapshots.end()).isEmpty();

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldWriteNoMoreThanItsShareOfTheDisk() throws IOException {
        LoggedBandTable table = table();
        insert(table, 400_000);
        RunningSnapshots snapshots = snapshots("a", table, null);
        long before = nowMillis;

        Header written = written(snapshots, 10);

        long bytes = Files.size(folder.resolve("a"));
        assertThat(bytes).isGreaterThan(8 << 20);
        long end = 2 << 20;
        assertThat(written.writtenMillis() - before)
                .isGreaterThan((bytes - end) * 1_000 / RunningSnapshots.BYTES_PER_SECOND);
    }

    @Test
    void shouldWriteOneTableAfterTheOther() throws IOException {
        LoggedBandTable first = table();
        LoggedBandTable second = table();
        insert(first, 1);
        insert(second, 1);
        RunningSnapshots ofFirst = snapshots("a", first, null);
        RunningSnapshots ofSecond = snapshots("b", second, null);

        ofFirst.advance(() -> offset);
        nowMillis += 1_000;
        ofSecond.advance(() -> offset);
        assertThat(ofSecond.end()).isEmpty();
        written(ofFirst, 100);
        written(ofSecond, 100);

        assertThat(folder.resolve("b")).exists();
    }

    @Test
    void shouldTryAgainLaterWhereTheDiskDoesNotTakeIt() throws IOException {
        Files.createDirectory(folder.resolve("a.slices.tmp"));
        LoggedBandTable table = table();
        insert(table, 1);
        RunningSnapshots snapshots = snapshots("a", table, null);

        assertThatThrownBy(() -> written(snapshots, 100)).isInstanceOf(IOException.class);
        assertThat(snapshots.advance(() -> offset)).isEmpty();
        insert(table, CHANGES_MIN);

        assertThat(written(snapshots, 100).offset()).isEqualTo(offset.orElseThrow());
    }
}
