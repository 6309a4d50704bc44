package io.neardup.streams.topology;

import io.neardup.engine.protocol.Provenance;
import io.neardup.record.InputRecord;
import io.neardup.record.Rejection;
import org.jspecify.annotations.Nullable;

/**
 * A record on its way through a coordinator.
 *
 * @param id the document's id; the place of the record where it is none; the topic of a seed that ends
 * @param provenance unknown for a tombstone
 * @param rejection why it is no document; null for a document or a tombstone
 * @param takenMillis when it was taken from the input
 * @param role what leaves for it
 */
record Arrival(
        String id,
        InputRecord input,
        Provenance provenance,
        @Nullable Rejection rejection,
        long takenMillis,
        Role role) {

    enum Role {
        /** Of the input: it leaves on one of the outputs. */
        INPUT,
        /** Of a seed: it leaves as a dead letter or not at all. */
        SEED,
        /** The end of a seed: that is reported to all instances. */
        SEED_END
    }

    /** It without the rejection: what an earlier epoch decided on it stays so. */
    Arrival accepted() {
        return new Arrival(id, input, provenance, null, takenMillis, role);
    }

    Arrival rejected(Rejection found) {
        return new Arrival(id, input, provenance, found, takenMillis, role);
    }

    /** What it says of its source; empty where it says nothing, or nobody asks. */
    String source() {
        return provenance.source();
    }
}
