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
 * <p>What a transaction changes goes into the changelog when that is about to be committed, or a batch is full. It
 * reports to Streams up to which offset of the changelog its segments have everything; what came after that is read.
 *
 * <p>Under exactly-once Streams commits a store after it was restored and before it closes. That alone does not say
 * that what it wrote is committed: 4.3.1 calls it so too after a commit that failed, at a stop and when it revives a
 * task, with the offsets of what is aborted. So the store asks the {@link ThreadTransaction} that its last change
 * went into. Only what is committed goes into segments and their manifest.
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

    /** The offset that the table is at; none if anything has changed since, or is not known to be committed. */
    private @Nullable Long committed;

    /** What the last change was written in; none if the table is as it was restored, from what is committed. */
    private Optional<ThreadTransaction> written = Optional.empty();

    /**
     * Of one task.
     *
     * @param changelogName of a partition: no other changelog has it, of this index or another
     * @param failures counts where segments cannot be written
     * @param nowMillis the clock: segments are used only for some hours
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
                leaveNote(used.path());
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
                used.path(), changelogName.apply(changelog(context)), partitions.bandsOf(partition).length, bucketMax);
        if (used.isUnusable()) {
            files.logUnusable("it was found to be damaged, or the changelog no longer fits it");
            used.delete();
        }
        Files.createDirectories(used.path());
        // At its start Kafka Streams opens what there is for no task, asks for the offset, and closes it.
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
        // The table has changed already: if this fails, it is what no transaction has.
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

    /** What uses the disk. */
    private interface DiskUse {
        void run() throws IOException;
    }

    private void guarded(DiskUse use) {
        StateFolder used = Objects.requireNonNull(folder, "store is not open");
        try {
            use.run();
        } catch (DamagedSegmentException | UncheckedIOException | InternalError e) {
            // An InternalError is how a page of a mapped file says that it cannot be read.
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

    /** A full disk may have no room for the mark; without a manifest, nothing is used either. */
    private static void markUnusable(StateFolder used) {
        if (!used.markUnusable()) {
            BandFiles.deleteManifest(used.path());
        }
    }

    // ---- steps

    @Override
    public Found find(DocumentRef document, BandKeys keys, int max) {
        found.clear();
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

    /** Writes what has changed into the changelog. */
    public void writeChanges() {
        guarded(() -> table().writeChanges());
    }

    /** To be counted. */
    public BandTable buckets() {
        return segments().buckets();
    }

    /** How many candidates were truncated from answers since the start. */
    public long candidatesDropped() {
        return candidatesDropped;
    }

    // ---- what is committed goes to the disk

    /** Of no changelog, if Streams has found that it cannot go on from where this store is. */
    @Override
    public void commit(Map<TopicPartition, Long> changelogOffsets) {
        if (changelogOffsets.isEmpty() && folder != null) {
            markUnusable(folder);
        }
        committed = isCommitted() ? offset(changelogOffsets) : null;
        // What is opened at the start of Streams alone is a standby, too, and has no segments.
        if (segments != null && context().taskType() == Task.TaskType.STANDBY) {
            guarded(() -> segments().advance(Optional.ofNullable(committed)));
        }
    }

    /**
     * Goes on with segments, beside the work. To be called behind each commit of an active task, before anything
     * changes, and now and then where there are none.
     *
     * @return whether there is more to do soon: something is on its way to the disk, or to be committed before that
     */
    public boolean saveMore() {
        guarded(() -> segments().advance(lastCommitted()));
        return !isWholeCommitted() || segments().isWriting();
    }

    /** The changelog's last offset, none while the last change is not known to be committed. */
    private Optional<Long> lastCommitted() {
        if (!isWholeCommitted()) {
            return Optional.empty();
        }
        RecordCollector collector = ((RecordCollector.Supplier) context()).recordCollector();
        return Optional.ofNullable(collector.offsets().getOrDefault(changelog(context()), committed));
    }

    private boolean isWholeCommitted() {
        return isCommitted() && !table().hasUnwrittenChanges();
    }

    private boolean isCommitted() {
        return written.map(ThreadTransaction::isCommitted).orElse(true);
    }

    /** A store has one changelog; the offset is negative if nothing was ever in there. */
    private static @Nullable Long offset(Map<TopicPartition, Long> changelogOffsets) {
        return changelogOffsets.values().stream()
                .filter(offset -> offset >= 0)
                .findFirst()
                .orElse(null);
    }

    /**
     * Those that Streams closes after a failure have changed since the last commit: what is on the disk stays as it is
     * then. So does what is of the same offset, with its age: Streams also opens and closes stores without having
     * looked at the changelog.
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
     * The offset of the last changelog record that is in the segments. None would mean, beside what a kill leaves of an
     * unfinished one, that this store cannot be trusted.
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
