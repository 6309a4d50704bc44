package io.neardup.streams.store;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.SharedBands;
import io.neardup.engine.protocol.BandIndex.BandState;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.DocumentRefs;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Partitions;
import io.neardup.streams.metrics.DiskFailures;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.RecordCollector;
import org.apache.kafka.streams.processor.internals.Task;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.internals.OffsetCheckpoint;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The buckets of an index partition: a {@link LoggedBandTable} as a store of Kafka Streams.
 *
 * <p>What a transaction changes goes into the changelog when that is about to be committed, or a segment is full.
 *
 * <p>It reports to Streams up to which offset of the changelog it starts with what is in its {@link BandSnapshot}. The
 * file is written when the store closes and, as a kill closes nothing, {@linkplain RunningSnapshots beside the work} of
 * an active task. A standby writes it at a commit if there is none that is young.
 *
 * <p>Under exactly-once Streams commits a store after it was restored and before it closes. That alone does not say
 * that what it wrote is committed: 4.3.1 calls it so too after a commit that failed, at a stop and when it revives a
 * task, with the offsets of what is aborted. So the store asks the {@link ThreadTransaction} that its last change
 * went into.
 */
public final class BandStore extends LoggedStore implements BandState {
    private static final Logger LOG = LoggerFactory.getLogger(BandStore.class);

    private static final Duration YOUNG = Duration.ofMinutes(10);

    /** As many changelog records are restored in a second, and as many bytes written. */
    private static final int RECORDS_AT_ONCE = 2_000;

    private static final long BYTES_AT_ONCE = 32 << 20;

    private final Partitions partitions;
    private final int bucketMax;
    private final Function<TopicPartition, String> changelogName;
    private final RunningSnapshots.SnapshotTurn turn;
    private final DiskFailures failures;
    private final LongSupplier nowMillis;
    private final SharedBands found = new SharedBands();
    private long candidatesDropped;
    private @Nullable LoggedBandTable table;
    private @Nullable BucketsFile snapshot;
    private @Nullable RunningSnapshots running;
    private boolean open;
    private int restored;

    /** The offset that the table is at; none if anything has changed since, or is not known to be committed. */
    private @Nullable Long committed;

    /** What the last change was written in; none if the table is as it was restored, from what is committed. */
    private Optional<ThreadTransaction> written = Optional.empty();

    BandStore(
            String name,
            Partitions partitions,
            int bucketMax,
            Function<TopicPartition, String> changelogName,
            RunningSnapshots.SnapshotTurn turn,
            DiskFailures failures,
            LongSupplier nowMillis) {
        super(name);
        this.changelogName = changelogName;
        this.failures = failures;
        this.turn = turn;
        this.nowMillis = nowMillis;
        this.partitions = partitions;
        this.bucketMax = bucketMax;
    }

    /**
     * Builds one for each task.
     *
     * @param changelogName of a partition: no other changelog has it, of this index or another
     * @param failures counts where a snapshot cannot be written
     * @param nowMillis the clock: a snapshot is used only for some hours
     */
    public static StoreBuilder<BandStore> builder(
            String name,
            Partitions partitions,
            int bucketMax,
            Function<TopicPartition, String> changelogName,
            DiskFailures failures,
            LongSupplier nowMillis) {
        RunningSnapshots.SnapshotTurn ofAllTasks = new RunningSnapshots.SnapshotTurn();
        return builderOf(
                name, () -> new BandStore(name, partitions, bucketMax, changelogName, ofAllTasks, failures, nowMillis));
    }

    private void restore(byte[] key, byte @Nullable [] value) {
        committed = null;
        restored++;
        endRunning();
        table().restore(key, value);
    }

    private void write(byte[] key, byte @Nullable [] value) {
        committed = null;
        // The table has changed already: if this fails, it is what no transaction has.
        written = Optional.of(ThreadTransaction.neverCommitted());
        log(Bytes.wrap(key), value);
        written = ThreadTransaction.last();
    }

    private LoggedBandTable table() {
        return Objects.requireNonNull(table, "store is not open");
    }

    @Override
    public Found find(DocumentRef document, BandKeys keys, int max) {
        found.clear();
        int truncated = table().candidates(document, keys, max, found);
        int fullBuckets = table().fullBuckets();
        if (found.size() == 0 && fullBuckets == 0) {
            return Found.NOBODY;
        }
        candidatesDropped += truncated;
        long[] candidates = new long[found.size()];
        for (int i = 0; i < candidates.length; i++) {
            candidates[i] = found.document(i);
        }
        return new Found(DocumentRefs.owning(candidates), truncated, fullBuckets);
    }

    @Override
    public void insert(DocumentRef document, BandKeys keys) {
        table().insert(document, keys);
    }

    @Override
    public void remove(DocumentRef document, BandKeys keys) {
        table().remove(document, keys);
    }

    @Override
    public void drop(DocumentRef document, BandKeys keys) {
        table().drop(document, keys);
    }

    /** Writes what has changed into the changelog. */
    public void writeChanges() {
        table().writeChanges();
    }

    public long documents() {
        return table().documents();
    }

    public long bytes() {
        return table().bytes();
    }

    /** How often a full bucket refused a document since the start. */
    public long bucketsFull() {
        return table().bucketsFull();
    }

    /** How many candidates were truncated from answers since the start. */
    public long candidatesDropped() {
        return candidatesDropped;
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        int partition = context.taskId().partition();
        int bands = partitions.bandsOf(partition).length;
        BandSnapshot file = new BandSnapshot(
                context.stateDir().toPath().resolve(name() + ".snapshot"),
                changelogName.apply(changelog(context)),
                bands,
                bucketMax);
        snapshot = new BucketsFile(file, failures, nowMillis);
        logTo(context);
        written = Optional.empty();
        restored = 0;
        candidatesDropped = 0;
        if (context instanceof RecordCollector.Supplier) {
            open(snapshot, bands);
        } else {
            snapshot.readHeader();
        }
        committed = snapshot.header().map(BandSnapshot.Header::offset).orElse(null);
        context.register(root, this::restore);
        open = true;
    }

    /** For a task. At its start Kafka Streams opens what there is for no task, asks for the offset, and closes it. */
    private void open(BucketsFile from, int bands) {
        table = from.read(this::write)
                .orElseGet(() -> new LoggedBandTable(new BandTable(bands, bucketMax), this::write));
        running = new RunningSnapshots(from.file(), table, turn, nowMillis, from.header());
    }

    @Override
    public void commit(Map<TopicPartition, Long> changelogOffsets) {
        committed = isCommitted() ? offset(changelogOffsets) : null;
        boolean isDue = snapshot()
                .header()
                .map(header -> header.isOlderThan(YOUNG, nowMillis.getAsLong()) && !isSaved())
                .orElse(true);
        if (isDue && !isLeftToRunning()) {
            save();
        }
    }

    /** Whether to write all here would hold up a start. */
    private boolean isLeftToRunning() {
        boolean isLarge = restored > RECORDS_AT_ONCE
                || (snapshot().header().isPresent() && snapshot().file().bytes() > BYTES_AT_ONCE);
        return isLarge && context().taskType() == Task.TaskType.ACTIVE;
    }

    /**
     * Goes on with a snapshot beside the work, or begins one. To be called after each commit of an active task, and now
     * and then where there are none.
     */
    public void saveMore() {
        try {
            running().advance(this::lastCommitted).ifPresent(this::saved);
        } catch (IOException e) {
            snapshot().failed(e);
        }
    }

    /** The changelog's last offset, none while the last change is not known to be committed. */
    private Optional<Long> lastCommitted() {
        if (!isCommitted()) {
            return Optional.empty();
        }
        RecordCollector collector = ((RecordCollector.Supplier) context()).recordCollector();
        return Optional.ofNullable(collector.offsets().getOrDefault(changelog(context()), committed));
    }

    private void saved(BandSnapshot.Header header) {
        snapshot().written(header, table());
    }

    private void endRunning() {
        running().end().ifPresent(this::saved);
    }

    private RunningSnapshots running() {
        return Objects.requireNonNull(running, "store is not open");
    }

    private BucketsFile snapshot() {
        return Objects.requireNonNull(snapshot, "store is not open");
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

    private boolean isSaved() {
        return committed != null
                && Objects.equals(
                        committed,
                        snapshot().header().map(BandSnapshot.Header::offset).orElse(null));
    }

    private void save() {
        if (snapshot == null || table == null || committed == null || table.isNew() || table.hasUnwrittenChanges()) {
            return;
        }
        endRunning();
        snapshot.write(table, committed);
    }

    /**
     * Those that Streams closes after a failure have changed since the last commit: the snapshot stays as it is then.
     * So does one of the same offset, with its age: Streams also opens and closes stores without having looked at the
     * changelog.
     */
    @Override
    public void close() {
        if (running != null) {
            endRunning();
        }
        if (!isSaved()) {
            save();
        }
        open = false;
        running = null;
        table = null;
        committed = null;
    }

    @Override
    public boolean persistent() {
        return true;
    }

    @Override
    @SuppressWarnings("deprecation") // only until stores that do not are gone
    public boolean managesOffsets() {
        return true;
    }

    /**
     * The offset of the last changelog record that is in the snapshot. None would mean, beside what a kill leaves of an
     * unfinished one, that this store cannot be trusted.
     */
    @Override
    public Long committedOffset(TopicPartition changelog) {
        return snapshot().header().map(BandSnapshot.Header::offset).orElse(OffsetCheckpoint.OFFSET_UNKNOWN);
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    /** The snapshot on the disk. It only saves time: a failure is logged, and the store does without. */
    private static final class BucketsFile {
        private final BandSnapshot file;
        private final DiskFailures failures;
        private final LongSupplier nowMillis;
        private Optional<BandSnapshot.Header> header = Optional.empty();

        BucketsFile(BandSnapshot file, DiskFailures failures, LongSupplier nowMillis) {
            this.file = file;
            this.failures = failures;
            this.nowMillis = nowMillis;
        }

        BandSnapshot file() {
            return file;
        }

        /** What it is of, by what was read or written last; empty where there is none that can be used. */
        Optional<BandSnapshot.Header> header() {
            return header;
        }

        private interface Reading<T> {
            Optional<T> of(BandSnapshot from) throws IOException;
        }

        private <T> Optional<T> ifUsable(Reading<T> reading) {
            try {
                return reading.of(file);
            } catch (IOException e) {
                LOG.warn(
                        "the buckets are read from the whole changelog, as their file cannot be used file={} {}",
                        file.file(),
                        e.getMessage());
                return Optional.empty();
            }
        }

        void readHeader() {
            header = ifUsable(from -> from.header(nowMillis.getAsLong()));
        }

        /** The table in there, which goes on in a log. */
        Optional<LoggedBandTable> read(LoggedBandTable.Log log) {
            Optional<BandSnapshot.Content> read = ifUsable(from -> from.read(nowMillis.getAsLong(), log));
            header = read.map(BandSnapshot.Content::header);
            read.ifPresent(content -> LOG.info(
                    "read buckets file={} offset={} documents={}",
                    file.file(),
                    content.header().offset(),
                    content.table().documents()));
            return read.map(BandSnapshot.Content::table);
        }

        /** Replaces it with what a table is at an offset of the changelog. */
        void write(LoggedBandTable content, long offset) {
            BandSnapshot.Header now = new BandSnapshot.Header(nowMillis.getAsLong(), offset);
            try {
                file.write(content, now);
                LOG.info("wrote buckets file={} offset={} documents={}", file.file(), offset, content.documents());
                note(now);
            } catch (IOException e) {
                failed(e);
            }
        }

        /** It was written beside the work of a table. */
        void written(BandSnapshot.Header now, LoggedBandTable content) {
            LOG.debug(
                    "wrote buckets beside the work file={} offset={} documents={}",
                    file.file(),
                    now.offset(),
                    content.documents());
            note(now);
        }

        private void note(BandSnapshot.Header now) {
            header = Optional.of(now);
            failures.written(file.file());
        }

        void failed(IOException cause) {
            LOG.warn(
                    "a restart takes longer, as the buckets could not be written; check the disk file={} cause={}",
                    file.file(),
                    cause.toString());
            failures.failed(file.file(), cause);
        }
    }
}
