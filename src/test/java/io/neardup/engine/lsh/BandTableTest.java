package io.neardup.engine.lsh;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BandTableTest {

    @ParameterizedTest
    @CsvSource({
        // bands, bucketMax, keys a band, documents, operations
        "1, 1000, 1, 300, 4000",
        "3, 1000, 2, 200, 4000",
        "3, 5, 4, 200, 10000",
        "4, 1, 50, 200, 10000",
        "7, 3, 40, 500, 20000",
        "5, 1000, 100000, 2000, 60000",
        "2, 1000, 1000, 30000, 100000",
    })
    void shouldAgreeWithMapsOfSetsUnderRandomOperations(
            int bands, int bucketMax, int keysPerBand, int documents, int operations) {
        Random random = new Random(31L * bands + keysPerBand);
        BandTable table = new BandTable(bands, bucketMax);
        Oracle oracle = new Oracle(bands, bucketMax);
        BandKeys[] keys = randomKeys(random, documents, bands, keysPerBand);
        for (int i = 0; i < operations; i++) {
            int d = random.nextInt(documents);
            // Long phases with more insertions, then with more removals, so that tables grow and shrink.
            boolean growing = i / (operations / 4) % 2 == 0;
            int kind = random.nextInt(8);
            if (kind < (growing ? 5 : 1)) {
                assertThat(table.insert(ref(d), keys[d]) != 0).isEqualTo(oracle.insert(ref(d), keys[d]));
            } else if (kind < 6) {
                assertThat(table.remove(ref(d), keys[d])).isEqualTo(oracle.remove(ref(d), keys[d]));
            } else {
                assertThat(table.find(ref(d), keys[d]) != 0).isEqualTo(oracle.contains(ref(d), keys[d]));
                assertThat(candidates(table, ref(d), keys[d])).isEqualTo(oracle.candidates(ref(d), keys[d]));
            }
            assertThat(table.documents()).isEqualTo(oracle.documents());
            assertThat(table.bucketsFull()).isEqualTo(oracle.refused);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE})
    void shouldTakeAnyDocumentAndAnyKey(long extreme) {
        BandTable table = new BandTable(2, 10);
        BandKeys keys = keys(extreme, extreme);
        assertThat(table.insert(extreme, keys)).isPositive();
        assertThat(table.find(extreme, keys)).isPositive();
        assertThat(candidates(table, 5, keys)).containsExactly(Map.entry(extreme, 2));
        assertThat(table.remove(extreme, keys)).isTrue();
        assertThat(table.documents()).isZero();
    }

    private static BandKeys keys(long... keys) {
        return BandKeys.of(keys);
    }

    @Test
    void shouldReturnThoseThatShareTheMostBandsFirstOfEqualsTheOldestAndCountFullBuckets() {
        BandTable table = new BandTable(2, 5);
        for (int document = 1; document <= 5; document++) {
            table.tag(table.insert(document, keys(1, document <= 3 ? 2 : 100 + document)), 10 - document);
        }
        SharedBands found = new SharedBands();
        assertThat(table.candidates(99, keys(1, 2), 4, found)).isOne();
        assertThat(documents(found)).containsExactly(3L, 2L, 1L, 5L);
        assertThat(table.fullBuckets()).isOne();
    }

    private static List<Long> documents(SharedBands found) {
        return IntStream.range(0, found.size()).mapToObj(found::document).toList();
    }

    @Test
    void shouldRefuseADocumentInTheBandOfTheFullBucketOnlyAndTakeItOnceThereIsRoom() {
        BandTable table = new BandTable(2, 1);
        table.insert(1, keys(7, 10));
        assertThat(table.insert(2, keys(7, 30))).isPositive();
        assertThat(table.refused()).containsExactly(0);
        assertThat(table.bucketsFull()).isOne();
        assertThat(table.find(2, keys(7, 30))).isPositive();
        assertThat(candidates(table, 4, keys(7, 30))).isEqualTo(Map.of(1L, 1, 2L, 1));
        table.remove(1, keys(7, 10));
        assertThat(table.remove(2, keys(7, 30))).isTrue();
        assertThat(table.insert(2, keys(7, 30))).isPositive();
        assertThat(candidates(table, 3, keys(7, 30))).containsExactly(Map.entry(2L, 2));
    }

    @Test
    void shouldTakeTwelveBytesABandAndTwentyADocumentAtMostWhileItGrows() {
        int bands = 6;
        BandTable table = new BandTable(bands, 100);
        fill(table, bands, 0, 100_000);
        for (int documents = 100_000; documents <= 200_000; documents += 10_000) {
            assertThat(table.bytes()).isBetween(8L * bands * documents, (12L * bands + 20) * documents);
            fill(table, bands, documents, documents + 10_000);
        }
    }

    @Test
    void shouldGiveMemoryBackWhenDocumentsAreRemoved() {
        int bands = 6;
        BandTable table = new BandTable(bands, 100);
        fill(table, bands, 0, 200_000);
        for (int d = 0; d < 100_000; d++) {
            table.remove(d, keysOf(d, bands));
        }
        // The numbers of removed documents are kept to be used again: 12 bytes each.
        assertThat(table.bytes()).isLessThan((12L * bands + 20) * 100_000 + 16 * 100_000);
        long before = table.bytes();
        fill(table, bands, 400_000, 500_000);
        assertThat(table.bytes()).isLessThan(before + 12L * bands * 100_000);
    }

    @ParameterizedTest
    @CsvSource({
        // bands, bucketMax, keys a band, documents
        "1, 1000, 1, 300",
        "3, 5, 4, 200",
        "4, 3, 40, 2000",
        "2, 1000, 100000, 30000",
    })
    void shouldHoldWhatItWouldWithoutTheSweptOut(int bands, int bucketMax, int keysPerBand, int documents) {
        Random random = new Random(documents);
        BandTable table = new BandTable(bands, bucketMax);
        Oracle oracle = new Oracle(bands, bucketMax);
        BandKeys[] keys = randomKeys(random, documents, bands, keysPerBand);
        for (int round = 0; round < 4; round++) {
            for (int d = 0; d < documents; d++) {
                int number = table.insert(ref(d), keys[d]);
                oracle.insert(ref(d), keys[d]);
                if (number != 0) {
                    table.tag(number, d);
                }
            }
            Set<Integer> gone = new HashSet<>(
                    random.ints(documents / 2, 0, documents).boxed().toList());
            int removed = 0;
            for (int d : gone) {
                removed += oracle.remove(ref(d), keys[d]) ? 1 : 0;
            }
            assertThat(table.sweep(tag -> gone.contains((int) tag))).isEqualTo(removed);
            assertThat(table.documents()).isEqualTo(oracle.documents());
            for (int d = 0; d < documents; d++) {
                assertThat(candidates(table, ref(d), keys[d])).isEqualTo(oracle.candidates(ref(d), keys[d]));
            }
        }
    }

    /** Segments are begun, written, merged and opened again at any moment, beside insertions and removals. */
    @ParameterizedTest
    @CsvSource({
        // bands, bucketMax, keys a band, documents, operations, of which one in so many is of a segment
        "1, 1000, 1, 300, 3000, 15",
        "3, 1000, 2, 200, 4000, 50",
        "3, 5, 4, 200, 10000, 60",
        "4, 1, 50, 200, 10000, 60",
        "7, 3, 40, 500, 20000, 90",
        "5, 1000, 100000, 2000, 20000, 200",
        "2, 1000, 20, 800, 4000, 60",
    })
    void shouldAgreeWithMapsOfSetsWhateverLiesInSegments(
            int bands, int bucketMax, int keysPerBand, int documents, int operations, int rarity, @TempDir Path folder)
            throws IOException {
        Random random = new Random(37L * bands + keysPerBand);
        SegmentedTable segmented = new SegmentedTable(folder, bands, bucketMax);
        Oracle oracle = new Oracle(bands, bucketMax);
        BandKeys[] keys = randomKeys(random, documents, bands, keysPerBand);
        for (int i = 0; i < operations; i++) {
            int d = random.nextInt(documents);
            boolean growing = i / (operations / 4) % 2 == 0;
            int kind = random.nextInt(8);
            if (random.nextInt(rarity) == 0) {
                segmented.advance(random);
            } else if (kind < (growing ? 5 : 1)) {
                assertThat(segmented.insert(ref(d), keys[d])).isEqualTo(oracle.insert(ref(d), keys[d]));
            } else if (kind < 6) {
                assertThat(segmented.table.remove(ref(d), keys[d])).isEqualTo(oracle.remove(ref(d), keys[d]));
            } else {
                assertThat(segmented.table.find(ref(d), keys[d]) != 0).isEqualTo(oracle.contains(ref(d), keys[d]));
                assertThat(candidates(segmented.table, ref(d), keys[d])).isEqualTo(oracle.candidates(ref(d), keys[d]));
                assertThat(oldestOfThoseThatShareTheMost(segmented.table, ref(d), keys[d]))
                        .isEqualTo(oracle.mostSharedFirst(ref(d), keys[d], 3));
            }
            assertThat(segmented.table.documents()).isEqualTo(oracle.documents());
        }
        assertThat(segmented.rewrites).isGreaterThan(15);
        segmented.table.close();
    }

    private static List<Long> oldestOfThoseThatShareTheMost(BandTable table, long document, BandKeys keys) {
        SharedBands found = new SharedBands();
        table.candidates(document, keys, 3, found);
        return documents(found);
    }

    /** A table with files, and what a store does with it. */
    private static final class SegmentedTable {
        private final Path folder;
        private final int bands;
        private final int bucketMax;
        private BandTable table;
        private BandTable.@Nullable Rewrite rewrite;
        private @Nullable Path written;
        private long nextTag;
        private int rewrites;

        SegmentedTable(Path folder, int bands, int bucketMax) {
            this.folder = folder;
            this.bands = bands;
            this.bucketMax = bucketMax;
            this.table = new BandTable(bands, bucketMax);
        }

        boolean insert(long document, BandKeys keys) {
            int number = table.insert(document, keys);
            if (number != 0) {
                table.tag(number, nextTag++);
            }
            return number != 0;
        }

        /** The next step of a segment: it is begun, or written, or taken for what it was written of. */
        void advance(Random random) throws IOException {
            if (rewrite == null) {
                rewrite = random.nextInt(3) == 0 ? table.freeze() : table.nextMerge();
                rewrites += rewrite == null ? 0 : 1;
            } else if (written == null) {
                written = folder.resolve(rewrites + ".segment");
                rewrite.write(written);
            } else {
                for (Path unused : table.finish(rewrite, written)) {
                    Files.delete(unused);
                }
                rewrite = null;
                written = null;
                if (table.inMemory() == 0) {
                    openAgain();
                }
            }
        }

        private void openAgain() throws IOException {
            List<BandTable.Segment> segments = table.segments();
            table.close();
            table = new BandTable(bands, bucketMax);
            for (BandTable.Segment segment : segments) {
                table.add(segment.file(), (BitSet) segment.gone().clone());
            }
        }
    }

    @Test
    void shouldNotLetTheDeadPileUpInABucketWhileRestoring() {
        BandTable table = new BandTable(2, 8);
        BandKeys keys = keys(7, 8);
        table.restore(0, keys, List.of(), tag -> tag == 1);
        for (int d = 1; d <= 1_000; d++) {
            table.tag(table.restore(d, keys, List.of(), tag -> tag == 1), 1);
            assertThat(candidates(table, -1, keys)).hasSizeLessThanOrEqualTo(8);
        }
        assertThat(table.sweep(tag -> tag == 1)).isEqualTo(1_000);
        assertThat(candidates(table, -1, keys)).isEqualTo(Map.of(0L, 2));
        assertThat(table.documents()).isOne();
    }

    private static void fill(BandTable table, int bands, int from, int to) {
        IntStream.range(from, to).forEach(d -> table.insert(d, keysOf(d, bands)));
    }

    private static BandKeys keysOf(int document, int bands) {
        return BandKeys.of(LongStream.range(0, bands)
                .map(band -> (long) document * bands + band)
                .toArray());
    }

    /** Refs as the protocol packs them: a partition above a sequence. */
    private static long ref(int d) {
        return ((d % 3L) << 48) | d;
    }

    private static BandKeys[] randomKeys(Random random, int documents, int bands, int keysPerBand) {
        return Stream.generate(
                        () -> BandKeys.of(random.longs(bands, 0, keysPerBand).toArray()))
                .limit(documents)
                .toArray(BandKeys[]::new);
    }

    private static Map<Long, Integer> candidates(BandTable table, long document, BandKeys keys) {
        SharedBands found = new SharedBands();
        table.candidates(document, keys, found);
        Map<Long, Integer> shared = new HashMap<>();
        for (int i = 0; i < found.size(); i++) {
            assertThat(shared.put(found.document(i), found.bandsShared(i))).isNull();
        }
        return shared;
    }

    /** The oracle: the same in the plainest way. */
    private static final class Oracle {
        private final List<Map<Long, Set<Long>>> bands = new ArrayList<>();
        private final List<Long> known = new ArrayList<>();
        private final int bucketMax;
        private long refused;

        Oracle(int bandCount, int bucketMax) {
            for (int band = 0; band < bandCount; band++) {
                bands.add(new HashMap<>());
            }
            this.bucketMax = bucketMax;
        }

        boolean insert(long document, BandKeys keys) {
            if (contains(document, keys)) {
                return false;
            }
            boolean isTaken = false;
            for (Set<Long> bucket : buckets(keys)) {
                if (bucket.size() < bucketMax) {
                    bucket.add(document);
                    isTaken = true;
                } else {
                    refused++;
                }
            }
            if (isTaken) {
                known.add(document);
            }
            return isTaken;
        }

        boolean remove(long document, BandKeys keys) {
            buckets(keys).forEach(bucket -> bucket.remove(document));
            return known.remove(document);
        }

        boolean contains(long document, BandKeys keys) {
            return buckets(keys).stream().anyMatch(bucket -> bucket.contains(document));
        }

        List<Long> mostSharedFirst(long document, BandKeys keys, int max) {
            Map<Long, Integer> shared = candidates(document, keys);
            return shared.keySet().stream()
                    .sorted(Comparator.comparing(shared::get).reversed().thenComparing(known::indexOf))
                    .limit(max)
                    .toList();
        }

        Map<Long, Integer> candidates(long document, BandKeys keys) {
            Map<Long, Integer> shared = new HashMap<>();
            buckets(keys).forEach(bucket -> bucket.forEach(other -> shared.merge(other, 1, Integer::sum)));
            shared.remove(document);
            return shared;
        }

        int documents() {
            return known.size();
        }

        private List<Set<Long>> buckets(BandKeys keys) {
            List<Set<Long>> buckets = new ArrayList<>();
            for (int band = 0; band < keys.bands(); band++) {
                buckets.add(bands.get(band).computeIfAbsent(keys.key(band), key -> new LinkedHashSet<>()));
            }
            return buckets;
        }
    }
}
