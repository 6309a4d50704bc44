package io.neardup.streams.store;

import static io.neardup.testing.World.PATIENCE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Partitions;
import io.neardup.streams.metrics.DiskFailures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.Task;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.internals.OffsetCheckpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BandStoreTest {
    private static final DocumentRef A = new DocumentRef(0, 1);
    private static final DocumentRef B = new DocumentRef(0, 2);
    private static final DocumentRef C = new DocumentRef(0, 3);
    private static final TopicPartition CHANGELOG = new TopicPartition("harness-buckets-changelog", 0);
    private static final BandKeys KEYS = BandKeys.owning(new long[] {11, 22});

    private final List<Harness> benches = new ArrayList<>();
    private final AtomicLong now = new AtomicLong();

    /** With its files in a folder. */
    private Harness open(Path folder) {
        return open(folder, 1_000);
    }

    private Harness open(Path folder, int bucketMax) {
        Harness harness = new Harness(folder, bucketMax, now);
        benches.add(harness);
        return harness;
    }

    /** One that has a document on the disk. */
    private Harness saved(Path folder) {
        Harness harness = open(folder);
        harness.insert(A, KEYS);
        harness.save(CHANGELOG, 0);
        return harness;
    }

    /** Another that finds the files of one. */
    private Harness restarted(Path from, Path folder) throws IOException {
        return restarted(from, folder, 1_000);
    }

    private Harness restarted(Path from, Path folder, int bucketMax) throws IOException {
        Path to = Files.createDirectories(Harness.folder(folder));
        try (Stream<Path> files = Files.list(Harness.folder(from))) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
        return open(folder, bucketMax);
    }

    @AfterEach
    void close() {
        benches.forEach(Harness::close);
    }

    @Test
    void shouldStartFromWhatIsOnTheDisk(@TempDir Path first, @TempDir Path second) throws IOException {
        saved(first);
        Harness restarted = restarted(first, second);

        assertThat(restarted.find(C, KEYS, 10).candidates()).containsExactly(A);
        restarted.step(store -> assertThat(store.committedOffset(CHANGELOG)).isZero());
        assertThat(restarted.changelog()).isEmpty();
    }

    @Test
    void shouldGoOnWithItsFilesWhereBucketsTakeFewerFromNowOn(@TempDir Path first, @TempDir Path second)
            throws IOException {
        saved(first);
        Harness restarted = restarted(first, second, 1);

        restarted.insert(B, KEYS);
        assertThat(restarted.find(C, KEYS, 10).candidates()).containsExactly(A);
    }

    @Test
    void shouldWriteWhatHasChangedWhenItCloses(@TempDir Path first, @TempDir Path second) throws IOException {
        Harness harness = open(first);
        for (DocumentRef document : List.of(A, B, C)) {
            harness.insert(document, KEYS);
        }
        harness.closeStore();
        Harness restarted = restarted(first, second);

        restarted.step(store -> {
            assertThat(store.buckets().documents()).isEqualTo(3);
            assertThat(store.committedOffset(CHANGELOG)).isEqualTo(2);
        });
    }

    @Test
    void shouldWriteNothingThatIsNotInTheChangelogAndNoEmptyTable(@TempDir Path folder) {
        Harness harness = open(folder);
        harness.step(BandStore::saveMore);
        harness.step(store -> store.insert(A, KEYS), store -> {});
        for (int again = 0; again < 3; again++) {
            harness.step(BandStore::saveMore, store -> {});
        }
        assertThat(Harness.folder(folder)).isEmptyDirectory();
    }

    @Test
    void shouldWriteNothingOfAStepThatTheChangelogDidNotTake(@TempDir Path folder) throws IOException {
        Harness harness = saved(folder);
        byte[] manifest = Files.readAllBytes(Harness.folder(folder).resolve("manifest"));
        now.addAndGet(20_000_000);

        harness.step(store -> store.insert(C, KEYS), store -> {
            harness.leaveNoTime();
            assertThatThrownBy(store::writeChanges).hasMessageContaining("timestamp");
        });
        harness.step(BandStore::saveMore, store -> {});

        assertThat(Harness.folder(folder).resolve("manifest")).hasBinaryContent(manifest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cut", "flipped", "gone", "zeroed", "of another"})
    void shouldReadTheWholeChangelogWhereASegmentCannotBeUsed(
            String damage, @TempDir Path first, @TempDir Path other, @TempDir Path second) throws IOException {
        saved(first);
        Path segment = Harness.folder(first).resolve("0.segment");
        byte[] whole = Files.readAllBytes(segment);
        switch (damage) {
            case "cut" -> Files.write(segment, Arrays.copyOf(whole, whole.length - 1));
            case "flipped" -> {
                whole[4_100] ^= 1;
                Files.write(segment, whole);
            }
            case "gone" -> Files.delete(segment);
            case "zeroed" -> Files.write(segment, new byte[whole.length]);
            default -> {
                Harness harness = open(other);
                harness.insert(B, KEYS);
                harness.save(CHANGELOG, 0);
                Files.copy(Harness.folder(other).resolve("0.segment"), segment, REPLACE_EXISTING);
            }
        }
        Harness restarted = restarted(first, second);

        restarted.step(store -> {
            assertThat(store.buckets().documents()).isZero();
            assertThat(store.committedOffset(CHANGELOG)).isEqualTo(OffsetCheckpoint.OFFSET_UNKNOWN);
        });
    }

    /** Of segments that are in use: what is read of each document alone is behind what each lookup reads. */
    @Test
    void shouldReadTheWholeChangelogAfterASegmentCouldNotBeRead(@TempDir Path first, @TempDir Path second)
            throws IOException {
        Harness harness = saved(first);
        harness.step(store -> {
            try (FileChannel segment =
                    FileChannel.open(Harness.folder(first).resolve("0.segment"), StandardOpenOption.WRITE)) {
                segment.truncate(segment.size() - store.buckets().onDisk().coldBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            assertThatThrownBy(() -> store.find(C, KEYS, 10))
                    .isInstanceOfSatisfying(
                            DiskException.class, e -> assertThat(e.isDamage()).isTrue());
        });
        harness.closeStore();

        assertIsUnusable(first, second);
    }

    /** A full disk may not. */
    @Test
    void shouldReadTheWholeChangelogWhereTheDiskDoesNotTakeTheMark(@TempDir Path first, @TempDir Path second)
            throws IOException {
        Harness harness = saved(first);
        Path mark = Harness.folder(first).resolve("unusable");
        Files.createSymbolicLink(mark, Path.of("nowhere"));
        harness.step(store -> store.commit(Map.of()));
        harness.closeStore();
        Files.delete(mark);

        assertIsUnusable(first, second);
    }

    @Test
    void shouldReadTheWholeChangelogAfterStreamsFoundThatItCannotGoOn(@TempDir Path first, @TempDir Path second)
            throws IOException {
        Harness harness = saved(first);
        harness.step(store -> store.commit(Map.of()));
        harness.closeStore();

        assertIsUnusable(first, second);
    }

    private void assertIsUnusable(Path first, Path second) throws IOException {
        Harness restarted = restarted(first, second);
        restarted.step(store -> {
            assertThat(store.buckets().documents()).isZero();
            assertThat(store.committedOffset(CHANGELOG)).isEqualTo(OffsetCheckpoint.OFFSET_UNKNOWN);
        });
        assertThat(Harness.folder(second)).isEmptyDirectory();
    }

    /** It takes what it finds for standbys, without a collector of records, and commits and closes them at once. */
    @Test
    void shouldLetKafkaStreamsLookAtItBeforeItHandsOutTasks(@TempDir Path folder) throws IOException {
        Harness harness = open(folder);
        harness.insert(A, KEYS);
        harness.closeStore();
        byte[] manifest = Files.readAllBytes(Harness.folder(folder).resolve("manifest"));
        Path task = folder.resolve("harness").resolve("0_0");
        StateStoreContext startup = (InternalProcessorContext<?, ?>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {InternalProcessorContext.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "applicationId" -> "harness";
                    case "taskId" -> new TaskId(0, 0);
                    case "taskType" -> Task.TaskType.STANDBY;
                    case "stateDir" -> task.toFile();
                    case "register" -> null;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        BandStore store = Harness.builder(1_000, now::get).build();
        now.set(7_000);

        store.init(startup, store);
        long offset = store.committedOffset(CHANGELOG);
        store.commit(Map.of(CHANGELOG, offset));
        store.close();

        assertThat(offset).isZero();
        assertThat(Harness.folder(folder).resolve("manifest")).hasBinaryContent(manifest);
        assertThat(Files.getLastModifiedTime(task).toMillis()).isEqualTo(7_000);
    }

    @Test
    void shouldWriteMemoryBesideTheWorkAndMergeIt(@TempDir Path first, @TempDir Path second) throws IOException {
        Harness harness = open(first);
        long records = 0;
        for (int saves = 0; saves < 5; saves++) {
            int from = 1_000 * saves;
            harness.step(store -> {
                for (int i = from; i < from + 1_000; i++) {
                    store.insert(new DocumentRef(0, i), BandKeys.owning(new long[] {i, i}));
                }
            });
            records += harness.changelog().size();
            harness.save(CHANGELOG, records - 1);
        }
        await().atMost(PATIENCE).until(() -> {
            harness.step(BandStore::saveMore);
            List<Integer> segments = new ArrayList<>();
            harness.step(store -> segments.add(store.buckets().onDisk().segments()));
            return segments.get(0) <= 2;
        });
        Harness restarted = restarted(first, second);

        restarted.step(store -> assertThat(store.buckets().documents()).isEqualTo(5_000));
    }

    @Test
    void shouldCountTheCandidatesThatItTruncates(@TempDir Path folder) {
        Harness harness = open(folder);
        harness.insert(A, KEYS);
        harness.insert(B, KEYS);
        harness.insert(C, KEYS);

        harness.find(new DocumentRef(1, 0), KEYS, 1);

        harness.step(store -> assertThat(store.candidatesDropped()).isEqualTo(2));
    }

    /** A {@link BandStore} of which each call is a step. */
    private static final class Harness extends StoreHarness<BandStore> {
        private static final String STORE = "buckets";

        private final AtomicLong nowMillis;

        /** @param stateFolder where the store finds and leaves its files, {@link #folder in there} */
        Harness(Path stateFolder, int bucketMax, AtomicLong nowMillis) {
            super(
                    builder(bucketMax, nowMillis::get),
                    Map.of(StreamsConfig.STATE_DIR_CONFIG, stateFolder.toString()),
                    BandStore::writeChanges);
            this.nowMillis = nowMillis;
        }

        static StoreBuilder<BandStore> builder(int bucketMax, LongSupplier nowMillis) {
            Partitions partitions = new Partitions(1, 2);
            return LoggedStore.builderOf(
                    STORE,
                    () -> new BandStore(
                            STORE, partitions, bucketMax, TopicPartition::toString, new DiskFailures(), nowMillis));
        }

        /** What the store has on the disk. */
        static Path folder(Path stateFolder) {
            return stateFolder.resolve("harness").resolve(NodeNames.BUCKETS).resolve("0_0");
        }

        /** Lets it go on, for some hours, until what was inserted is on the disk. */
        void save(TopicPartition changelog, long offset) {
            nowMillis.addAndGet(Duration.ofHours(4).toMillis());
            await().atMost(PATIENCE).until(() -> {
                List<Long> reached = new ArrayList<>();
                step(store -> {
                    store.saveMore();
                    reached.add(store.committedOffset(changelog));
                });
                return reached.get(0) == offset;
            });
        }

        Found find(DocumentRef document, BandKeys keys, int max) {
            List<Found> found = new ArrayList<>();
            step(store -> found.add(store.find(document, keys, max)));
            return found.get(0);
        }

        void insert(DocumentRef document, BandKeys keys) {
            step(store -> store.insert(document, keys));
        }
    }
}
