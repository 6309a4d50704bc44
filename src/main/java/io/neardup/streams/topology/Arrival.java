package io.neardup.streams.topology;

import io.neardup.engine.protocol.Provenance;
import io.neardup.record.Document;
import io.neardup.record.InputRecord;
import io.neardup.record.Rejection;
import org.jspecify.annotations.Nullable;

/**
 * A record on its way through a coordinator.
 *
 * @param id the document's id; the place of the record where it is none
 * @param source what it says of its source; empty where it says nothing, or nobody asks
 * @param length characters of its text, as code points; 0 where it is no document
 * @param rejection why it is no document; null for a document or a tombstone
 * @param takenMillis when it was taken from the input
 * @param role what leaves for it
 */
record Arrival(
        String id,
        InputRecord input,
        String source,
        int length,
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

    static Arrival document(Role role, Document document, InputRecord input, String source, long takenMillis) {
        int length = document.text().characters();
        return new Arrival(document.id(), input, source, length, null, takenMillis, role);
    }

    static Arrival tombstone(Role role, InputRecord input, long takenMillis) {
        return new Arrival(input.place(), input, "", 0, null, takenMillis, role);
    }

    static Arrival rejected(Role role, InputRecord input, String source, Rejection rejection, long takenMillis) {
        return new Arrival(id(input, rejection), input, source, 0, rejection, takenMillis, role);
    }

    /** The id of a record that is no document: the place of the record where it has none. */
    private static String id(InputRecord input, Rejection rejection) {
        String id = rejection.id();
        return id == null ? input.place() : id;
    }

    static Arrival endOfSeed(String topic, InputRecord input, long takenMillis) {
        return new Arrival(topic, input, "", 0, null, takenMillis, Role.SEED_END);
    }

    /** It without the rejection: what an earlier epoch decided on it stays so. */
    Arrival accepted() {
        return new Arrival(id, input, source, length, null, takenMillis, role);
    }

    Provenance provenance() {
        return new Provenance(input.place(), source, input.timestamp(), length);
    }
}
