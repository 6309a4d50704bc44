package io.neardup.protocol;

import io.neardup.protocol.Message.Candidates;
import io.neardup.protocol.Message.Lookup;
import io.neardup.protocol.Message.ToBands;
import java.util.Optional;

/**
 * The role of a band partition: it owns some buckets and tells who is in them.
 *
 * <p>The order of messages makes it a witness: of two documents that share one of its buckets, the one whose lookup
 * comes second is told of the first.
 */
public final class BandIndex {
    private final int bandPartition;
    private final int candidatesMax;
    private final BandState state;

    /** @param candidatesMax how many candidates an answer names at the most, those with the most shared bands first */
    public BandIndex(int bandPartition, int candidatesMax, BandState state) {
        this.bandPartition = bandPartition;
        this.candidatesMax = candidatesMax;
        this.state = state;
    }

    /** Handles one message; the answer, if it has one, goes to the home of the document. */
    public Optional<Candidates> receive(ToBands message) {
        if (message instanceof Lookup lookup) {
            return Optional.of(lookUp(lookup));
        }
        state.remove(message.document(), message.keys());
        return Optional.empty();
    }

    private Candidates lookUp(Lookup lookup) {
        var found = state.candidates(lookup.document(), lookup.keys(), candidatesMax);
        state.insert(lookup.document(), lookup.keys());
        return new Candidates(lookup.document(), lookup.attempt(), bandPartition, found);
    }
}
