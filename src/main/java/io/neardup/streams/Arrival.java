package io.neardup.streams;

import io.neardup.document.InputRecord;
import io.neardup.document.Rejection;
import org.jspecify.annotations.Nullable;

/**
 * A record on its way through a home.
 *
 * @param id the document's id; the place of the record where it is none
 * @param rejection why it is no document; null for a document or a tombstone
 */
record Arrival(String id, InputRecord input, @Nullable Rejection rejection) {

    // Not the compact form: javac 17 leaves its parameters' annotations out of the class file, so null would be
    // refused.
    Arrival(String id, InputRecord input, @Nullable Rejection rejection) {
        this.id = id;
        this.input = input;
        this.rejection = rejection;
    }

    static Arrival document(String id, InputRecord input) {
        return new Arrival(id, input, null);
    }

    static Arrival tombstone(InputRecord input) {
        return new Arrival(input.place(), input, null);
    }

    static Arrival rejected(InputRecord input, Rejection rejection) {
        String id = rejection.id();
        return new Arrival(id == null ? input.place() : id, input, rejection);
    }
}
