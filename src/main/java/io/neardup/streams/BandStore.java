package io.neardup.streams;

import io.neardup.lsh.BandKeys;
import io.neardup.lsh.BandTable;
import io.neardup.lsh.Candidates;
import io.neardup.protocol.BandState;
import io.neardup.protocol.Candidate;
import io.neardup.protocol.Partitions;
import io.neardup.protocol.Ref;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of a band partition: a {@link LoggedBandTable}, whose changelog is that of a logged store of Kafka Streams.
 */
final class BandStore implements StateStore, BandState {
    private final Partitions partitions;
    private final int bucketMax;
    private final KeyValueStore<Bytes, byte[]> logged;
    private final Candidates found = new Candidates();
    private long candidatesDropped;
    private @Nullable LoggedBandTable table;

    BandStore(String name, Partitions partitions, int bucketMax, Map<String, String> changelogSettings) {
        this.partitions = partitions;
        this.bucketMax = bucketMax;
        BandLogStore inner = new BandLogStore(name, (key, value) -> table().restore(key, value));
        this.logged = Stores.keyValueStoreBuilder(
                        new BandLogStore.Supplier(name, inner), Serdes.Bytes(), Serdes.ByteArray())
                .withCachingDisabled()
                .withLoggingEnabled(changelogSettings)
                .build();
    }

    private LoggedBandTable table() {
        return Objects.requireNonNull(table, "store is not open");
    }

    @Override
    public List<Candidate> candidates(Ref document, BandKeys keys, int max) {
        found.clear();
        table().candidates(document, keys, found);
        if (found.size() == 0) {
            return List.of();
        }
        candidatesDropped += found.keepBest(max);
        List<Candidate> candidates = new ArrayList<>(found.size());
        for (int i = 0; i < found.size(); i++) {
            candidates.add(new Candidate(Ref.unpack(found.document(i)), found.bandsShared(i)));
        }
        return candidates;
    }

    @Override
    public void insert(Ref document, BandKeys keys) {
        table().insert(document, keys);
    }

    @Override
    public void remove(Ref document, BandKeys keys) {
        table().remove(document, keys);
    }

    @Override
    public void endStep() {
        table().endStep();
    }

    long documents() {
        return table().documents();
    }

    long bytes() {
        return table().bytes();
    }

    /** How often a full bucket refused a document since the start. */
    long bucketsFull() {
        return table().bucketsFull();
    }

    /** How many candidates were left out of answers since the start. */
    long candidatesDropped() {
        return candidatesDropped;
    }

    @Override
    public String name() {
        return logged.name();
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        int bands = partitions.bandsOf(context.taskId().partition()).length;
        table = new LoggedBandTable(
                new BandTable(bands, bucketMax),
                new RecentBatches(),
                (key, value) -> logged.put(Bytes.wrap(key), value));
        logged.init(context, root);
    }

    @Override
    public void close() {
        logged.close();
        table = null;
    }

    @Override
    public boolean persistent() {
        return logged.persistent();
    }

    @Override
    public boolean isOpen() {
        return logged.isOpen();
    }

    @Override
    public Position getPosition() {
        return logged.getPosition();
    }
}
