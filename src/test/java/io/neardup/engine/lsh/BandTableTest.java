package io.neardup.engine.lsh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BandTableTest {

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE})
    void shouldTakeAnyDocumentAndAnyKey(long extreme) {
        BandTable table = new BandTable(2, 10);
        BandKeys keys = keys(extreme, extreme);
        assertThat(table.insert(extreme, keys, 7)).isTrue();
        assertThat(candidates(table, 5, keys)).containsExactly(Map.entry(extreme, 2));
        assertThat(table.remove(extreme, keys)).isEqualTo(7);
        assertThat(table.documents()).isZero();
    }

    private static BandKeys keys(long... keys) {
        return BandKeys.owning(keys);
    }

    private static List<Long> documents(SharedBands found) {
        return IntStream.range(0, found.size()).mapToObj(found::document).toList();
    }

    @Test
    void shouldTakeFourteenBytesABandAndThirtyTwoADocumentAtMostWhileItGrows() {
        int bands = 6;
        BandTable table = new BandTable(bands, 100);
        fill(table, bands, 0, 100_000);
        for (int documents = 100_000; documents <= 200_000; documents += 10_000) {
            assertThat(table.bytes()).isBetween(8L * bands * documents, (14L * bands + 33) * documents);
            fill(table, bands, documents, documents + 10_000);
        }
    }

    /** The garbage collector may free other memory meanwhile. */
    @Test
    void shouldFreeTheMemoryOfItsBucketsAtOnce(@TempDir Path folder) throws IOException {
        long tables = 8L * 6 * 20_000;
        try (BandTable table = new BandTable(6, 100)) {
            fill(table, 6, 0, 20_000);
            BandTable.Rewrite rewrite = table.freeze();
            rewrite.write(folder.resolve("segment"));
            shouldFree(tables, () -> table.finish(rewrite));

            fill(table, 6, 20_000, 40_000);
            IntStream.range(20_000, 39_000).forEach(d -> table.remove(d, keysOf(d, 6)));
            shouldFree(tables * 9 / 10, () -> table.compact());

            fill(table, 6, 40_000, 60_000);
            shouldFree(tables, table::close);
        }
    }

    private static void shouldFree(long bytes, ThrowingCallable step) {
        BufferPoolMXBean direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .findFirst()
                .orElseThrow();
        long used = direct.getMemoryUsed();
        assertThatCode(step).doesNotThrowAnyException();
        assertThat(used - direct.getMemoryUsed()).isGreaterThanOrEqualTo(bytes);
    }

    /** Of those removed by their keys only the references and tags are left; of those by their tags all. */
    @ParameterizedTest
    @CsvSource({"1, 0", "1, 3", "6, 1", "6, 9", "26, 5", "26, 10"})
    void shouldSayHowFullItIsByTheMemoryThatItTakes(int bands, int removedOfTen) {
        BandTable table = new BandTable(bands, 100);
        int documents = 50_000;
        fill(table, bands, 0, documents);
        for (int d = 0; d < documents; d++) {
            if (d % 10 < removedOfTen && d % 3 == 0) {
                table.removeTagged(d, BitSet.valueOf(new long[] {1}));
            } else if (d % 10 < removedOfTen) {
                table.remove(d, keysOf(d, bands));
            }
        }
        fill(table, bands, documents, 2 * documents);

        long left = (long) BandTable.bytesPerDocument(bands, 1) * table.inMemory();
        assertThat(table.bytes()).isBetween(left / 2, left * 4 / 3);
        assertThat(table.inMemory()).isBetween(documents, 2 * documents);
    }

    @ParameterizedTest
    @CsvSource({
        // bands, bucketMax, keys a band, documents
        "1, 1000, 1, 300",
        "3, 5, 4, 200",
        "4, 3, 40, 2000",
        "2, 1000, 40000, 12000",
    })
    void shouldHoldWhatItWouldWithoutThoseRemovedByTheirTags(int bands, int bucketMax, int keysPerBand, int documents) {
        Random random = new Random(documents);
        BandTable table = new BandTable(bands, bucketMax);
        Oracle oracle = new Oracle(bands, bucketMax);
        BandKeys[] keys = randomKeys(random, documents, bands, keysPerBand);
        for (int round = 0; round < 4; round++) {
            for (int d = 0; d < documents; d++) {
                table.insert(ref(d), keys[d], (long) round * documents + d);
                oracle.insert(ref(d), keys[d]);
            }
            for (int first = 0; first + 64 < documents; first += 64) {
                BitSet gone = BitSet.valueOf(new long[] {random.nextLong()});
                for (int before = 0; before <= round; before++) {
                    table.removeTagged((long) before * documents + first, gone);
                }
                int of = first;
                gone.stream().map(slot -> of + slot).forEach(d -> oracle.remove(ref(d), keys[d]));
            }
            table.compact();
            assertThat(table.inMemory()).isLessThan(1_000 + documents * 4 / 3);
            assertThat(table.documents()).isEqualTo(oracle.documents());
            for (int d = 0; d < documents; d++) {
                assertThat(candidates(table, ref(d), keys[d])).isEqualTo(oracle.candidates(ref(d), keys[d]));
            }
        }
    }

    /** Segments are begun, written, merged and opened again at any moment, beside insertions and removals; or never. */
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
        "4, 1, 50, 200, 10000, 1000000",
        "2, 1000, 400, 3000, 12000, 1000000",
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
            // Long phases with more insertions, then with more removals, so that tables grow and shrink.
            boolean growing = i / (operations / 4) % 2 == 0;
            int kind = random.nextInt(8);
            if (random.nextInt(rarity) == 0) {
                segmented.advance(random);
            } else if (kind < (growing ? 5 : 1)) {
                assertThat(segmented.insert(ref(d), keys[d])).isEqualTo(oracle.insert(ref(d), keys[d]));
            } else if (kind < 6) {
                assertThat(segmented.table.remove(ref(d), keys[d]) != BandTable.NONE)
                        .isEqualTo(oracle.remove(ref(d), keys[d]));
            } else {
                assertThat(contains(segmented.table, ref(d), keys[d])).isEqualTo(oracle.contains(ref(d), keys[d]));
                assertThat(candidates(segmented.table, ref(d), keys[d])).isEqualTo(oracle.candidates(ref(d), keys[d]));
                assertThat(oldestOfThoseThatShareTheMost(segmented.table, ref(d), keys[d]))
                        .isEqualTo(oracle.mostSharedFirst(ref(d), keys[d], 3));
                assertThat(segmented.table.fullBuckets()).isEqualTo(oracle.fullBuckets(keys[d]));
            }
            assertThat(segmented.table.documents()).isEqualTo(oracle.documents());
            assertThat(segmented.refusedBefore + segmented.table.refusals()).isEqualTo(oracle.refused);
        }
        assertThat(segmented.rewrites).isGreaterThan(rarity < operations ? 15 : -1);
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
        private long refusedBefore;

        SegmentedTable(Path folder, int bands, int bucketMax) {
            this.folder = folder;
            this.bands = bands;
            this.bucketMax = bucketMax;
            this.table = new BandTable(bands, bucketMax);
        }

        boolean insert(long document, BandKeys keys) {
            return table.insert(document, keys, nextTag++);
        }

        /** The next step of a segment: it is begun, or written, or taken for what it was written of. */
        void advance(Random random) throws IOException {
            if (rewrite == null) {
                rewrite = random.nextInt(3) == 0 ? table.freeze() : table.nextMerge(8);
                rewrites += rewrite == null ? 0 : 1;
            } else if (written == null) {
                written = folder.resolve(rewrites + ".segment");
                rewrite.write(written);
            } else {
                for (Path unused : table.finish(rewrite)) {
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
            refusedBefore += table.refusals();
            table.close();
            table = new BandTable(bands, bucketMax);
            for (BandTable.Segment segment : segments) {
                table.add(segment);
            }
        }
    }

    @Test
    void shouldNotLetTheDeadPileUpInABucketWhileRestoring() {
        BandTable table = new BandTable(2, 8);
        BandKeys keys = keys(7, 8);
        table.restore(0, keys, List.of(), 0);
        for (int d = 1; d <= 1_000; d++) {
            table.restore(d, keys, List.of(), d);
            table.removeTagged(d, BitSet.valueOf(new long[] {1}));
        }
        assertThat(candidates(table, -1, keys)).isEqualTo(Map.of(0L, 2));
        // Some 1,000 of them would be a slot of 8 bytes each, in both bands.
        assertThat(table.bytes()).isLessThan(1_024 * 16 + 4_000);
        assertThat(table.documents()).isOne();
    }

    /** One by one, with each put before all others of its bucket, it would take minutes. */
    @Test
    @Timeout(20)
    void shouldRestoreACommonTextOfWhichTheChangelogSaysLateThatItsCopiesAreGone() {
        int copies = 200_000;
        BandTable table = new BandTable(1, 8);
        BandKeys keys = keys(7);
        for (int d = 0; d < copies; d++) {
            table.restore(d, keys, List.of(), d);
        }
        for (int d = 1; d < copies; d++) {
            table.removeTagged(d, BitSet.valueOf(new long[] {1}));
        }
        assertThat(candidates(table, -1, keys)).isEqualTo(Map.of(0L, 1));
    }

    /**
     * Of segments as numbers. Merging goes on beside what comes in, or now and then, as behind a long merge; where a
     * segment may be no larger than a fourth of all, four that are full are left as they are.
     */
    @ParameterizedTest
    @CsvSource({
        "  14, 64, 64,  1, 1000000, 3,  2",
        " 140, 64, 64,  1, 1000000, 3,  6",
        "1000, 64, 64,  1, 1000000, 3, 13",
        "1000, 64, 127, 1, 1000000, 3, 13",
        "1000, 1,  200, 1, 1000000, 6, 13",
        "1000, 1,  1,   1, 1000000, 9,  6",
        "1000, 64, 64,  5, 1000000, 7,  9",
        "255,  64, 64, 255, 1000000, 254, 1",
        "1000, 64, 64,  1, 16000,   7,  8",
    })
    void shouldLeaveFewSegmentsByFewRewrites(
            int flushes, int least, int most, int every, long documentsMax, int segmentsMax, double rewritesMax) {
        Random random = new Random(37);
        List<Long> sizes = new ArrayList<>();
        long written = 0;
        long documents = 0;
        for (int flush = 1; flush <= flushes; flush++) {
            int size = least + random.nextInt(most - least + 1);
            documents += size;
            sizes.add((long) size);
            long[] before = sizes.stream().mapToLong(Long::longValue).toArray();
            int first = flush % every == 0 ? BandTable.firstToMerge(before, 64, documentsMax) : before.length - 1;
            if (first < before.length - 1) {
                long merged = Arrays.stream(before, first, before.length).sum();
                assertThat(merged).isLessThanOrEqualTo(documentsMax);
                written += merged;
                sizes.subList(first, before.length).clear();
                sizes.add(merged);
                long[] after = sizes.stream().mapToLong(Long::longValue).toArray();
                assertThat(BandTable.firstToMerge(after, 64, documentsMax)).isEqualTo(first);
            }
            assertThat(sizes).hasSizeLessThanOrEqualTo(segmentsMax);
        }
        assertThat((double) written / documents).isBetween(rewritesMax / 2, rewritesMax);
    }

    private static int write(BandTable table, BandTable.Rewrite rewrite, Path folder) throws IOException {
        Path file = Files.createTempFile(folder, "segment", "");
        Files.delete(file);
        rewrite.write(file);
        for (Path unused : table.finish(rewrite)) {
            Files.delete(unused);
        }
        return rewrite.documents();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 17, 1 << 20, SegmentLayout.DOCUMENTS_MAX})
    void shouldPackTheHighestNumberWithTheRestOfAnyKey(int documents) throws IOException {
        SegmentLayout layout = new SegmentLayout(1, documents);
        for (long key : List.of(0L, 0x155_5555_5555L, 0x3ff_ffff_ffffL)) {
            int entry = layout.entry(documents - 1, key);

            assertThat(layout.number(entry, Path.of("segment"))).isEqualTo(documents - 1);
            assertThat(layout.key(layout.slot(key), layout.fingerprint(key), layout.restOf(entry)))
                    .isEqualTo(key);
        }
    }

    /** Another layout needs another number at the beginning of the file. */
    @Test
    void shouldWriteTheSameBytesAsEver(@TempDir Path folder) throws IOException {
        BandTable table = new BandTable(2, 2);
        for (int d = 0; d < 3; d++) {
            table.insert(ref(d), keys(7, d), 64 + d);
        }
        Path file = folder.resolve("golden");
        table.freeze().write(file);

        byte[] bytes = Files.readAllBytes(file);
        assertThat(HexFormat.of().formatHex(bytes, 0, 52))
                .isEqualTo("366765737075646e020000000300000003000000000000009a94ea464e8b22e78eeee40ecc39ebbf"
                        + "10edc5eb9e8e63bb15509c08");
        assertThat(HexFormat.of().formatHex(bytes, 8_192, bytes.length))
                .isEqualTo("0d390d39000000000000000002000000"
                        + "00".repeat(48)
                        + "0000fb179dc900000000000003000000"
                        + "00".repeat(48)
                        + "5388b6015388b605"
                        + "00".repeat(4)
                        + "0000000028ba270651285908"
                        + "00000000000000005300"
                        + "01000000000001005328"
                        + "0200000000000200ff51"
                        + "400000000000000041000000000000004200000000000000"
                        + "000000000000000001000000000001000200000000000200");
    }

    /** Cold columns of the other bands are overwritten by what would be noticed: nothing there is read. */
    @Test
    void shouldTellByTheTailsOfItsKeysWhichOtherBucketsADocumentIsIn(@TempDir Path folder) throws IOException {
        int bands = 26;
        int documents = 5_000;
        BandTable before = new BandTable(bands, 1_000);
        fill(before, bands, 0, documents);
        Path file = folder.resolve("segment");
        before.freeze().write(file);
        try (BandTable table = new BandTable(bands, 1_000)) {
            table.add(segment(file, Files.readAllBytes(file)));
            SegmentLayout layout = new SegmentLayout(bands, documents);
            ByteBuffer numbers = ByteBuffer.allocate((int) (layout.documentsAt() - layout.coldAt(1)));
            Arrays.fill(numbers.array(), (byte) -1);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.write(numbers, layout.coldAt(1));
            }

            for (int document = 0; document < documents; document += 100) {
                BandKeys keys = keysOf(document, bands);
                assertThat(candidates(table, -1, keys)).containsExactly(Map.entry((long) document, bands));
                BandKeys sharing = BandKeys.owning(IntStream.range(0, bands)
                        .mapToLong(band -> band < 3 ? keys.key(band) : ~keys.key(band))
                        .toArray());
                assertThat(candidates(table, -1, sharing)).containsExactly(Map.entry((long) document, 3));
            }
        }
    }

    /** Some key in 256 has the same tail. */
    @Test
    void shouldNotTakeADocumentForAnotherThatSharesOneBucket(@TempDir Path folder) throws IOException {
        byte tail = SegmentLayout.tail(BandBuckets.key(2));
        long sameTail = LongStream.iterate(3, key -> key + 1)
                .filter(key -> SegmentLayout.tail(BandBuckets.key(key)) == tail)
                .findFirst()
                .orElseThrow();
        try (BandTable table = new BandTable(2, 1_000)) {
            table.insert(1, keys(1, sameTail), 0);
            table.insert(2, keys(0, 2), 1);
            write(table, table.freeze(), folder);

            assertThat(candidates(table, -1, keys(1, 2))).isEqualTo(Map.of(1L, 1, 2L, 1));
        }
    }

    /** A bit is flipped anywhere in a file: that is noticed when it is opened, or merged, or else changes no answer. */
    @Test
    void shouldNoticeWhatIsNotAsItWasWritten(@TempDir Path folder) throws IOException {
        int documents = 500;
        BandTable table = new BandTable(3, 1_000);
        for (int d = 0; d < documents; d++) {
            table.insert(d, keys(d, d % 100, d % 7), d);
        }
        Path whole = folder.resolve("whole");
        table.freeze().write(whole);
        byte[] bytes = Files.readAllBytes(whole);
        Random random = new Random(5);
        int noticed = 0;
        for (int i = 0; i < 300; i++) {
            byte[] damaged = bytes.clone();
            damaged[random.nextInt(i % 2 == 0 ? bytes.length : 8_192)] ^= (byte) (1 << random.nextInt(8));
            Path file = Files.write(folder.resolve(i + ".segment"), damaged);
            noticed += isNoticed(file, bytes, folder.resolve(i + ".merged")) ? 1 : 0;
        }
        assertThat(noticed).isGreaterThan(200);
    }

    /** With the checksum of its header. */
    private static BandTable.Segment segment(Path file, byte[] written) {
        int checksum = ByteBuffer.wrap(written).order(ByteOrder.LITTLE_ENDIAN).getInt(8_188);
        return new BandTable.Segment(file, Integer.toUnsignedLong(checksum), new BitSet());
    }

    private static boolean isNoticed(Path file, byte[] whole, Path merged) throws IOException {
        try (BandTable again = new BandTable(3, 1_000)) {
            again.add(segment(file, whole));
            again.freeze();
            BitSet half = new BitSet();
            half.set(0, 300);
            for (int first = 0; first < 300; first += 50) {
                again.removeTagged(first, half.get(first, first + 50));
            }
            again.removeTagged(0, half);
            BandTable.Rewrite merge = Objects.requireNonNull(again.nextMerge(1));
            merge.write(merged);
            assertThat(Files.readAllBytes(file).length).isEqualTo(whole.length);
            return false;
        } catch (DamagedSegmentException | UncheckedIOException e) {
            assertThat(merged).doesNotExist();
            return true;
        }
    }

    /** Nothing is at the address 0 of a process, so that Linux fails to read there as it does on a bad disk. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTakeForDamagedWhatTheDiskDoesNotGiveBack() throws IOException {
        Path file = Path.of("of", "a.segment");
        try (FileChannel failing = FileChannel.open(Path.of("/proc/self/mem"), StandardOpenOption.READ)) {
            BandSegment.ColumnReader column =
                    new BandSegment.ColumnReader(failing, file, 0, 8, BandSegment.ColumnReader.UNCHECKED);

            assertThatThrownBy(() -> column.next(8))
                    .isInstanceOf(DamagedSegmentException.class)
                    .hasMessage(file + ": expected 8 bytes more at byte 0, found java.io.IOException: "
                            + "Input/output error");
        }
    }

    private static void fill(BandTable table, int bands, int from, int to) {
        IntStream.range(from, to).forEach(d -> table.insert(d, keysOf(d, bands), d));
    }

    private static BandKeys keysOf(int document, int bands) {
        return BandKeys.owning(LongStream.range(0, bands)
                .map(band -> (long) document * bands + band)
                .toArray());
    }

    /** Refs as the protocol packs them: a partition above a sequence. */
    private static long ref(int d) {
        return ((d % 3L) << 48) | d;
    }

    private static BandKeys[] randomKeys(Random random, int documents, int bands, int keysPerBand) {
        return Stream.generate(() ->
                        BandKeys.owning(random.longs(bands, 0, keysPerBand).toArray()))
                .limit(documents)
                .toArray(BandKeys[]::new);
    }

    private static boolean contains(BandTable table, long document, BandKeys keys) {
        return candidates(table, ~document, keys).containsKey(document);
    }

    private static Map<Long, Integer> candidates(BandTable table, long document, BandKeys keys) {
        SharedBands found = new SharedBands();
        table.candidates(document, keys, Integer.MAX_VALUE, found);
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

        long fullBuckets(BandKeys keys) {
            return buckets(keys).stream()
                    .filter(bucket -> bucket.size() == bucketMax)
                    .count();
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
