package io.neardup.streams.topology;

import io.neardup.record.InputRecord;
import io.neardup.record.Rejection;
import org.jspecify.annotations.Nullable;

/**
 * A record on its way through a coordinator.
 *
 * @param id the document's id; the place of the record where it is none
 * @param rejection why it is no document; null for a document or a tombstone
 * @param takenMillis when it was taken from the input
 * @param role what leaves for it
 */
record Arrival(String id, InputRecord input, @Nullable Rejection rejection, long takenMillis, Role role) {

    enum Role {
        /** Of the input: it leaves on one of the outputs. */
        INPUT,
        /** Of a seed: it leaves as a dead letter or not at all. */
        SEED,
        /** The end of a seed, by its topic as the id: that is reported to all instances. */
        SEED_END
    }

    static Arrival document(Role role, String id, InputRecord input, long takenMillis) {
        return new Arrival(id, input, null, takenMillis, role);
    }

    static Arrival tombstone(Role role, InputRecord input, long takenMillis) {
        return document(role, input.place(), input, takenMillis);
    }

    static Arrival rejected(Role role, InputRecord input, Rejection rejection, long takenMillis) {
        return new Arrival(id(input, rejection), input, rejection, takenMillis, role);
    }

    /** The id of a record that is no document: the place of the record where it has none. */
    static String id(InputRecord input, Rejection rejection) {
        String id = rejection.id();
        return id == null ? input.place() : id;
    }

    static Arrival endOfSeed(String topic, InputRecord input, long takenMillis) {
        return new Arrival(topic, input, null, takenMillis, Role.SEED_END);
    }
}
