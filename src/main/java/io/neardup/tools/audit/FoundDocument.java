package io.neardup.tools.audit;

import io.neardup.record.InputRecord;
import java.util.Optional;

/**
 * A record of a document that was asked for.
 *
 * @param foundAs what the topic that it is on says
 * @param text of the document; empty where the record does not hold it, or is no document
 */
public record FoundDocument(FoundAs foundAs, InputRecord record, Optional<String> text) {

    /** What became of a document. */
    public enum FoundAs {
        UNIQUE,
        DUPLICATE,
        DEAD_LETTER,
        /** A record without a value, whose key is the id: it takes the documents of its key back. */
        TOMBSTONE,
        /** It is on an input, and on no output. */
        NOT_LEFT
    }

    /** A header that the service has added. */
    public Optional<String> header(String name) {
        return AuditedTopics.header(record, name);
    }
}
