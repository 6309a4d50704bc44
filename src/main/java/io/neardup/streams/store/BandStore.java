package io.neardup.streams.store;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.DamagedSegmentException;
import io.neardup.engine.lsh.SharedBands;
import io.neardup.engine.protocol.BandIndex.BandState;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.DocumentRefs;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Partitions;
import io.neardup.streams.metrics.DiskFailures;
import io.neardup.streams.store.BandFiles.Manifest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.RecordBatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.internals.RecordCollector;
import org.apache.kafka.streams.processor.internals.Task;
import org.apache.kafka.streams.state.internals.OffsetCheckpoint;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The buckets of an index partition: a {@link LoggedBandTable} as a store of Kafka Streams, with its segments on the
 * disk ({@link BandSegments}).
 *
 * <p>Changes go into the changelog before the transaction is committed, or when a batch is full. The store reports to
 * Streams the offset of the changelog that its segments have reached; records after that are restored.
 *
 * <p>Under exactly-once Streams calls commit on a store after it was restored and before it closes. That does not mean
 * that its writes are committed: 4.3.1 also calls it after a failed commit, at a stop and when it revives a task, with
 * the offsets of aborted records. So the store asks the {@link ThreadTransaction} of its last change. Only committed
 * changes go into segments and their manifest.
 *
 * <p>Its files lie beside the folder of its task, see {@link StateFolder}. A file in there keeps that from being empty.
 */
public final class BandStore extends LoggedStore implements BandState {
    private static final Logger LOG = LoggerFactory.getLogger(BandStore.class);

    private final Partitions partitions;
    private final int bucketMax;
    private final Function<TopicPartition, String> changelogName;
    private final DiskFailures failures;
    private final LongSupplier nowMillis;
    private final SharedBands found = new SharedBands();
    private long candidatesDropped;
    private @Nullable StateFolder folder;
    private @Nullable BandSegments segments;
    private Optional<Manifest> manifest = Optional.empty();

    /** The changelog offset of the table; null after a change, until that is known to be committed. */
    private @Nullable Long committed;

    /** The transaction of the last change; none if there was no change since the table was restored. */
    private Optional<ThreadTransaction> written = Optional.empty();

    /**
     * The store of one task.
     *
     * @param changelogName gives a changelog partition a name that is unique among those of any index
     * @param failures counts segments that cannot be written
     * @param nowMillis the clock: segments can be used for some hours only
     */
    public BandStore(
            String name,
            Partitions partitions,
            int bucketMax,
            Function<TopicPartition, String> changelogName,
            DiskFailures failures,
            LongSupplier nowMillis) {
        super(name);
        this.changelogName = changelogName;
        this.failures = failures;
        this.nowMillis = nowMillis;
        this.partitions = partitions;
        this.bucketMax = bucketMax;
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        logTo(context);
        written = Optional.empty();
        candidatesDropped = 0;
        StateFolder used = new StateFolder(
                StateFolder.besideTask(NodeNames.BUCKETS, context.stateDir().toPath()));
        used.claim();
        folder = used;
        try {
            guarded(() -> {
                open(context, used);
                writePointer(used.path());
            });
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        committed = manifest.map(of -> of.reached().offset()).orElse(null);
        context.register(root, (RecordBatchingStateRestoreCallback) this::restore);
    }

    private void open(StateStoreContext context, StateFolder used) throws IOException {
        int partition = context.taskId().partition();
        BandFiles files = new BandFiles(
                used.path(), changelogName.apply(changelog()), partitions.bandsOf(partition).length, bucketMax);
        if (used.isUnusable()) {
            files.logUnusable("it was found to be damaged, or the changelog no longer fits it");
            used.delete();
        }
        Files.createDirectories(used.path());
        // At its start Kafka Streams opens the stores that it finds, without a task, asks for offsets, and closes them.
        if (!(context instanceof RecordCollector.Supplier)) {
            manifest = files.read(nowMillis.getAsLong());
            return;
        }
        BandSegments opened = new BandSegments(
                files,
                this::write,
                BandSegments.inMemoryMax(partitions.bands(), partitions.indexPartitions()),
                BandSegments.Threads.OF_PROCESS,
                failures,
                nowMillis);
        segments = opened;
        manifest = opened.manifest();
        if (manifest.isPresent()) {
            LOG.info(
                    "opened buckets folder={} offset={} documents={}",
                    used.path(),
                    manifest.get().reached().offset(),
                    opened.table().documents());
        }
    }

    private void restore(Collection<ConsumerRecord<byte[], byte[]>> records) {
        committed = null;
        guarded(() -> {
            long last = -1;
            for (ConsumerRecord<byte[], byte[]> record : records) {
                table().restore(record.key(), record.value());
                last = record.offset();
            }
            segments().advanceRestored(last);
        });
    }

    private void write(byte[] key, byte @Nullable [] value) {
        committed = null;
        // The table has changed already: if this fails, no transaction has the change.
        written = Optional.of(ThreadTransaction.neverCommitted());
        log(Bytes.wrap(key), value);
        written = ThreadTransaction.last();
    }

    private LoggedBandTable table() {
        return segments().table();
    }

    private BandSegments segments() {
        return Objects.requireNonNull(segments, "store is not open");
    }

    /** An action that may use the disk. */
    private interface DiskUse {
        void run() throws IOException;
    }

    private void guarded(DiskUse use) {
        StateFolder used = Objects.requireNonNull(folder, "store is not open");
        try {
            use.run();
        } catch (DamagedSegmentException | UncheckedIOException | InternalError e) {
            // InternalError: a page of a mapped file cannot be read.
            markUnusable(used);
            throw new DiskException("buckets: expected what was written to " + used.path(), e, true);
        } catch (IOException e) {
            throw new DiskException(
                    "buckets: expected to read and write " + used.path()
                            + "; look at that disk, its room and its rights",
                    e,
                    false);
        }
    }

    /** A full disk may have no room for the mark; without a manifest the files are not used either. */
    private static void markUnusable(StateFolder used) {
        if (!used.markUnusable()) {
            BandFiles.deleteManifest(used.path());
        }
    }

    // ---- steps

    @Override
    public Found find(DocumentRef document, BandKeys keys, int max) {
        int[] truncated = {0};
        guarded(() -> truncated[0] = table().candidates(document, keys, max, found));
        candidatesDropped += truncated[0];
        long[] candidates = new long[found.size()];
        for (int i = 0; i < candidates.length; i++) {
            candidates[i] = found.document(i);
        }
        return new Found(
                DocumentRefs.owning(candidates), truncated[0], buckets().fullBuckets());
    }

    @Override
    public void insert(DocumentRef document, BandKeys keys) {
        guarded(() -> table().insert(document, keys));
    }

    @Override
    public void remove(DocumentRef document, BandKeys keys) {
        guarded(() -> table().remove(document, keys));
    }

    /** Writes changes into the changelog. */
    public void writeChanges() {
        guarded(() -> table().writeChanges());
    }

    public BandTable buckets() {
        return segments().buckets();
    }

    /** How many candidates were truncated from answers since the start. */
    public long candidatesDropped() {
        return candidatesDropped;
    }

    // ---- committed changes go to the disk

    /** Called without any offset if Streams cannot go on from this store. */
    @Override
    public void commit(Map<TopicPartition, Long> changelogOffsets) {
        if (changelogOffsets.isEmpty() && folder != null) {
            markUnusable(folder);
        }
        committed = isCommitted() ? offset(changelogOffsets) : null;
        // A store opened only at the start of Streams counts as a standby, too, and has no segments.
        if (segments != null && context().taskType() == Task.TaskType.STANDBY) {
            guarded(() -> segments().advance(Optional.ofNullable(committed)));
        }
    }

    /**
     * Goes on with flushes and merges. To be called after each commit of an active task, before the next change, and
     * now and then while there are no commits.
     *
     * @return whether to call it again soon: a write is due, or waits for a commit
     */
    public boolean saveMore() {
        guarded(() -> segments().advance(lastCommitted()));
        return !isWholeCommitted() || segments().isWriting();
    }

    /** The last offset of the changelog; none while the last change is not known to be committed. */
    private Optional<Long> lastCommitted() {
        if (!isWholeCommitted()) {
            return Optional.empty();
        }
        RecordCollector collector = ((RecordCollector.Supplier) context()).recordCollector();
        return Optional.ofNullable(collector.offsets().getOrDefault(changelog(), committed));
    }

    private boolean isWholeCommitted() {
        return isCommitted() && !table().hasUnwrittenChanges();
    }

    private boolean isCommitted() {
        return written.map(ThreadTransaction::isCommitted).orElse(true);
    }

    /** A store has one changelog; its offset is negative if it was always empty. */
    private static @Nullable Long offset(Map<TopicPartition, Long> changelogOffsets) {
        return changelogOffsets.values().stream()
                .filter(offset -> offset >= 0)
                .findFirst()
                .orElse(null);
    }

    /**
     * A store that Streams closes after a failure has uncommitted changes: its files stay as they are then. So they do
     * if their offset is that of the table, age included: Streams also opens and closes stores without reading the
     * changelog.
     */
    @Override
    public void close() {
        StateFolder used = folder;
        if (used == null) {
            return;
        }
        try {
            if (segments != null) {
                boolean isWhole = committed != null && !table().hasUnwrittenChanges() && !used.isUnusable();
                segments.close(isWhole ? Optional.ofNullable(committed) : Optional.empty());
            }
            StateFolder.touch(used.path(), nowMillis.getAsLong());
            touchTaskFolder(nowMillis.getAsLong());
        } finally {
            used.release();
            folder = null;
            segments = null;
            committed = null;
        }
    }

    /**
     * The offset of the last changelog record that is in the segments. Null would mean that the store cannot be
     * trusted after a kill.
     */
    @Override
    public Long committedOffset(TopicPartition changelog) {
        Optional<Manifest> onDisk = segments == null ? manifest : segments.manifest();
        return onDisk.map(of -> of.reached().offset()).orElse(OffsetCheckpoint.OFFSET_UNKNOWN);
    }

    @Override
    public boolean isOpen() {
        return folder != null;
    }
}
