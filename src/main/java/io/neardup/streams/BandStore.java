package io.neardup.streams;

import io.neardup.lsh.BandKeys;
import io.neardup.lsh.BandTable;
import io.neardup.lsh.Candidates;
import io.neardup.protocol.BandState;
import io.neardup.protocol.Candidate;
import io.neardup.protocol.Ref;
import io.neardup.wire.StateCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * The buckets of a band partition: a {@link BandTable} in memory, and one changelog record a document.
 *
 * <p>Changes go through a logged store of Kafka Streams, which writes the changelog and passes them on to the table; reads
 * go to the table itself. A record's key holds the document and its band keys, so that a tombstone of the same key is all
 * that a removal needs, also while restoring.
 */
final class BandStore implements StateStore, BandState {
    private static final byte[] PRESENT = {StateCodec.VERSION};

    private final BandTableStore inner;
    private final KeyValueStore<Bytes, byte[]> logged;
    private final Candidates found = new Candidates();
    private long candidatesDropped;

    BandStore(String name, BandTableStore inner, Map<String, String> changelogSettings) {
        this.inner = inner;
        this.logged = Stores.keyValueStoreBuilder(
                        new BandTableStore.Supplier(name, inner), Serdes.Bytes(), Serdes.ByteArray())
                .withCachingDisabled()
                .withLoggingEnabled(changelogSettings)
                .build();
    }

    @Override
    public List<Candidate> candidates(Ref document, BandKeys keys, int max) {
        found.clear();
        inner.table().candidates(document.packed(), keys, found);
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
        if (!inner.table().contains(document.packed(), keys)) {
            logged.put(changelogKey(document, keys), PRESENT);
        }
    }

    @Override
    public void remove(Ref document, BandKeys keys) {
        // Even if it is not there: the changelog may hold one that full buckets refused, and they may have room after a
        // restore.
        logged.delete(changelogKey(document, keys));
    }

    private static Bytes changelogKey(Ref document, BandKeys keys) {
        return Bytes.wrap(StateCodec.encode(new StateCodec.Indexed(document, keys)));
    }

    long documents() {
        return inner.table().documents();
    }

    long bytes() {
        return inner.table().bytes();
    }

    /** How often a full bucket refused a document since the start. */
    long bucketsFull() {
        return inner.table().bucketsFull();
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
        logged.init(context, root);
    }

    @Override
    public void close() {
        logged.close();
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
