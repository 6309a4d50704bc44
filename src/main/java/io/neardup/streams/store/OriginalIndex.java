package io.neardup.streams.store;

import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Origin;
import io.neardup.engine.protocol.RecordKey;
import io.neardup.engine.text.Hash128;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;

/**
 * Under which keys of the {@linkplain KafkaCoordinatorState state} an original is found beside its own. For one thread.
 */
public final class OriginalIndex implements OriginalsDisk.KeyIndex {
    private final boolean hasIds;
    private final Hash128 hash128 = new Hash128();

    /** @param versions with ids only where they replace each other, as nobody else looks for them */
    public OriginalIndex(Versions versions) {
        this.hasIds = versions == Versions.REPLACE;
    }

    @Override
    public List<byte[]> keys(byte[] key, byte[] value) {
        long sequence = StateKeys.lastSequence(Bytes.wrap(key));
        List<byte[]> keys = new ArrayList<>(3);
        Origin origin = StateCodec.originOfOriginal(value);
        RecordKey recordKey = origin.key();
        if (recordKey != null) {
            keys.add(StateKeys.byRecordKey(recordKey, sequence).get());
        }
        DocumentRef source = origin.source();
        if (source != null) {
            keys.add(StateKeys.bySource(source, sequence).get());
        }
        if (hasIds) {
            byte[] id = StateCodec.idOfOriginal(value);
            keys.add(StateKeys.byId(hash128.of(id), sequence).get());
        }
        return keys;
    }
}
