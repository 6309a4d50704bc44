package io.neardup.streams.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serdes.ByteArraySerde;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.internals.AbstractStoreBuilder;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;
import org.jspecify.annotations.Nullable;

/**
 * A store that writes its own changelog and may gather changes until the commit. It is a CachedStateStore to Kafka
 * Streams, as only those are called before a task commits ({@link #flushCache}). One on disk knows itself which
 * changelog offset it has reached.
 */
public abstract class LoggedStore implements StateStore, CachedStateStore<Bytes, byte[]> {
    private final String name;
    private @Nullable InternalProcessorContext<?, ?> context;

    LoggedStore(String name) {
        this.name = name;
    }

    /** From now on {@link #log} writes to the changelog that the context has for this store. */
    final void logTo(StateStoreContext taskContext) {
        context = (InternalProcessorContext<?, ?>) taskContext;
    }

    final InternalProcessorContext<?, ?> context() {
        return Objects.requireNonNull(context, "store is not open");
    }

    /**
     * Writes into the folder of the task where its state is. Streams looks up what an instance has in folders that are
     * not empty, to give it the same tasks again.
     */
    final void writePointer(Path stateFolder) throws IOException {
        Files.writeString(context().stateDir().toPath().resolve(name), "see " + stateFolder + "\n");
    }

    /** To be called at a close: Streams deletes folders in which nothing has changed for long, however used. */
    final void touchTaskFolder(long nowMillis) {
        StateFolder.touch(context().stateDir().toPath(), nowMillis);
    }

    /** Writes a record to the changelog, if there is one; without a value it takes out the one of that key. */
    final void log(Bytes key, byte @Nullable [] value) {
        if (context != null) {
            context.logChange(
                    name, key, value, context.recordContext().timestamp(), new RecordHeaders(), getPosition());
        }
    }

    /** Of the changelog of this store, by the names that Kafka Streams gives. */
    final TopicPartition changelog() {
        return new TopicPartition(
                new TopicNames(context().applicationId()).changelog(name),
                context().taskId().partition());
    }

    /** Kafka Streams is about to commit. */
    @Override
    public void flushCache() {
        CommitListeners.before().fire();
    }

    /** The task is recycled, as from active to standby: its stores are neither closed nor initialised again. */
    @Override
    public void clearCache() {}

    @Override
    public boolean setFlushListener(CacheFlushListener<Bytes, byte[]> listener, boolean sendOldValues) {
        return false;
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
    @SuppressWarnings("deprecation") // only until stores that do not are gone
    public boolean managesOffsets() {
        return persistent();
    }

    @Override
    public Position getPosition() {
        return Position.emptyPosition();
    }

    /** Builds one for each task. It always has a changelog, and no cache of Kafka Streams. */
    public static <S extends LoggedStore> StoreBuilder<S> builderOf(String name, Supplier<S> maker) {
        return new AbstractStoreBuilder<byte[], byte[], S>(
                name, new ByteArraySerde(), new ByteArraySerde(), Time.SYSTEM) {
            @Override
            public S build() {
                return maker.get();
            }
        };
    }
}
