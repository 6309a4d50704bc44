package io.neardup.engine.protocol;

import org.jspecify.annotations.Nullable;

/**
 * What the record of a document holds beside its text.
 *
 * @param key null for a record without one
 * @param timestampMillis event time, at least 0
 * @param provenance for outputs; no decision depends on it
 * @param predecessorRef its ref in the predecessor that it was taken over from; null for any other document
 */
public record Origin(
        @Nullable RecordKey key,
        long timestampMillis,
        Provenance provenance,
        @Nullable DocumentRef predecessorRef) {
    public Origin(@Nullable RecordKey key, long timestampMillis, Provenance provenance) {
        this(key, timestampMillis, provenance, null);
    }

    /** The same at another event time. */
    public Origin at(long eventMillis) {
        return new Origin(key, eventMillis, provenance, predecessorRef);
    }

    /** The same as that of a document taken over from an index where it had this ref. */
    public Origin takenOverFrom(DocumentRef ref) {
        return new Origin(key, timestampMillis, provenance, ref);
    }
}
