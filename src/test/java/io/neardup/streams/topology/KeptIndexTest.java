package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.protocol.CoordinatorRules.Slice;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.CoordinatorState;
import io.neardup.engine.protocol.CoordinatorState.Entry;
import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Partitions;
import io.neardup.streams.store.BandLogCodec;
import io.neardup.streams.store.BandSnapshot;
import io.neardup.streams.store.BandTables;
import io.neardup.streams.store.Changelog;
import io.neardup.streams.store.KafkaCoordinatorState;
import io.neardup.streams.store.LoggedBandTable;
import io.neardup.streams.store.MessageCodec;
import io.neardup.streams.store.OriginalIndex;
import io.neardup.streams.store.OriginalStoreHarness;
import io.neardup.streams.store.OriginalsDisk;
import io.neardup.streams.store.OriginalsMemory;
import io.neardup.streams.store.ProgressStore;
import io.neardup.streams.store.RecentSegments;
import io.neardup.streams.store.StateLayout;
import io.neardup.testing.KeptIndex;
import io.neardup.testing.KeptIndex.Kept;
import io.neardup.testing.NewsFeed.News;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every layout that release 0.1 keeps an index in is read; what it left on a disk is made again. */
class KeptIndexTest {
    private static final String RELEASE = "0.1.0";
    private static final int BANDS = 26;
    private static final int BUCKET_MAX = 1_000;

    @TempDir
    private Path folder;

    private final Map<String, News> news =
            KeptIndex.news(1_000).stream().collect(Collectors.toMap(News::id, Function.identity()));
    private KeptIndex kept;
    private byte[] snapshot;

    @BeforeEach
    void read() throws IOException {
        kept = KeptIndex.of(RELEASE);
        try (InputStream in = new GZIPInputStream(
                Files.newInputStream(KeptIndex.folder(RELEASE).resolve("buckets.snapshot.gz")))) {
            snapshot = in.readAllBytes();
        }
    }

    private List<Kept> of(String topic, int partition) {
        return kept.own(topic).stream()
                .filter(record -> record.partition() == partition)
                .toList();
    }

    @Test
    void shouldReadTheMessagesUnderWay() {
        List<Kept> lookups = kept.own("lookups");
        List<Kept> replies = kept.own("replies");

        assertThat(lookups.size() + replies.size()).isPositive();
        assertThat(lookups).allSatisfy(record -> assertThat(MessageCodec.decodeToBands(value(record)))
                .isNotEmpty());
        assertThat(replies).allSatisfy(record -> assertThat(MessageCodec.decodeToCoordinator(value(record)))
                .isNotEmpty());
    }

    private static byte[] value(Kept record) {
        return Objects.requireNonNull(record.value());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldReadTheStateOfACoordinator(int coordinator) {
        ProgressStore progress = new ProgressStore("progress", false);
        of("progress-changelog", coordinator).forEach(record -> progress.restore(record.key(), record.value()));
        try (OriginalStoreHarness disk = new OriginalStoreHarness(folder, new OriginalIndex(Versions.COMPARE))) {
            of("originals-changelog", coordinator).forEach(record -> disk.changelog()
                    .add(new ConsumerRecord<>(
                            OriginalStoreHarness.CHANGELOG.topic(),
                            OriginalStoreHarness.PARTITION,
                            record.offset(),
                            record.key(),
                            record.value())));
            disk.closeDirtyAndStart();
            CoordinatorState state = new KafkaCoordinatorState(
                    coordinator,
                    progress,
                    disk.logged(),
                    StateLayout.INDEX_LOGGED,
                    new OriginalIndex(Versions.COMPARE));

            List<Entry> originals = state.originalsFrom(0, Long.MAX_VALUE, new Slice(1_000, 1 << 20));

            assertThat(originals).hasSizeGreaterThan(10).allSatisfy(entry -> {
                News document = Objects.requireNonNull(news.get(entry.id()));
                assertThat(new String(evidence(state, entry.ref()), UTF_8)).contains(document.text());
                assertThat(state.originalsOf(
                                Objects.requireNonNull(entry.origin().key()),
                                DocumentRef.SEQUENCE_MAX,
                                new Slice(10, 1 << 20)))
                        .extracting(Entry::id)
                        .containsExactly(entry.id());
            });
            assertThat(state.positions()).containsOnlyKeys("documents");
            assertThat(state.positions().values())
                    .extracting(InputPosition::offset)
                    .allSatisfy(offset -> assertThat(offset).isBetween(30L, 50L));
            assertThat(state.blocks()).isNotEmpty();
            assertThat(state.raiseEpoch()).isEqualTo(3);
        }
    }

    private static byte[] evidence(CoordinatorState state, DocumentRef ref) {
        return state.original(ref).orElseThrow().evidence().bytes();
    }

    private long writtenMillis() {
        return ByteBuffer.wrap(snapshot).getLong(snapshot.length - Integer.BYTES - 2 * Long.BYTES);
    }

    @Test
    void shouldReadThePagesOfTheBuckets() {
        int bands = new Partitions(KeptIndex.PARTITIONS, BANDS).bandsOf(0).length;
        LoggedBandTable restored =
                new LoggedBandTable(new BandTable(bands, BUCKET_MAX), new RecentSegments(), new Changelog());
        List<Kept> pages = of("buckets-changelog", 0);
        pages.forEach(record -> restored.restore(record.key(), record.value()));

        assertThat(restored.documents()).isGreaterThan(20);
        assertThat(pages.stream()
                        .filter(record -> record.value() != null
                                && !BandLogCodec.decodeKey(record.key()).dead())
                        .flatMap(record -> BandLogCodec.decodeDocuments(value(record)).documents().stream())
                        .filter(indexed -> named(restored, indexed.keys()).contains(indexed.document()))
                        .map(BandLogCodec.Indexed::document)
                        .distinct())
                .hasSize((int) restored.documents());
    }

    /** It does not name its changelog: all of that is read. */
    @Test
    void shouldDoWithoutTheSnapshotOfTheBuckets() throws IOException {
        Path file = Files.write(folder.resolve("buckets.snapshot"), snapshot);
        int bands = new Partitions(KeptIndex.PARTITIONS, BANDS).bandsOf(0).length;

        assertThatThrownBy(() -> new BandSnapshot(file, "any", bands, BUCKET_MAX)
                        .read(writtenMillis(), new RecentSegments(), new Changelog()))
                .isInstanceOf(IOException.class)
                .hasMessage("version: expected 4, found 3");
    }

    private static List<DocumentRef> named(LoggedBandTable table, BandKeys keys) {
        return BandTables.named(table, new DocumentRef(9, 9), keys);
    }

    /** They do not name their changelog: all of that is read. */
    @Test
    void shouldDoWithoutTheOriginalsOnDisk() throws IOException {
        Path disk = Files.createDirectories(folder.resolve("originals"));
        try (ZipInputStream zip = new ZipInputStream(
                Files.newInputStream(KeptIndex.folder(RELEASE).resolve("originals.zip")))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Files.copy(zip, disk.resolve(entry.getName()));
            }
        }
        try (OriginalsDisk opened = OriginalsDisk.open(
                disk, "any", new OriginalsMemory(8 << 20), this::writtenMillis, new OriginalIndex(Versions.COMPARE))) {
            assertThat(opened.offset()).isEmpty();
            assertThat(opened.all()).allSatisfy(part -> {
                try (part) {
                    assertThat(part.isValid()).isFalse();
                }
            });
        }
    }
}
