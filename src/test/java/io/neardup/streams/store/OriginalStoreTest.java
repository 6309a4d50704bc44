package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.streams.topology.TestTransactions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.state.internals.OffsetCheckpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OriginalStoreTest {
    private final OriginalStoreHarness harness;

    OriginalStoreTest(@TempDir Path folder) {
        harness = new OriginalStoreHarness(folder, (key, value) -> List.of());
    }

    @AfterEach
    void close() {
        harness.close();
    }

    private void put(int... keys) {
        for (int key : keys) {
            harness.store().put(key(key), new byte[] {(byte) key});
        }
    }

    private static Bytes key(int key) {
        return Bytes.wrap(new byte[] {0, (byte) key});
    }

    private List<Integer> found() {
        List<Integer> found = new ArrayList<>();
        harness.forEach((key, value) -> found.add((int) value[0]));
        return found;
    }

    private long offset() {
        return harness.store().committedOffset(OriginalStoreHarness.CHANGELOG);
    }

    @Test
    void shouldTellThatItKnowsNoOffsetAsLongAsItHasNothing() {
        assertThat(offset()).isEqualTo(OffsetCheckpoint.OFFSET_UNKNOWN);
        put(1);
        assertThat(offset()).isEqualTo(OffsetCheckpoint.OFFSET_UNKNOWN);

        harness.commit();

        assertThat(offset()).isZero();
        assertThat(harness.store().managesOffsets()).isTrue();
        assertThat(harness.store().persistent()).isTrue();
    }

    /** Streams also opens and closes every store once before it hands out tasks. */
    @Test
    void shouldRestoreNothingAfterAStopInOrder() {
        put(1, 2, 3);
        harness.stopAndStart();
        assertThat(harness.restored()).isZero();
        assertThat(found()).containsExactly(1, 2, 3);
        long before = offset();
        harness.stopAndStart();
        assertThat(offset()).isEqualTo(before);
        assertThat(harness.restored()).isZero();
    }

    /** What is older than 12 hours is not used: the changelog may have lost markers of removals that came after. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldUseWhatHasNotChangedForLongWhereItIsConfirmed(boolean isConfirmed) {
        put(1);
        harness.commit();
        harness.passTime(Duration.ofHours(11));
        if (isConfirmed) {
            harness.store().confirm();
        }
        harness.passTime(Duration.ofHours(11));
        harness.stopAndStart();
        assertThat(harness.restored()).isEqualTo(isConfirmed ? 0 : 1);
        assertThat(found()).containsExactly(1);
    }

    @Test
    void shouldConfirmNothingThatIsNotCommitted() {
        put(1);
        harness.commit();
        put(2);
        harness.passTime(Duration.ofHours(11));
        harness.store().confirm();
        harness.closeDirtyAndStart();
        assertThat(found()).containsExactly(1);
    }

    @Test
    void shouldFollowTheChangelogAloneOnceItsTaskIsAStandby() {
        put(1);
        harness.commit();

        harness.goOnAsStandby(key(2), key(3));

        assertThat(found()).containsExactly(1, 2, 3);
    }

    @Test
    void shouldTakeFromTheChangelogWhatTheDiskDoesNotHaveAfterAKill() {
        put(1, 2);
        harness.stopAndStart();
        put(3);
        harness.commit();
        put(4);

        harness.kill();

        assertThat(harness.restored()).isEqualTo(1);
        assertThat(found()).containsExactly(1, 2, 3);
    }

    /** The cluster knows of the commit, the disk does not yet. */
    @Test
    void shouldHaveWhatIsCommittedWhenItIsKilledBeforeItIsWritten() {
        put(1);
        harness.commit();
        put(2);
        harness.store().delete(key(1));
        harness.commitInTheClusterAlone();

        harness.kill();

        assertThat(found()).containsExactly(2);
    }

    @Test
    void shouldKeepWhatIsCommittedWhereStreamsDeletesTheFolderOfTheTask() {
        put(1, 2);
        harness.commit();
        put(3);

        harness.closeDirtyAndStart();

        assertThat(harness.restored()).isZero();
        assertThat(found()).containsExactly(1, 2);
        put(4);
        harness.commit();
        harness.kill();
        assertThat(found()).containsExactly(1, 2, 4);
    }

    /** Kafka Streams 4.3.1 does that after a commit that timed out. */
    @Test
    void shouldNotBelieveStreamsThatWhatFailedIsCommitted() {
        put(1);
        harness.commit();
        put(2);
        harness.store().commit(Map.of(OriginalStoreHarness.CHANGELOG, 100L));

        harness.closeDirtyAndStart();

        assertThat(found()).containsExactly(1);
        assertThat(offset()).isZero();
    }

    @Test
    void shouldRestoreAllWhereStreamsFindsThatTheChangelogDoesNotFit() {
        put(1, 2);
        harness.commit();
        harness.store().commit(Map.of());

        harness.closeDirtyAndStart();

        assertThat(harness.restored()).isEqualTo(2);
        assertThat(found()).containsExactly(1, 2);
        harness.stopAndStart();
        assertThat(harness.restored()).isZero();
    }

    /** Else Streams takes an instance for one that has nothing of the task, and gives it to another. */
    @Test
    void shouldLeaveATraceInTheFolderOfTheTask() throws Exception {
        Path trace = harness.taskFolder().resolve("originals");
        assertThat(trace).isNotEmptyFile();
        Files.setLastModifiedTime(harness.taskFolder(), FileTime.fromMillis(1));

        harness.store().close();
        harness.store().close();

        assertThat(harness.store().isOpen()).isFalse();
        assertThat(Files.getLastModifiedTime(harness.taskFolder()).toMillis()).isEqualTo(1_000_000_000);
        assertThat(Files.getLastModifiedTime(harness.folder()).toMillis()).isEqualTo(1_000_000_000);
    }

    @Test
    void shouldAskForACommitWhereMuchGathers() {
        for (int megabytes = 1; megabytes < 16; megabytes++) {
            harness.store().put(key(megabytes), new byte[1 << 20]);
        }
        assertThat(harness.commitsAskedFor()).isZero();

        harness.store().put(key(16), new byte[1 << 20]);
        assertThat(harness.commitsAskedFor()).isEqualTo(1);

        harness.commit();
        put(17);
        assertThat(harness.commitsAskedFor()).isEqualTo(1);
    }

    /** Nobody could tell from where the changelog is to be read. */
    @Test
    void shouldWriteNothingOfATransactionWithoutARecordInItsChangelog() {
        put(1);
        TopicPartition other = new TopicPartition("test-buckets-changelog", OriginalStoreHarness.PARTITION);
        TestTransactions.commit(TestTransactions.begin(other, 7));

        assertThatThrownBy(this::found)
                .isInstanceOf(ProcessorStateException.class)
                .hasMessage("originals: what is committed could not be written")
                .cause()
                .hasMessageContaining("expected a record in test-originals-changelog-3 for what changed, found none");
        harness.kill();
        assertThat(found()).isEmpty();
    }
}
