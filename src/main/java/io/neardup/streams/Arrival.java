package io.neardup.streams;

import io.neardup.document.InputRecord;
import io.neardup.document.Rejection;
import org.jspecify.annotations.Nullable;

/**
 * A record on its way through a home.
 *
 * @param id the document's id; the place of the record where it is none
 * @param rejection why it is no document; null for a document or a tombstone
 * @param takenMillis when it was taken from the input
 */
record Arrival(String id, InputRecord input, @Nullable Rejection rejection, long takenMillis) {

    // Not the compact form: javac 17 leaves its parameters' annotations out of the class file, so null would be
    // refused.
    Arrival(String id, InputRecord input, @Nullable Rejection rejection, long takenMillis) {
        this.id = id;
        this.input = input;
        this.rejection = rejection;
        this.takenMillis = takenMillis;
    }

    static Arrival document(String id, InputRecord input, long takenMillis) {
        return new Arrival(id, input, null, takenMillis);
    }

    static Arrival tombstone(InputRecord input, long takenMillis) {
        return new Arrival(input.place(), input, null, takenMillis);
    }

    static Arrival rejected(InputRecord input, Rejection rejection, long takenMillis) {
        String id = rejection.id();
        return new Arrival(id == null ? input.place() : id, input, rejection, takenMillis);
    }
}
