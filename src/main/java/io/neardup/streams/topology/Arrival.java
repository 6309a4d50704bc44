package io.neardup.streams.topology;

import io.neardup.engine.protocol.Provenance;
import io.neardup.record.InputRecord;
import io.neardup.record.Rejection;
import org.jspecify.annotations.Nullable;

/**
 * A record on its way through a coordinator.
 *
 * @param id the document's id; the place of the record where it is none
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
        /** The end of a seed, by its topic as the id: that is reported to all instances. */
        SEED_END
    }

    static Arrival document(Role role, String id, InputRecord input, Provenance provenance, long takenMillis) {
        return new Arrival(id, input, provenance, null, takenMillis, role);
    }

    static Arrival tombstone(Role role, InputRecord input, long takenMillis) {
        return new Arrival(input.place(), input, Provenance.UNKNOWN, null, takenMillis, role);
    }

    /** Of a record that is no document: its id is its place where it has none. */
    static Arrival rejected(
            Role role, InputRecord input, Provenance provenance, Rejection rejection, long takenMillis) {
        String id = rejection.id();
        return new Arrival(id == null ? input.place() : id, input, provenance, rejection, takenMillis, role);
    }

    static Arrival endOfSeed(String topic, InputRecord input, long takenMillis) {
        return new Arrival(topic, input, Provenance.UNKNOWN, null, takenMillis, Role.SEED_END);
    }

    /** It without the rejection: what an earlier epoch decided on it stays so. */
    Arrival accepted() {
        return new Arrival(id, input, provenance, null, takenMillis, role);
    }

    /** It as a document that cannot be signed. */
    Arrival rejected(Rejection found) {
        return new Arrival(id, input, provenance, found, takenMillis, role);
    }

    /** What it says of its source; empty where it says nothing, or nobody asks. */
    String source() {
        return provenance.source();
    }
}
