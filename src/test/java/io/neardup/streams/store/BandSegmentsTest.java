package io.neardup.streams.store;

import static io.neardup.streams.store.BandTables.candidates;
import static io.neardup.streams.store.BandTables.ref;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.streams.metrics.DiskFailures;
import io.neardup.streams.store.BandFiles.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BandSegmentsTest {
    private static final DocumentRef NOBODY = new DocumentRef(9, 9);
    private static final int IN_MEMORY_MAX = 16;

    /**
     * Random steps against buckets by the book. Segments of a few documents are written and merged at any moment; now
     * and then the process stops, or is killed, which takes the open transaction along, and another one starts from
     * what is on the disk and what compaction has left of the changelog behind that.
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

        private LoggedBandTableTest.Buckets expected;
        private Changelog changelog = new Changelog();
        private int committedRecords;
        private LoggedBandTable table;
        private BandSegments segments;

        RandomRun(int bands, int bucketMax, int keysPerBand, int seed, Path root) throws IOException {
            this.random = new Random(seed);
            this.bands = bands;
            this.bucketMax = bucketMax;
            this.seed = seed;
            this.root = root;
            for (int document = 0; document < 300; document++) {
                keys.add(BandKeys.of(random.longs(bands, 0, keysPerBand).toArray()));
            }
            expected = new LoggedBandTableTest.Buckets(bands, bucketMax);
            folder = Files.createDirectories(root.resolve("0"));
            open();
        }

        private void open() throws IOException {
            BandFiles files = new BandFiles(folder, "changelog", bands, bucketMax);
            Optional<Manifest> manifest = files.read(0);
            BandTable opened = manifest.isPresent() ? files.open(manifest.get()) : files.openEmpty();
            table = new LoggedBandTable(
                    opened,
                    manifest.map(Manifest::firstBatch).orElse(0L),
                    manifest.map(Manifest::nextBatch).orElse(0L),
                    (key, value) -> changelog.write(key, value));
            SegmentThreads threads = new SegmentThreads(waiting::add, waiting::add);
            segments = new BandSegments(files, table, manifest, IN_MEMORY_MAX, threads, new DiskFailures(), () -> 0);
            int from = manifest.map(of -> (int) of.offset() + 1).orElse(0);
            Changelog left = new Changelog();
            changelog.from(from).forEach(entry -> left.write(entry.key(), entry.value()));
            for (Changelog.Entry entry : (random.nextBoolean() ? left : left.thinned(random)).from(0)) {
                table.restore(entry.key(), entry.value());
                segments.keepMemoryBounded();
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
                    default -> {}
                }
            }
            check();
            stop();
            check();
            segments.close(Optional.empty());
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
            while (!waiting.isEmpty() && (random.nextInt(rarity) == 0 || table.inMemory() > 5 * IN_MEMORY_MAX)) {
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

        /** The folder is left as it is, and the process goes on in vain. */
        private void kill() throws IOException {
            Path killed = folder;
            folder = Files.createDirectories(root.resolve(String.valueOf(++processes)));
            try (Stream<Path> files = Files.list(killed)) {
                for (Path file : files.toList()) {
                    Files.copy(file, folder.resolve(file.getFileName()));
                }
            }
            waiting.clear();
            table.close();
            Changelog committed = new Changelog();
            changelog
                    .from(0)
                    .subList(0, committedRecords)
                    .forEach(entry -> committed.write(entry.key(), entry.value()));
            changelog = committed;
            operations.subList(committedOperations, operations.size()).clear();
            expected = new LoggedBandTableTest.Buckets(bands, bucketMax);
            operations.forEach(this::apply);
            open();
        }

        private void check() {
            for (int document = 0; document < keys.size(); document++) {
                assertAgree(NOBODY, document);
            }
            assertThat(table.documents()).describedAs("seed %d", seed).isEqualTo(expected.known.size());
        }

        private void assertAgree(DocumentRef asker, int document) {
            assertThat(candidates(table, asker, keys.get(document)))
                    .describedAs("seed %d, document %d", seed, document)
                    .isEqualTo(expected.candidates(asker, keys.get(document)));
        }
    }
}
