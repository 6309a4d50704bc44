package io.neardup.streams.store;

import io.neardup.streams.topology.TestTransactions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.processor.internals.RecordBatchingStateRestoreCallback;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.OffsetCheckpoint;
import org.jspecify.annotations.Nullable;

/**
 * An {@link OriginalStore} with its changelog, of which it is restored as Kafka Streams does it. Streams' folder of the
 * task is there anew after a close that was not in order, and after a kill as it was.
 */
public final class OriginalStoreHarness implements AutoCloseable {
    public static final int PARTITION = 3;
    public static final TopicPartition CHANGELOG = new TopicPartition("test-originals-changelog", PARTITION);

    private final Path root;
    private final OriginalsMemory memory = new OriginalsMemory(8 << 20);
    private final OriginalsDisk.KeyIndex index;

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

    public OriginalStoreHarness(Path root, OriginalsDisk.KeyIndex index) {
        this.root = root;
        this.index = index;
        this.state = root.resolve("state");
        start();
    }

    /** As at a start of the task: what is on disk, and from the changelog what it does not have. */
    void start() {
        OriginalStore starting =
                new OriginalStore("originals", memory, () -> nowMillis, index, TopicPartition::toString);
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

    Path taskFolder() {
        return state.resolve("0_" + PARTITION);
    }

    Path folder() {
        return OriginalsFolder.besideTask(taskFolder());
    }

    /** How many records of the changelog the last start took. */
    int restored() {
        return restored;
    }

    /** What is committed. */
    public List<ConsumerRecord<byte[], byte[]>> changelog() {
        return changelog;
    }

    void advance(long millis) {
        nowMillis += millis;
    }

    OriginalStore store() {
        return Objects.requireNonNull(store);
    }

    /** How often the store asked for a commit. */
    int commitsAskedFor() {
        return commitsAskedFor;
    }

    /** As that of Kafka Streams, it is a processor's too. */
    private interface Context extends StateStoreContext, ProcessorContext<Object, Object> {
        @Override
        Optional<RecordMetadata> recordMetadata();
    }

    private StateStoreContext context() {
        return proxy(Context.class, (method, arguments) -> switch (method) {
            case "commit" -> {
                commitsAskedFor++;
                yield null;
            }
            case "applicationId" -> "test";
            case "taskId" -> new TaskId(0, PARTITION);
            case "stateDir" -> taskFolder().toFile();
            case "register" -> {
                restoring = (RecordBatchingStateRestoreCallback) arguments[1];
                yield null;
            }
            default -> throw new UnsupportedOperationException(method);
        });
    }

    /** The store of now, with its changelog around it. */
    @SuppressWarnings("unchecked")
    public KeyValueStore<Bytes, byte[]> logged() {
        return proxy(KeyValueStore.class, (method, arguments) -> {
            OriginalStore to = store();
            return switch (method) {
                case "put" -> {
                    to.put((Bytes) arguments[0], (byte[]) arguments[1]);
                    log((Bytes) arguments[0], (byte[]) arguments[1]);
                    yield null;
                }
                case "delete" -> {
                    to.delete((Bytes) arguments[0]);
                    log((Bytes) arguments[0], null);
                    yield null;
                }
                case "get" -> to.get((Bytes) arguments[0]);
                case "range" -> to.range((Bytes) arguments[0], (Bytes) arguments[1]);
                case "reverseRange" -> to.reverseRange((Bytes) arguments[0], (Bytes) arguments[1]);
                case "all" -> to.all();
                default -> throw new UnsupportedOperationException(method);
            };
        });
    }

    private interface Answer {
        @Nullable
        Object to(String method, Object[] arguments);
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answer.to(method.getName(), arguments)));
    }

    private void log(Bytes key, byte @Nullable [] value) {
        open.add(new ConsumerRecord<>(CHANGELOG.topic(), PARTITION, nextOffset++, key.get(), value));
    }

    /** The thread commits; the disk hears of it. */
    public void commit() {
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
    public void closeDirtyAndStart() {
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
    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        store().close();
    }
}
