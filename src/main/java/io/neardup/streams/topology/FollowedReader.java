package io.neardup.streams.topology;

import io.neardup.config.Signing;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Followed;
import io.neardup.engine.protocol.Followed.Inherited;
import io.neardup.engine.protocol.Followed.LetGo;
import io.neardup.engine.protocol.Followed.Refreshed;
import io.neardup.engine.protocol.Origin;
import io.neardup.engine.protocol.Original;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.record.InputRecord;
import io.neardup.streams.store.StateCodec;

/** What a coordinator hears of the index that its own succeeds, from {@link FollowedRecords}. For one thread. */
final class FollowedReader {
    private final Signing.DocumentSigner signer;

    FollowedReader(Signing.DocumentSigner signer) {
        this.signer = signer;
    }

    /** Whether a record tells of an original of that index. */
    static boolean isFollowed(InputRecord carried) {
        return FollowedRecords.sourceOfOriginal(carried) != null || FollowedRecords.sourceOfRepeated(carried) != null;
    }

    /**
     * What such a record tells.
     *
     * @throws UnsignableException where the original cannot be compared under the settings of this index
     */
    Followed read(InputRecord carried) throws UnsignableException {
        byte[] value = carried.value();
        DocumentRef source = FollowedRecords.sourceOfOriginal(carried);
        if (source == null) {
            DocumentRef repeated = FollowedRecords.sourceOfRepeated(carried);
            if (repeated == null || value == null) {
                throw new IllegalStateException("what is followed: expected an original or its repeat, found neither");
            }
            return new Refreshed(repeated, StateCodec.decodeRepeated(value));
        }
        return value == null ? new LetGo(source) : taken(source, StateCodec.decodeOriginal(value));
    }

    private Inherited taken(DocumentRef source, Original original) throws UnsignableException {
        Origin origin = original.origin();
        return new Inherited(
                signer.signKept(original.id(), original.evidence()),
                new Origin(origin.key(), origin.timestampMillis(), source));
    }
}
