package io.neardup.streams.store;

import static io.neardup.streams.store.BandTables.candidates;
import static io.neardup.streams.store.BandTables.ref;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.DamagedSegmentException;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.simulation.SimulatedBandState;
import io.neardup.streams.metrics.DiskFailures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BandSegmentsTest {
    private static final DocumentRef NOBODY = new DocumentRef(9, 9);
    private static final int IN_MEMORY_MAX = 16;
    private static final BandSegments.Threads DIRECT = new BandSegments.Threads(Runnable::run, Runnable::run);

    /**
     * Random steps against buckets by the book. Segments of a few documents are written and merged at any moment; now
     * and then the process stops, or is killed, which takes the open transaction along, and another one starts from
     * what is on the disk, or elsewhere from nothing, and what compaction has left of the changelog behind that. A
     * standby follows, and takes over.
     */
    @ParameterizedTest
    @CsvSource({
        // bands, bucketMax, keys a band, seeds
        "1, 1000, 30, 8",
        "3, 1000, 30, 8",
        "3, 4, 10, 8",
        "2, 1, 20, 8",
        "3, 5, 60, 8",
        "2, 1000, 100000, 8",
    })
    void shouldAgreeWithBucketsByTheBookWhoeverStopsWhen(
            int bands, int bucketMax, int keysPerBand, int seeds, @TempDir Path folder) throws IOException {
        for (int seed = 0; seed < seeds; seed++) {
            new RandomRun(bands, bucketMax, keysPerBand, seed, folder.resolve("s" + seed)).run();
        }
    }

    private static BandSegments open(
            Path folder, int bands, int bucketMax, LoggedBandTable.Log log, BandSegments.Threads threads)
            throws IOException {
        return open(folder, bands, bucketMax, log, threads, new DiskFailures());
    }

    private static BandSegments open(
            Path folder,
            int bands,
            int bucketMax,
            LoggedBandTable.Log log,
            BandSegments.Threads threads,
            DiskFailures failures)
            throws IOException {
        BandFiles files = new BandFiles(Files.createDirectories(folder), "changelog", bands, bucketMax);
        return new BandSegments(files, log, IN_MEMORY_MAX, threads, failures, () -> 0);
    }

    private static BandSegments open(Path folder, BandSegments.Threads threads) throws IOException {
        return open(folder, 1, 1_000, new Changelog(), threads);
    }

    private static void insert(BandSegments into, int from, int to) {
        for (int document = from; document < to; document++) {
            into.table().insert(ref(document), BandKeys.owning(new long[] {document}));
        }
        into.table().writeChanges();
    }

    private static Set<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
        }
    }

    /** Also what one reading of the changelog adds. */
    @ParameterizedTest
    @CsvSource({"1, 1", "1, 16", "6, 4", "26, 4", "37, 4", "26, 64", "1000, 1024"})
    void shouldFillNoMoreMemoryThanThereIs(int bands, int indexPartitions) {
        int documents = BandSegments.inMemoryMax(bands, indexPartitions);

        int entries = Math.max(bands, indexPartitions);
        assertThat((long) documents * (9 * entries + 16 * indexPartitions)).isLessThan(256_000_000);
        assertThat(documents).isBetween(1_000, 3_000_000);
    }

    @Test
    void shouldWriteAllOnceTheDiskTakesIt(@TempDir Path folder) throws IOException {
        DiskFailures failures = new DiskFailures();
        BandSegments segments = open(folder, 1, 1_000, new Changelog(), DIRECT, failures);
        Path inTheWay = Files.createDirectories(folder.resolve("0.segment/in-the-way"));
        insert(segments, 0, IN_MEMORY_MAX);
        segments.advance(Optional.of(0L));
        segments.advance(Optional.of(0L));
        assertThat(failures.latest(System.nanoTime()).orElseThrow())
                .startsWith("the disk of state.dir did not take " + folder.resolve("0.segment") + " ");
        insert(segments, IN_MEMORY_MAX, IN_MEMORY_MAX * 5 / 4);
        segments.advance(Optional.of(1L));
        insert(segments, IN_MEMORY_MAX * 5 / 4, 6 * IN_MEMORY_MAX);

        assertThatThrownBy(() -> segments.advance(Optional.of(1L)))
                .hasMessageContaining("wait to be written")
                .hasRootCauseMessage(folder.resolve("0.segment").toString());
        Files.delete(inTheWay);
        Files.delete(inTheWay.getParent());
        segments.close(Optional.of(2L));

        BandSegments next = open(folder, DIRECT);
        assertThat(next.table().documents()).isEqualTo(6 * IN_MEMORY_MAX);
        assertThat(next.manifest().orElseThrow().reached().offset()).isEqualTo(2);
        next.close(Optional.empty());
    }

    @Test
    void shouldTryAgainWhereTheClockWasSetBackSince(@TempDir Path folder) throws IOException {
        AtomicLong now = new AtomicLong(36_000_000);
        BandFiles files = new BandFiles(folder, "changelog", 1, 1_000);
        BandSegments segments =
                new BandSegments(files, new Changelog(), IN_MEMORY_MAX, DIRECT, new DiskFailures(), now::get);
        Path inTheWay = Files.createDirectories(folder.resolve("0.segment/in-the-way"));
        insert(segments, 0, IN_MEMORY_MAX);
        segments.advance(Optional.of(0L));
        segments.advance(Optional.of(0L));
        Files.delete(inTheWay);
        Files.delete(inTheWay.getParent());

        now.addAndGet(-7_200_000);
        segments.advance(Optional.of(0L));
        segments.advance(Optional.of(0L));

        assertThat(segments.buckets().onDisk().documents()).isEqualTo(IN_MEMORY_MAX);
        segments.close(Optional.empty());
    }

    /** Such as one that comes of too many open files. */
    @ParameterizedTest
    @ValueSource(strings = {"manifest", "0.segment"})
    void shouldKeepWhatItCannotReadForNow(String name, @TempDir Path folder) throws IOException {
        BandSegments segments = open(folder, DIRECT);
        insert(segments, 0, IN_MEMORY_MAX);
        segments.close(Optional.of(0L));
        Path file = folder.resolve(name);
        Path aside = Files.move(file, folder.resolveSibling(folder.getFileName() + name));
        Files.createSymbolicLink(file, file.getFileName());

        assertThatThrownBy(() -> open(folder, DIRECT)).isInstanceOf(FileSystemException.class);

        Files.delete(file);
        Files.move(aside, file);
        BandSegments next = open(folder, DIRECT);
        assertThat(next.table().documents()).isEqualTo(IN_MEMORY_MAX);
        next.close(Optional.empty());
    }

    /** What is written of it would have a checksum that fits. */
    @Test
    void shouldNotMergeAHotColumnThatIsNoLongerAsItWasWritten(@TempDir Path folder) throws IOException {
        BandSegments segments = open(folder, DIRECT);
        insert(segments, 0, IN_MEMORY_MAX);
        segments.advance(Optional.of(0L));
        segments.advance(Optional.of(0L));
        try (FileChannel file = FileChannel.open(folder.resolve("0.segment"), StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}), 8_192);
        }

        assertThatThrownBy(() -> {
                    for (int flush = 1; flush < 5; flush++) {
                        insert(segments, flush * IN_MEMORY_MAX, (flush + 1) * IN_MEMORY_MAX);
                        segments.advance(Optional.of(1L));
                        segments.advance(Optional.of(1L));
                    }
                })
                .isInstanceOf(DamagedSegmentException.class);
        segments.close(Optional.empty());
    }

    /** Such as a disk leaves that did not let it be deleted either. */
    @Test
    void shouldWriteASegmentInPlaceOfWhatIsLeftOfIt(@TempDir Path folder) throws IOException {
        BandSegments segments = open(folder, DIRECT);
        Files.createFile(folder.resolve("0.segment"));
        insert(segments, 0, IN_MEMORY_MAX);

        segments.advance(Optional.of(0L));
        segments.advance(Optional.of(0L));

        assertThat(segments.buckets().onDisk().documents()).isEqualTo(IN_MEMORY_MAX);
        segments.close(Optional.empty());
    }

    /** As of another task. */
    @Test
    @Timeout(20)
    void shouldNotWaitForAMergeThatIsInFrontOfItsOwn(@TempDir Path folder) throws IOException {
        Deque<Runnable> behindAnother = new ArrayDeque<>();
        BandSegments segments = open(folder, new BandSegments.Threads(Runnable::run, behindAnother::add));
        int flushes = 0;
        for (; behindAnother.isEmpty(); flushes++) {
            insert(segments, flushes * IN_MEMORY_MAX, (flushes + 1) * IN_MEMORY_MAX);
            segments.advance(Optional.of((long) flushes));
            segments.advance(Optional.of((long) flushes));
        }

        segments.close(Optional.of(flushes - 1L));

        behindAnother.forEach(Runnable::run);
        BandSegments next = open(folder, DIRECT);
        assertThat(next.table().documents()).isEqualTo((long) flushes * IN_MEMORY_MAX);
        assertThat(next.buckets().onDisk().segments()).isEqualTo(flushes);
        next.close(Optional.empty());
    }

    @Test
    void shouldRestoreInTheFilesThatAManifestNamesAndGoOnFromThereAfterAKill(
            @TempDir Path folder, @TempDir Path killed, @TempDir Path left) throws IOException {
        int documents = 3 * 64 * IN_MEMORY_MAX;
        Changelog changelog = new Changelog();
        BandSegments written = open(folder, 1, 1_000, changelog, DIRECT);
        insert(written, 0, documents);
        written.close(Optional.empty());

        BandSegments restored = open(killed, DIRECT);
        for (int offset = 0; offset < changelog.size(); offset++) {
            Changelog.Entry entry = changelog.from(offset).get(0);
            restored.table().restore(entry.key(), entry.value());
            restored.advanceRestored(offset);
            Set<String> named = restored.manifest().stream()
                    .flatMap(manifest -> manifest.segments().stream())
                    .map(segment -> segment.number() + ".segment")
                    .collect(Collectors.toSet());
            assertThat(names(killed)).as("after %d", offset).containsAll(named);
            assertThat(names(killed).size()).isLessThanOrEqualTo(named.size() + 3);
            if (offset == changelog.size() / 2) {
                for (String name : names(killed)) {
                    Files.copy(killed.resolve(name), left.resolve(name));
                }
            }
        }
        assertThat(restored.table().documents()).isEqualTo(documents);
        restored.close(Optional.empty());

        BandSegments next = open(left, DIRECT);
        int reached = (int) next.manifest().orElseThrow().reached().offset();
        assertThat(reached).isBetween(changelog.size() / 2 - 4, changelog.size() / 2);
        changelog.from(reached + 1).forEach(entry -> next.table().restore(entry.key(), entry.value()));
        assertThat(next.table().documents()).isEqualTo(documents);
        next.close(Optional.empty());
    }

    private record Operation(int document, boolean isInsert) {}

    private static final class RandomRun {
        private static final int STEPS = 200;

        private final Random random;
        private final int bands;
        private final int bucketMax;
        private final int seed;
        private final List<BandKeys> keys = new ArrayList<>();
        private final List<Operation> operations = new ArrayList<>();
        private int committedOperations;
        private final Path root;
        private int processes;
        private Path folder;

        /** What the other threads have not begun. */
        private final Deque<Runnable> waiting = new ArrayDeque<>();

        private SimulatedBandState expected;
        private Changelog changelog = new Changelog();
        private int committedRecords;
        private LoggedBandTable table;
        private BandSegments segments;
        private Path standbyFolder;
        private BandSegments standby;
        private int standbyOffset;

        RandomRun(int bands, int bucketMax, int keysPerBand, int seed, Path root) throws IOException {
            this.random = new Random(seed);
            this.bands = bands;
            this.bucketMax = bucketMax;
            this.seed = seed;
            this.root = root;
            for (int document = 0; document < 300; document++) {
                keys.add(BandKeys.owning(random.longs(bands, 0, keysPerBand).toArray()));
            }
            expected = new SimulatedBandState(bucketMax);
            folder = root.resolve("0");
            open();
            standbyFolder = root.resolve("standby");
            standby = open(standbyFolder);
        }

        private BandSegments open(Path in) throws IOException {
            BandSegments.Threads threads = new BandSegments.Threads(waiting::add, waiting::add);
            return BandSegmentsTest.open(in, bands, bucketMax, (key, value) -> changelog.write(key, value), threads);
        }

        private void open() throws IOException {
            segments = open(folder);
            table = segments.table();
            int from = segments.manifest()
                    .map(manifest -> (int) manifest.reached().offset() + 1)
                    .orElse(0);
            IdentityHashMap<byte[], Long> offsets = new IdentityHashMap<>();
            Changelog left = new Changelog();
            for (Changelog.Entry entry : changelog.from(from)) {
                offsets.put(entry.key(), (long) from + left.size());
                left.write(entry.key(), entry.value());
            }
            if (from == 0 && random.nextBoolean()) {
                left = left.compacted(random.nextInt(left.size() + 1), random.nextBoolean());
            } else if (random.nextBoolean()) {
                left = left.thinned(random);
            }
            for (Changelog.Entry entry : left.from(0)) {
                table.restore(entry.key(), entry.value());
                if (random.nextInt(4) == 0) {
                    segments.advanceRestored(Objects.requireNonNull(offsets.get(entry.key())));
                    othersWork(3);
                }
                if (random.nextInt(500) == 0) {
                    kill();
                    return;
                }
            }
        }

        void run() throws IOException {
            for (int step = 0; step < STEPS; step++) {
                boolean mostlyInserts = step / 60 % 2 == 0;
                for (int i = random.nextInt(random.nextInt(10) == 0 ? 100 : 12); i > 0; i--) {
                    operate(random.nextInt(keys.size()), mostlyInserts);
                    othersWork(12);
                    if (random.nextInt(10) == 0) {
                        segments.advance(Optional.empty());
                    }
                    if (random.nextInt(400) == 0) {
                        kill();
                    }
                }
                table.writeChanges();
                commit();
                switch (random.nextInt(30)) {
                    case 0 -> stop();
                    case 1 -> kill();
                    case 2 -> follow();
                    case 3 -> swap();
                    default -> {}
                }
            }
            check();
            stop();
            check();
            swap();
            check();
            segments.close(Optional.empty());
            standby.close(Optional.empty());
        }

        private void operate(int document, boolean mostlyInserts) {
            boolean isInsert = random.nextInt(4) > 0 == mostlyInserts;
            if (isInsert) {
                assertAgree(ref(document), document);
                table.insert(ref(document), keys.get(document));
            } else {
                table.remove(ref(document), keys.get(document));
            }
            Operation operation = new Operation(document, isInsert);
            operations.add(operation);
            apply(operation);
        }

        private void apply(Operation operation) {
            BandKeys of = keys.get(operation.document);
            if (operation.isInsert) {
                expected.insert(ref(operation.document), of);
            } else {
                expected.remove(ref(operation.document), of);
            }
        }

        private void othersWork(int rarity) {
            while (!waiting.isEmpty()
                    && (random.nextInt(rarity) == 0 || segments.buckets().inMemory() > IN_MEMORY_MAX / 4)) {
                waiting.remove().run();
            }
        }

        private void commit() throws IOException {
            committedOperations = operations.size();
            committedRecords = changelog.size();
            for (int times = random.nextInt(4); times > 0; times--) {
                segments.advance(Optional.of(committedRecords - 1L).filter(offset -> offset >= 0));
                othersWork(2);
            }
        }

        private void stop() throws IOException {
            waiting.forEach(Runnable::run);
            waiting.clear();
            segments.close(Optional.of(committedRecords - 1L).filter(offset -> offset >= 0));
            open();
        }

        private void follow() throws IOException {
            for (; standbyOffset < changelog.size(); standbyOffset++) {
                Changelog.Entry entry = changelog.from(standbyOffset).get(0);
                standby.table().restore(entry.key(), entry.value());
                standby.advanceRestored(standbyOffset);
                othersWork(3);
            }
        }

        private void swap() throws IOException {
            follow();
            Path demotedFolder = folder;
            BandSegments demoted = segments;
            folder = standbyFolder;
            segments = standby;
            table = segments.table();
            standbyFolder = demotedFolder;
            standby = demoted;
        }

        /** The folder is left as it is, and the process goes on in vain. */
        private void kill() throws IOException {
            Path killed = folder;
            folder = root.resolve(String.valueOf(++processes));
            if (random.nextInt(4) > 0) {
                OriginalStoreHarness.copy(killed, folder);
            }
            waiting.clear();
            segments.buckets().close();
            Changelog committed = new Changelog();
            changelog
                    .from(0)
                    .subList(0, committedRecords)
                    .forEach(entry -> committed.write(entry.key(), entry.value()));
            changelog = committed;
            operations.subList(committedOperations, operations.size()).clear();
            expected = new SimulatedBandState(bucketMax);
            operations.forEach(this::apply);
            open();
        }

        private void check() {
            for (int document = 0; document < keys.size(); document++) {
                assertAgree(NOBODY, document);
            }
            assertThat(table.documents()).describedAs("seed %d", seed).isEqualTo(expected.size());
        }

        private void assertAgree(DocumentRef asker, int document) {
            assertThat(candidates(table, asker, keys.get(document)))
                    .describedAs("seed %d, document %d", seed, document)
                    .isEqualTo(expected.shared(asker, keys.get(document)));
        }
    }
}
