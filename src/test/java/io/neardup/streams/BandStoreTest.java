package io.neardup.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.lsh.BandKeys;
import io.neardup.protocol.BandState;
import io.neardup.protocol.BandStateContract;
import io.neardup.protocol.Candidate;
import io.neardup.protocol.Ref;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BandStoreTest extends BandStateContract {
    private static final int LARGE = 1_000;
    private static final Ref A = new Ref(0, 1);
    private static final Ref B = new Ref(0, 2);
    private static final Ref C = new Ref(0, 3);
    private static final BandKeys KEYS = BandKeys.of(new long[] {11, 22});

    private final List<BandStoreBench> benches = new ArrayList<>();

    @Override
    protected BandState open(int bands) {
        return bench(bands, LARGE);
    }

    private BandStoreBench bench(int bands, int bucketMax) {
        BandStoreBench bench = new BandStoreBench(bands, bucketMax);
        benches.add(bench);
        return bench;
    }

    @AfterEach
    void close() {
        benches.forEach(BandStoreBench::close);
    }

    @Test
    void shouldWriteOneChangelogRecordADocument() {
        BandStoreBench bench = bench(2, LARGE);
        bench.insert(A, KEYS);
        bench.insert(A, KEYS);
        bench.insert(B, KEYS);
        bench.candidates(C, KEYS, 10);

        assertThat(bench.changelog()).hasSize(2).allSatisfy(entry -> assertThat(entry.value())
                .isNotNull());
    }

    @Test
    void shouldWriteATombstoneOfTheSameKeyForARemoval() {
        BandStoreBench bench = bench(2, LARGE);
        bench.insert(A, KEYS);
        bench.remove(A, KEYS);

        List<TestRecord<byte[], byte[]>> changelog = bench.changelog();

        assertThat(changelog).hasSize(2);
        assertThat(changelog.get(1).key()).isEqualTo(changelog.get(0).key());
        assertThat(changelog.get(1).value()).isNull();
    }

    @Test
    void shouldCountWhatFullBucketsRefuse() {
        BandStoreBench bench = bench(2, 1);
        bench.insert(A, KEYS);
        bench.insert(B, BandKeys.of(new long[] {11, 99}));

        assertThat(bench.candidates(C, KEYS, 10)).containsExactly(new Candidate(A, 2));
        bench.step(store -> {
            assertThat(store.bucketsFull()).isOne();
            assertThat(store.documents()).isEqualTo(2);
            assertThat(store.bytes()).isPositive();
        });
    }

    @Test
    void shouldCountTheCandidatesThatItLeavesOut() {
        BandStoreBench bench = bench(2, LARGE);
        bench.insert(A, KEYS);
        bench.insert(B, KEYS);
        bench.insert(C, KEYS);

        bench.candidates(new Ref(1, 0), KEYS, 1);

        bench.step(store -> assertThat(store.candidatesDropped()).isEqualTo(2));
    }

    @ParameterizedTest
    @ValueSource(ints = {LARGE, 4})
    void shouldFindTheSameBucketsInItsChangelog(int bucketMax) {
        BandStoreBench bench = bench(3, bucketMax);
        List<BandKeys> keys = operateAtRandom(bench);
        List<TestRecord<byte[], byte[]>> changelog = bench.changelog();

        RestoredTable restored = new RestoredTable(3, bucketMax, changelog);

        assertSame(bench, restored, keys);
    }

    @Test
    void shouldFindTheSameBucketsInItsCompactedChangelog() {
        BandStoreBench bench = bench(3, LARGE);
        List<BandKeys> keys = operateAtRandom(bench);
        List<TestRecord<byte[], byte[]>> changelog = bench.changelog();

        RestoredTable restored = new RestoredTable(3, LARGE, RestoredTable.compacted(changelog));

        assertSame(bench, restored, keys);
    }

    /** Compaction forgets who kept a bucket full: whoever was refused may find room then, but not if it was removed. */
    @Test
    void shouldNotBringBackARemovedDocumentThatFullBucketsHadRefused() {
        BandStoreBench bench = bench(2, 1);
        bench.insert(A, KEYS);
        bench.insert(B, KEYS);
        bench.insert(C, KEYS);
        bench.remove(B, KEYS);
        bench.remove(A, KEYS);

        RestoredTable restored = new RestoredTable(2, 1, RestoredTable.compacted(bench.changelog()));

        assertThat(restored.candidates(new Ref(1, 0), KEYS)).containsExactly(new Candidate(C, 2));
    }

    private static List<BandKeys> operateAtRandom(BandState state) {
        Random random = new Random(5);
        List<BandKeys> keys = new ArrayList<>();
        for (int document = 0; document < 200; document++) {
            keys.add(BandKeys.of(random.longs(3, 0, 30).toArray()));
        }
        for (int i = 0; i < 3_000; i++) {
            int drawn = random.nextInt(keys.size());
            if (random.nextInt(3) == 0) {
                state.remove(new Ref(0, drawn), keys.get(drawn));
            } else {
                state.insert(new Ref(0, drawn), keys.get(drawn));
            }
        }
        return keys;
    }

    private static void assertSame(BandStoreBench bench, RestoredTable restored, List<BandKeys> keys) {
        Ref other = new Ref(1, 0);
        assertThat(keys).allSatisfy(of -> assertThat(restored.candidates(other, of))
                .isEqualTo(bench.candidates(other, of, Integer.MAX_VALUE)));
        bench.step(store -> assertThat(restored.documents()).isEqualTo(store.documents()));
    }
}
