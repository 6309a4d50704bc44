package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.CoordinatorState.Entry;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.RecordKey;
import io.neardup.engine.text.Hash128;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.RecordBatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.internals.Task;
import org.apache.kafka.streams.state.internals.OffsetCheckpoint;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The originals of a coordinator on an {@link OriginalsDisk}, where only what is committed ever is, with a changelog to
 * which each change goes at once.
 *
 * <p>Under exactly-once Streams does not tell a store of a running task that a transaction is committed. So it listens
 * to the {@link CommitListeners} of the thread that writes, and asks the {@link ThreadTransaction} for the offset. What
 * Streams says in {@link #commit} is not needed, and not always so: 4.3.1 says it too after a commit that failed.
 *
 * <p>It lies beside the folder of its task, see {@link StateFolder}.
 */
public final class OriginalStore extends LoggedStore {
    /** What may gather until a commit is asked for, which comes as soon as the records at hand are processed. */
    static final long CHANGE_BYTES_MAX = 16L << 20;

    /** Measured: of a text of 2 KB, and of 130 values of MinHash; where a hash stands for it, it is less. */
    private static final int DISK_BYTES_WITH_TEXT = 2_350;

    private static final int DISK_BYTES_WITHOUT_TEXT = 900;

    private static final Logger LOG = LoggerFactory.getLogger(OriginalStore.class);

    private final OriginalsMemory memory;
    private final LongSupplier nowMillis;
    private final OriginalsDisk.SecondaryKeys secondary;
    private final Function<TopicPartition, String> changelogName;
    private @Nullable OriginalsDisk disk;

    /** The listeners of the thread that wrote last. */
    private @Nullable CommitListeners commits;

    private Runnable stopAtCommits = () -> {};

    /** Why what is committed could not be written; the next use of the store fails with it. */
    private @Nullable RuntimeException failure;

    /** The bytes of a unique document on disk, about; with a text it is one of 2 KB. */
    public static int diskBytesPerDocument(boolean keepsTexts) {
        return keepsTexts ? DISK_BYTES_WITH_TEXT : DISK_BYTES_WITHOUT_TEXT;
    }

    /**
     * Of one task.
     *
     * @param memory what all of a process share
     * @param secondary for one thread
     * @param changelogName of a partition: no other changelog has it, of this index or another
     */
    public OriginalStore(
            String name,
            OriginalsMemory memory,
            LongSupplier nowMillis,
            OriginalsDisk.SecondaryKeys secondary,
            Function<TopicPartition, String> changelogName) {
        super(name);
        this.memory = memory;
        this.nowMillis = nowMillis;
        this.secondary = secondary;
        this.changelogName = changelogName;
    }

    /**
     * Under which keys an original is found beside its own, which is its sequence; for one thread.
     *
     * @param versions with ids only where they replace each other, as nobody else looks for them
     */
    public static OriginalsDisk.SecondaryKeys secondaryKeys(Versions versions) {
        boolean hasIds = versions == Versions.REPLACE;
        Hash128 hash128 = new Hash128();
        return (key, value) -> {
            long sequence = StateKeys.lastSequence(key);
            List<byte[]> keys = new ArrayList<>(3);
            // Of which coordinator it is does not matter here.
            Entry original = StateCodec.decodeEntry(new DocumentRef(0, sequence), value);
            RecordKey recordKey = original.origin().key();
            if (recordKey != null) {
                keys.add(StateKeys.byRecordKey(recordKey, sequence).get());
            }
            DocumentRef predecessorRef = original.origin().predecessorRef();
            if (predecessorRef != null) {
                keys.add(StateKeys.byPredecessorRef(predecessorRef, sequence).get());
            }
            if (hasIds) {
                byte[] hash = hash128.of(original.id().getBytes(UTF_8));
                keys.add(StateKeys.byId(hash, sequence).get());
            }
            return keys;
        };
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        logTo(context);
        failure = null;
        Path folder =
                StateFolder.besideTask(NodeNames.ORIGINALS, context.stateDir().toPath());
        try {
            writePointer(folder);
        } catch (IOException e) {
            throw new ProcessorStateException("originals: expected to write to " + context.stateDir(), e);
        }
        disk = OriginalsDisk.open(folder, changelogName.apply(changelog()), memory, nowMillis, secondary);
        OptionalLong offset = disk.offset();
        LOG.info("opened originals folder={} offset={}", folder, offset.isPresent() ? offset.getAsLong() : "none");
        context.register(root, (RecordBatchingStateRestoreCallback) this::restore);
    }

    /** For the coordinator to read from. */
    OriginalsDisk disk() {
        if (failure != null) {
            throw new ProcessorStateException("originals: what is committed could not be written", failure);
        }
        return Objects.requireNonNull(disk, "store is not open");
    }

    private void restore(Collection<ConsumerRecord<byte[], byte[]>> records) {
        OriginalsDisk to = disk();
        long last = -1;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (record.value() == null) {
                to.remove(record.key());
            } else {
                to.put(record.key(), record.value());
            }
            last = record.offset();
        }
        if (context().taskType() == Task.TaskType.STANDBY) {
            to.commit(last); // Streams does not say when it has caught up, which is when it is as of now.
        } else {
            to.commitRestored(last);
        }
    }

    // ---- what the coordinator changes

    void put(Bytes key, byte[] value) {
        listen();
        disk().put(key.get(), value);
        changed(key, value);
    }

    void delete(Bytes key) {
        listen();
        disk().remove(key.get());
        changed(key, null);
    }

    private void changed(Bytes key, byte @Nullable [] value) {
        log(key, value);
        if (disk().changeBytes() > CHANGE_BYTES_MAX) {
            context().commit();
        }
    }

    private void listen() {
        CommitListeners here = CommitListeners.after();
        if (commits != here) {
            stopAtCommits.run();
            stopAtCommits = here.add(this::writeCommitted);
            commits = here;
        }
    }

    /** A transaction of the thread is committed: all that gathered was in it, as all is written to the changelog. */
    private void writeCommitted() {
        if (failure != null || disk == null || disk.changeBytes() == 0) {
            return;
        }
        try {
            disk.commit(ThreadTransaction.last()
                    .map(last -> last.lastOffset(changelog()))
                    .orElse(OptionalLong.empty())
                    .orElseThrow(() -> new IllegalStateException(
                            "originals: expected a record in " + changelog() + " for what changed, found none")));
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    /** To be called now and then while the task runs: else a restart after a quiet day reads the whole changelog. */
    public void confirm() {
        disk().confirm();
    }

    // ---- what Kafka Streams asks

    /** Of no changelog, if Streams has found that it cannot go on from where this store is. */
    @Override
    public void commit(Map<TopicPartition, Long> changelogOffsets) {
        if (changelogOffsets.isEmpty() && disk != null) {
            disk.markUnusable();
        }
    }

    /** None would mean, beside what lies in the folder, that this store cannot be trusted. */
    @Override
    public Long committedOffset(TopicPartition partition) {
        return disk().offset().orElse(OffsetCheckpoint.OFFSET_UNKNOWN);
    }

    @Override
    public void close() {
        clearCache();
        if (disk != null) {
            disk.close();
            disk = null;
            touchTaskFolder(nowMillis.getAsLong());
        }
    }

    /**
     * The task becomes a standby, or a standby active: the only call at that, on the stream thread, whose commits are
     * those of other tasks from now on.
     */
    @Override
    public void clearCache() {
        stopAtCommits.run();
        commits = null;
    }

    @Override
    public boolean isOpen() {
        return disk != null;
    }
}
