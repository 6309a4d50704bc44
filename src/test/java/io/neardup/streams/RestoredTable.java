package io.neardup.streams;

import io.neardup.lsh.BandKeys;
import io.neardup.lsh.Candidates;
import io.neardup.protocol.Candidate;
import io.neardup.protocol.Partitions;
import io.neardup.protocol.Ref;
import java.io.File;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.processor.CommitCallback;
import org.apache.kafka.streams.processor.StateRestoreCallback;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/** A band table that was filled from a changelog alone, as after a move to another instance. */
final class RestoredTable {
    private final BandTableStore store;
    private final Context context = new Context();

    RestoredTable(int bands, int bucketMax, List<TestRecord<byte[], byte[]>> changelog) {
        store = new BandTableStore("buckets", new Partitions(1, bands), bucketMax);
        store.init(context, store);
        changelog.forEach(entry -> context.callback().restore(entry.key(), entry.value()));
    }

    /** What log compaction leaves in the end: the last record of each key, and no tombstones. */
    static List<TestRecord<byte[], byte[]>> compacted(List<TestRecord<byte[], byte[]>> changelog) {
        Map<Bytes, TestRecord<byte[], byte[]>> last = new LinkedHashMap<>();
        for (TestRecord<byte[], byte[]> entry : changelog) {
            Bytes key = Bytes.wrap(entry.key());
            last.remove(key);
            last.put(key, entry);
        }
        return last.values().stream().filter(entry -> entry.value() != null).toList();
    }

    long documents() {
        return store.table().documents();
    }

    List<Candidate> candidates(Ref document, BandKeys keys) {
        Candidates found = new Candidates();
        store.table().candidates(document.packed(), keys, found);
        found.keepBest(Integer.MAX_VALUE);
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            candidates.add(new Candidate(Ref.unpack(found.document(i)), found.bandsShared(i)));
        }
        return candidates;
    }

    /** Only registers. */
    private static final class Context implements StateStoreContext {
        private @Nullable StateRestoreCallback registered;

        StateRestoreCallback callback() {
            return Objects.requireNonNull(registered, "nothing was registered");
        }

        @Override
        public void register(StateStore store, StateRestoreCallback callback) {
            registered = callback;
        }

        @Override
        public void register(StateStore store, StateRestoreCallback callback, CommitCallback commit) {
            registered = callback;
        }

        @Override
        public TaskId taskId() {
            return new TaskId(1, 0);
        }

        @Override
        public String applicationId() {
            return "bench";
        }

        @Override
        public Optional<RecordMetadata> recordMetadata() {
            return Optional.empty();
        }

        @Override
        public Serde<?> keySerde() {
            return Serdes.ByteArray();
        }

        @Override
        public Serde<?> valueSerde() {
            return Serdes.ByteArray();
        }

        @Override
        public File stateDir() {
            throw new UnsupportedOperationException("not needed to restore");
        }

        @Override
        public StreamsMetrics metrics() {
            throw new UnsupportedOperationException("not needed to restore");
        }

        @Override
        public Map<String, Object> appConfigs() {
            return Map.of();
        }

        @Override
        public Map<String, Object> appConfigsWithPrefix(String prefix) {
            return Map.of();
        }
    }
}
