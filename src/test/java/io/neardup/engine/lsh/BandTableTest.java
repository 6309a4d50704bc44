package io.neardup.engine.lsh;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.ArrayList;
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
import org.junit.jupiter.api.Test;
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
        assertThat(table.candidates(99, keys(1, 2), 4, tag -> tag, found)).isOne();
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
    void shouldTakeTwelveBytesABandAndSixteenADocumentAtMostWhileItGrows() {
        int bands = 6;
        BandTable table = new BandTable(bands, 100);
        fill(table, bands, 0, 100_000);
        for (int documents = 100_000; documents <= 200_000; documents += 10_000) {
            assertThat(table.bytes()).isBetween(8L * bands * documents, (12L * bands + 16) * documents);
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
        assertThat(table.bytes()).isLessThan((12L * bands + 16) * 100_000 + 12 * 100_000);
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
            assertThat(table.sweep(gone::contains)).isEqualTo(removed);
            assertThat(table.documents()).isEqualTo(oracle.documents());
            for (int d = 0; d < documents; d++) {
                assertThat(candidates(table, ref(d), keys[d])).isEqualTo(oracle.candidates(ref(d), keys[d]));
            }
        }
    }

    /** What is inserted and removed while a copy is written is in the copy, or is not. */
    @ParameterizedTest
    @CsvSource({"3, 1000, 20", "3, 4, 20", "2, 1000, 100000"})
    void shouldReadFromACopyTheTableAsItIsWhenTheCopyEnds(int bands, int bucketMax, int keysPerBand)
            throws IOException {
        int documents = 20_000;
        Random random = new Random(keysPerBand);
        BandTable table = new BandTable(bands, bucketMax);
        BandKeys[] keys = randomKeys(random, documents, bands, keysPerBand);
        for (int d = 0; d < documents / 2; d++) {
            table.insert(ref(d), keys[d]);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ArrayOutput to = new ArrayOutput(Channels.newChannel(bytes));

        table.beginCopy(to);
        for (int d = documents / 2; d < documents; d++) {
            table.insert(ref(d), keys[d]);
            int other = random.nextInt(d);
            table.remove(ref(other), keys[other]);
            table.advanceCopy(random.nextInt(100));
        }
        table.endCopy();
        to.finish();

        BandTable read = BandTable.readFrom(
                new ArrayInput(Channels.newChannel(new ByteArrayInputStream(bytes.toByteArray()))), bands, bucketMax);
        assertThat(read.documents()).isEqualTo(table.documents());
        for (int d = 0; d < documents; d += 19) {
            assertThat(candidates(read, ref(d), keys[d])).isEqualTo(candidates(table, ref(d), keys[d]));
        }
        assertThat(read.insert(-7, BandKeys.of(new long[bands])))
                .isEqualTo(table.insert(-7, BandKeys.of(new long[bands])));
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
        private final Set<Long> known = new HashSet<>();
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
            for (Set<Long> bucket : buckets(keys)) {
                if (bucket.size() < bucketMax) {
                    bucket.add(document);
                    known.add(document);
                } else {
                    refused++;
                }
            }
            return known.contains(document);
        }

        boolean remove(long document, BandKeys keys) {
            buckets(keys).forEach(bucket -> bucket.remove(document));
            return known.remove(document);
        }

        boolean contains(long document, BandKeys keys) {
            return buckets(keys).stream().anyMatch(bucket -> bucket.contains(document));
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
