package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.BandIndex.BandState;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.simulation.SimulatedBandState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.state.internals.OffsetCheckpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BandStoreTest {
    private static final int LARGE = 1_000;
    private static final DocumentRef A = new DocumentRef(0, 1);
    private static final DocumentRef B = new DocumentRef(0, 2);
    private static final DocumentRef C = new DocumentRef(0, 3);
    private static final TopicPartition CHANGELOG = new TopicPartition("harness-buckets-changelog", 0);
    private static final BandKeys KEYS = BandKeys.of(new long[] {11, 22});

    private final List<BandStoreHarness> benches = new ArrayList<>();
    private final AtomicLong now = new AtomicLong();

    private BandStoreHarness harness(int bands, int bucketMax) {
        return closeLater(new BandStoreHarness(bands, bucketMax));
    }

    /** With its snapshot in a folder. */
    private BandStoreHarness open(Path folder) {
        return closeLater(new BandStoreHarness(2, LARGE, folder, now::get));
    }

    /** Another that finds the snapshot of one. */
    private BandStoreHarness restarted(Path from, Path folder) throws IOException {
        Files.createDirectories(BandStoreHarness.snapshot(folder).getParent());
        Files.copy(BandStoreHarness.snapshot(from), BandStoreHarness.snapshot(folder));
        return open(folder);
    }

    private BandStoreHarness closeLater(BandStoreHarness harness) {
        benches.add(harness);
        return harness;
    }

    @AfterEach
    void close() {
        benches.forEach(BandStoreHarness::close);
    }

    /** A document is also dropped from the buckets of another. */
    @ParameterizedTest
    @CsvSource({"1, 1000", "3, 1000", "8, 1000", "3, 1", "3, 4"})
    void shouldAgreeWithBucketsByBruteForceUnderRandomOperations(int bands, int bucketMax) {
        Random random = new Random(bands);
        BandState state = harness(bands, bucketMax);
        BandState expected = new SimulatedBandState(bucketMax);
        List<BandKeys> keys = Stream.generate(
                        () -> BandKeys.of(random.longs(bands, 0, 40).toArray()))
                .limit(150)
                .toList();
        for (int i = 0; i < 4_000; i++) {
            int drawn = random.nextInt(keys.size());
            DocumentRef document = drawn == 0
                    ? new DocumentRef(DocumentRef.COORDINATORS_MAX - 1, DocumentRef.SEQUENCE_MAX)
                    : new DocumentRef(drawn % 5, drawn);
            BandKeys of = keys.get(drawn);
            switch (random.nextInt(8)) {
                case 0, 1 -> {
                    state.remove(document, of);
                    expected.remove(document, of);
                }
                case 2 -> {
                    BandKeys others = keys.get(random.nextInt(keys.size()));
                    state.drop(document, others);
                    expected.drop(document, others);
                }
                case 3, 4 -> {
                    int max = 1 + random.nextInt(12);
                    assertThat(state.find(document, of, max))
                            .as("after %d operations", i)
                            .isEqualTo(expected.find(document, of, max));
                }
                default -> {
                    state.insert(document, of);
                    expected.insert(document, of);
                }
            }
        }
    }

    @Test
    void shouldStartFromTheSnapshotThatACommitWrote(@TempDir Path first, @TempDir Path second) throws IOException {
        BandStoreHarness harness = open(first);
        harness.insert(A, KEYS);
        BandStoreHarness restarted = restarted(first, second);

        assertThat(restarted.find(C, KEYS, 10).candidates()).containsExactly(A);
        restarted.step(store -> assertThat(store.committedOffset(CHANGELOG)).isZero());
        assertThat(restarted.changelog()).isEmpty();
    }

    @Test
    void shouldWriteWhatHasChangedWhenItCloses(@TempDir Path first, @TempDir Path second) throws IOException {
        BandStoreHarness harness = open(first);
        for (DocumentRef document : List.of(A, B, C)) {
            harness.insert(document, KEYS);
        }
        harness.step(store -> assertThat(store.committedOffset(CHANGELOG)).isZero());
        harness.closeStore();
        BandStoreHarness restarted = restarted(first, second);

        restarted.step(store -> {
            assertThat(store.documents()).isEqualTo(3);
            assertThat(store.committedOffset(CHANGELOG)).isEqualTo(2);
        });
    }

    @Test
    void shouldWriteNothingThatIsNotInTheChangelogAndNoEmptyTable(@TempDir Path folder) {
        BandStoreHarness harness = open(folder);
        harness.step(store -> {});
        harness.step(store -> store.insert(A, KEYS), store -> {});
        harness.step(
                store -> assertThat(store.committedOffset(CHANGELOG)).isEqualTo(OffsetCheckpoint.OFFSET_UNKNOWN),
                store -> {});
        assertThat(BandStoreHarness.snapshot(folder)).doesNotExist();
    }

    @Test
    void shouldWriteAtACommitOnlyWhatIsNotYoung(@TempDir Path folder) throws IOException {
        BandStoreHarness harness = open(folder);
        List<byte[]> written = new ArrayList<>();
        for (DocumentRef document : List.of(A, B, C)) {
            harness.insert(document, KEYS);
            written.add(Files.readAllBytes(BandStoreHarness.snapshot(folder)));
            now.addAndGet(400_000);
        }

        assertThat(written.get(1)).isEqualTo(written.get(0));
        assertThat(written.get(2)).isNotEqualTo(written.get(0));
    }

    @Test
    void shouldWriteNothingOfAStepThatTheChangelogDidNotTake(@TempDir Path folder) throws IOException {
        BandStoreHarness harness = open(folder);
        for (DocumentRef document : List.of(A, B)) {
            harness.insert(document, KEYS);
        }
        byte[] written = Files.readAllBytes(BandStoreHarness.snapshot(folder));
        now.addAndGet(1_000_000);

        harness.step(store -> store.insert(C, KEYS), store -> {
            harness.leaveNoTime();
            assertThatThrownBy(store::writeChanges).hasMessageContaining("timestamp");
        });
        harness.step(store -> {}, store -> {});

        assertThat(BandStoreHarness.snapshot(folder)).hasBinaryContent(written);
    }

    @Test
    void shouldWriteBesideTheWork(@TempDir Path first, @TempDir Path second) throws IOException {
        BandStoreHarness harness = open(first);
        harness.insert(A, KEYS);
        harness.step(store -> {
            for (int i = 10; i < 60_000; i++) {
                store.insert(new DocumentRef(0, i), BandKeys.of(new long[] {i, i}));
            }
        });
        List<Long> saved = new ArrayList<>(List.of(0L));
        while (saved.get(saved.size() - 1) == 0) {
            now.addAndGet(100);
            harness.step(store -> {
                store.saveMore();
                saved.add(store.committedOffset(CHANGELOG));
            });
        }
        BandStoreHarness restarted = restarted(first, second);

        assertThat(saved.get(saved.size() - 1)).isEqualTo(harness.changelog().size() - 1L);
        restarted.step(store -> assertThat(store.documents()).isEqualTo(59_991));
    }

    @Test
    void shouldCountTheCandidatesThatItTruncates() {
        BandStoreHarness harness = harness(2, LARGE);
        harness.insert(A, KEYS);
        harness.insert(B, KEYS);
        harness.insert(C, KEYS);

        harness.find(new DocumentRef(1, 0), KEYS, 1);

        harness.step(store -> assertThat(store.candidatesDropped()).isEqualTo(2));
    }
}
