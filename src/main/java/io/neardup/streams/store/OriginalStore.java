package io.neardup.streams.store;

import io.neardup.engine.protocol.CoordinatorRules.Versions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
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
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.internals.RecordBatchingStateRestoreCallback;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.OffsetCheckpoint;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The originals of a coordinator, as the innermost of a logged store of Kafka Streams: {@link OriginalsDisk}, on which
 * only what is committed ever is.
 *
 * <p>Under exactly-once Streams does not tell a store of a running task that a transaction is committed. So it listens
 * to the {@link CommitListeners} of the thread that writes, and asks the {@link ThreadTransaction} for the offset. What
 * Streams says in {@link #commit} is not needed, and not always so: 4.3.1 says it too after a commit that failed.
 *
 * <p>It lies beside the folder of its task, see {@link OriginalsFolder}. A file in there keeps the folder from being
 * empty: Streams looks up what an instance has in those that are not, to give it the same tasks again.
 */
public final class OriginalStore implements KeyValueStore<Bytes, byte[]> {
    /** What may gather until a commit is asked for, which comes as soon as the records at hand are processed. */
    static final long CHANGE_BYTES_MAX = 16L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(OriginalStore.class);

    private final String name;
    private final OriginalsMemory memory;
    private final LongSupplier nowMillis;
    private final OriginalsDisk.KeyIndex index;
    private final Function<TopicPartition, String> changelogName;
    private final Position position = Position.emptyPosition();
    private final Runnable committed = this::writeCommitted;
    private @Nullable StateStoreContext context;
    private @Nullable TopicPartition changelog;
    private @Nullable OriginalsDisk disk;

    /** Those that tell of the commits of the thread that wrote last. */
    private @Nullable CommitListeners commits;

    /** Why what is committed could not be written; whoever uses the store next hears of it. */
    private @Nullable RuntimeException failure;

    OriginalStore(
            String name,
            OriginalsMemory memory,
            LongSupplier nowMillis,
            OriginalsDisk.KeyIndex index,
            Function<TopicPartition, String> changelogName) {
        this.name = name;
        this.memory = memory;
        this.nowMillis = nowMillis;
        this.index = index;
        this.changelogName = changelogName;
    }

    /**
     * Makes one for each task.
     *
     * @param changelogName of a partition: no other changelog has it, of this index or another
     */
    public record Supplier(
            String name,
            Versions versions,
            OriginalsMemory memory,
            LongSupplier nowMillis,
            Function<TopicPartition, String> changelogName)
            implements KeyValueBytesStoreSupplier {
        @Override
        public KeyValueStore<Bytes, byte[]> get() {
            return new OriginalStore(name, memory, nowMillis, new OriginalIndex(versions), changelogName);
        }

        @Override
        public String metricsScope() {
            return "originals";
        }
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        this.context = context;
        failure = null;
        changelog = new TopicPartition(
                new TopicNames(context.applicationId()).changelog(name),
                context.taskId().partition());
        Path task = context.stateDir().toPath();
        Path folder = OriginalsFolder.besideTask(task);
        try {
            Files.writeString(task.resolve(name), "see " + folder + "\n");
        } catch (IOException e) {
            throw new ProcessorStateException("originals: expected to write to " + task, e);
        }
        disk = OriginalsDisk.open(folder, changelogName.apply(changelog), memory, nowMillis, index);
        OptionalLong offset = disk.offset();
        LOG.info("opened originals folder={} offset={}", folder, offset.isPresent() ? offset.getAsLong() : "none");
        context.register(root, (RecordBatchingStateRestoreCallback) this::restore);
    }

    private OriginalsDisk disk() {
        if (failure != null) {
            throw new ProcessorStateException("originals: what is committed could not be written", failure);
        }
        return Objects.requireNonNull(disk, "store is not open");
    }

    private void restore(Collection<ConsumerRecord<byte[], byte[]>> records) {
        OriginalsDisk to = disk();
        long last = -1;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            change(to, record.key(), record.value());
            last = record.offset();
        }
        to.commit(last);
    }

    private static void change(OriginalsDisk disk, byte[] key, byte @Nullable [] value) {
        if (value == null) {
            disk.remove(key);
        } else {
            disk.put(key, value);
        }
    }

    // ---- what the coordinator changes

    @Override
    public void put(Bytes key, byte @Nullable [] value) {
        listen();
        OriginalsDisk to = disk();
        change(to, key.get(), value);
        if (to.changeBytes() > CHANGE_BYTES_MAX && context instanceof ProcessorContext<?, ?> running) {
            running.commit();
        }
    }

    /** Reads nothing: what stood there is not told. */
    @Override
    public byte @Nullable [] delete(Bytes key) {
        put(key, null);
        return null;
    }

    private void listen() {
        CommitListeners here = CommitListeners.after();
        if (commits != here) {
            stopListening();
            here.add(committed);
            commits = here;
        }
    }

    private void stopListening() {
        if (commits != null) {
            commits.remove(committed);
            commits = null;
        }
    }

    /** A transaction of the thread is committed: all that gathered was in it, as all is written to the changelog. */
    private void writeCommitted() {
        if (failure != null || disk == null || !disk.hasChanges()) {
            return;
        }
        try {
            disk.commit(lastOffset()
                    .orElseThrow(() -> new IllegalStateException(
                            "originals: expected a record in " + changelog + " for what changed, found none")));
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private OptionalLong lastOffset() {
        TopicPartition of = Objects.requireNonNull(changelog);
        return ThreadTransaction.last().map(last -> last.lastOffset(of)).orElse(OptionalLong.empty());
    }

    @Override
    public byte[] putIfAbsent(Bytes key, byte[] value) {
        throw refused();
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
        throw refused();
    }

    private static UnsupportedOperationException refused() {
        return new UnsupportedOperationException("originals are put one by one");
    }

    // ---- what the coordinator reads

    @Override
    public byte @Nullable [] get(Bytes key) {
        return disk().get(key.get());
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        return new Iterator(List.of(disk().range(from.get(), to.get())));
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(Bytes from, Bytes to) {
        return new Iterator(List.of(disk().reverseRange(from.get(), to.get())));
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return new Iterator(disk().all());
    }

    /** @param parts one after the other */
    private record Iterator(List<Entries> parts) implements KeyValueIterator<Bytes, byte[]> {
        @Override
        public boolean hasNext() {
            return parts.stream().anyMatch(Entries::isValid);
        }

        private Entries current() {
            return parts.stream().filter(Entries::isValid).findFirst().orElseThrow();
        }

        @Override
        public KeyValue<Bytes, byte[]> next() {
            Entries at = current();
            KeyValue<Bytes, byte[]> next = KeyValue.pair(Bytes.wrap(at.key()), at.value());
            at.advance();
            return next;
        }

        @Override
        public Bytes peekNextKey() {
            return Bytes.wrap(current().key());
        }

        @Override
        public void close() {
            parts.forEach(Entries::close);
        }
    }

    @Override
    public long approximateNumEntries() {
        return 0;
    }

    // ---- what Kafka Streams asks

    /** Of no changelog, if Streams has found that it cannot go on from where this store is. */
    @Override
    public void commit(Map<TopicPartition, Long> changelogOffsets) {
        if (changelogOffsets.isEmpty() && disk != null) {
            disk.markUnusable();
        }
    }

    @Override
    @SuppressWarnings("deprecation") // only until stores that do not are gone
    public boolean managesOffsets() {
        return true;
    }

    /** None would mean, beside what lies in the folder, that this store cannot be trusted. */
    @Override
    public Long committedOffset(TopicPartition partition) {
        return disk().offset().orElse(OffsetCheckpoint.OFFSET_UNKNOWN);
    }

    @Override
    public void close() {
        stopListening();
        if (disk != null) {
            disk.close();
            disk = null;
            touchTaskFolder();
        }
    }

    /** Streams deletes folders that nothing has changed in for long, whenever their last use was. */
    private void touchTaskFolder() {
        Path task = Objects.requireNonNull(context).stateDir().toPath();
        try {
            Files.setLastModifiedTime(task, FileTime.fromMillis(nowMillis.getAsLong()));
        } catch (IOException e) {
            LOG.debug("the time of a folder could not be set folder={} cause={}", task, e.toString());
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean persistent() {
        return true;
    }

    @Override
    public boolean isOpen() {
        return disk != null;
    }

    @Override
    public Position getPosition() {
        return position;
    }
}
