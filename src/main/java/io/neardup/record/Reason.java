package io.neardup.record;

import com.fasterxml.jackson.annotation.JsonValue;
import io.neardup.engine.similarity.UnsignableException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Why a record goes to the dead-letter topic. The codes are stable: they stand in headers and metrics. */
public enum Reason {
    /** The record has no value: the answer of a reader. The service takes such a record for a tombstone before. */
    NULL_VALUE,
    /** The bytes are not UTF-8 as RFC 3629 has it. */
    NOT_UTF8,
    /** The text is not JSON as RFC 8259 has it. */
    NOT_JSON,
    NOT_OBJECT,
    /** Objects and arrays, or elements of HTML, are nested too deep. */
    TOO_DEEP,
    /** An object has a key twice, so that readers may differ on its value. */
    REPEATED_KEY,
    TRAILING_DATA,
    /** An escape stands for half of a surrogate pair, which no UTF-8 can carry. */
    LONE_SURROGATE,
    /** The schema registry has no schema of the id that the record has. */
    UNKNOWN_SCHEMA,
    /** The bytes are not what the schema says, or have no id of one, or the schema is not in Avro. */
    NOT_AVRO,
    /** No text where it was expected. */
    NO_TEXT,
    /** Something other than a string where the text was expected. */
    TEXT_NOT_STRING,
    /** The text is empty or all white space: nothing to compare. */
    BLANK_TEXT,
    /** The id is neither a string nor an integer, or its header is not UTF-8. */
    ID_NOT_TEXT,
    /** The id does not fit into headers and state. */
    ID_TOO_LONG,
    /** The scope is neither a string nor an integer, or its header is not UTF-8. */
    SCOPE_NOT_TEXT,
    /** The value, or something in it, is over a limit of size. */
    TOO_LARGE,
    /** The text is not of the form that the signature compares. Found by the service, not by a reader. */
    UNSIGNABLE,
    /** The record has no key, where an output needs one. Found by the service, not by a reader. */
    NULL_KEY,
    /** Kafka cannot carry the timestamp onwards. Found by the service, not by a reader. */
    TIMESTAMP_OUT_OF_RANGE;

    private final String code = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Why a text could not be signed. */
    public static Reason of(UnsignableException e) {
        return e.isTooLarge() ? TOO_LARGE : UNSIGNABLE;
    }

    /** Those that a record of the service can have, in their order: one without a value is a tombstone there. */
    public static List<Reason> ofDeadLetters() {
        return Arrays.stream(values()).filter(reason -> reason != NULL_VALUE).toList();
    }

    /** Lower case, words joined by hyphens. */
    @JsonValue
    public String code() {
        return code;
    }

    /** The reason of a code; empty where this release knows none. */
    public static Optional<Reason> ofCode(String code) {
        return Arrays.stream(values())
                .filter(reason -> reason.code.equals(code))
                .findFirst();
    }
}
