package io.neardup.record;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How a record left. */
public enum Outcome {
    UNIQUE,
    DUPLICATE,
    DEAD_LETTER,
    /** A record without a value; it went on to the unique output. */
    TOMBSTONE;

    /** As it stands in a verdict. */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Optional<Outcome> of(String code) {
        return Arrays.stream(values())
                .filter(outcome -> outcome.code().equals(code))
                .findFirst();
    }
}
