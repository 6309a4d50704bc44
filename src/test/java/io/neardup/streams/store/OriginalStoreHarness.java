package io.neardup.streams.store;

import io.neardup.streams.topology.TestTransactions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.ProcessorRecordContext;
import org.apache.kafka.streams.processor.internals.RecordBatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.internals.Task;
import org.apache.kafka.streams.state.internals.OffsetCheckpoint;
import org.jspecify.annotations.Nullable;

/**
 * An {@link OriginalStore} with its changelog, of which it is restored as Kafka Streams does it. Streams' folder of the
 * task is there anew after a close that was not in order, and after a kill as it was.
 */
final class OriginalStoreHarness implements AutoCloseable {
    static final int PARTITION = 3;
    static final TopicPartition CHANGELOG = new TopicPartition("test-originals-changelog", PARTITION);

    private final Path root;
    private final OriginalsMemory memory = new OriginalsMemory(8 << 20);
    private final OriginalsDisk.SecondaryKeys secondary;

    /** What is committed, and what is sent in the open transaction; the marker of a commit takes an offset, too. */
    private final List<ConsumerRecord<byte[], byte[]>> changelog = new ArrayList<>();

    private final List<ConsumerRecord<byte[], byte[]>> open = new ArrayList<>();
    private long nextOffset;
    private Path state;
    private int kills;
    private int restored;
    private int commitsAskedFor;
    private long nowMillis = 1_000_000_000;
    private @Nullable OriginalStore store;
    private @Nullable RecordBatchingStateRestoreCallback restoring;
    private Task.TaskType taskType = Task.TaskType.ACTIVE;

    OriginalStoreHarness(Path root, OriginalsDisk.SecondaryKeys secondary) {
        this.root = root;
        this.secondary = secondary;
        this.state = root.resolve("state");
        start();
    }

    /** As at a start of the task: what is on disk, and from the changelog what it does not have. */
    void start() {
        OriginalStore starting =
                new OriginalStore("originals", memory, () -> nowMillis, secondary, TopicPartition::toString);
        try {
            Files.createDirectories(taskFolder());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        starting.init(context(), starting);
        store = starting;
        long from = starting.committedOffset(CHANGELOG);
        long first = from == OffsetCheckpoint.OFFSET_UNKNOWN ? 0 : from + 1;
        List<ConsumerRecord<byte[], byte[]>> after =
                changelog.stream().filter(record -> record.offset() >= first).toList();
        restored = after.size();
        if (!after.isEmpty()) {
            Objects.requireNonNull(restoring).restoreBatch(after);
        }
    }

    /**
     * The task becomes a standby, and goes on by the changelog alone. Meanwhile its thread commits what other tasks
     * did, again and again.
     */
    void goOnAsStandby(Bytes... keys) {
        taskType = Task.TaskType.STANDBY;
        store().clearCache();
        Objects.requireNonNull(restoring).restoreBatch(new AbstractList<>() {
            @Override
            public ConsumerRecord<byte[], byte[]> get(int at) {
                TestTransactions.commit(TestTransactions.begin(new TopicPartition("other-changelog", PARTITION), at));
                byte[] key = keys[at].get();
                byte[] value = {key[key.length - 1]};
                return new ConsumerRecord<>(CHANGELOG.topic(), PARTITION, nextOffset++, key, value);
            }

            @Override
            public int size() {
                return keys.length;
            }
        });
    }

    void passTime(Duration time) {
        nowMillis += time.toMillis();
    }

    Path taskFolder() {
        return state.resolve("0_" + PARTITION);
    }

    Path folder() {
        return StateFolder.besideTask(NodeNames.ORIGINALS, taskFolder());
    }

    /** How many records of the changelog the last start took. */
    int restored() {
        return restored;
    }

    /** What is committed. */
    List<ConsumerRecord<byte[], byte[]>> changelog() {
        return changelog;
    }

    OriginalStore store() {
        return Objects.requireNonNull(store);
    }

    /** How often the store asked for a commit. */
    int commitsAskedFor() {
        return commitsAskedFor;
    }

    private StateStoreContext context() {
        return (InternalProcessorContext<?, ?>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {InternalProcessorContext.class},
                (proxy, method, arguments) -> answer(method.getName(), arguments));
    }

    private @Nullable Object answer(String method, Object[] arguments) {
        switch (method) {
            case "commit" -> commitsAskedFor++;
            case "register" -> restoring = (RecordBatchingStateRestoreCallback) arguments[1];
            case "logChange" -> {
                byte[] key = ((Bytes) arguments[1]).get();
                open.add(new ConsumerRecord<>(CHANGELOG.topic(), PARTITION, nextOffset++, key, (byte[]) arguments[2]));
            }
            case "taskType" -> {
                return taskType;
            }
            case "applicationId" -> {
                return "test";
            }
            case "taskId" -> {
                return new TaskId(0, PARTITION);
            }
            case "stateDir" -> {
                return taskFolder().toFile();
            }
            case "recordContext" -> {
                return new ProcessorRecordContext(0, 0, 0, "documents", new RecordHeaders());
            }
            default -> throw new UnsupportedOperationException(method);
        }
        return null;
    }

    /** All that the store of now has. */
    void forEach(BiConsumer<byte[], byte[]> action) {
        DiskEntries.forEach(store().disk(), action);
    }

    /** The thread commits; the disk learns of it. */
    void commit() {
        commitInTheClusterAlone();
        if (!changelog.isEmpty()) {
            long last = changelog.get(changelog.size() - 1).offset();
            TestTransactions.commit(TestTransactions.begin(CHANGELOG, last));
        }
    }

    /** A transaction is committed; a kill comes before this process knows. */
    void commitInTheClusterAlone() {
        changelog.addAll(open);
        nextOffset++;
        open.clear();
    }

    private void abort() {
        nextOffset++;
        open.clear();
    }

    /** The process is killed, and starts again on what it left. */
    void kill() {
        abort();
        Path left = root.resolve("killed" + kills++);
        copy(state, left);
        store().close();
        state = left;
        start();
    }

    /** Kafka Streams closes the task after a failure, and starts it again. */
    void closeDirtyAndStart() {
        abort();
        store().close();
        delete(taskFolder());
        start();
    }

    /** As at a stop in order. */
    void stopAndStart() {
        commit();
        store().commit(Map.of(CHANGELOG, nextOffset));
        store().close();
        start();
    }

    /** Nothing may be under way in RocksDB: it writes little here. */
    static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try {
            Utils.delete(folder.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        store().close();
    }
}
