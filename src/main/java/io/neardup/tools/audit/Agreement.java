package io.neardup.tools.audit;

import com.fasterxml.jackson.annotation.JsonValue;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Repeated;
import java.util.Locale;
import java.util.Objects;

/** How two verdicts on one record go together. */
public enum Agreement {
    /** The same outcome, for the same reason, of the same original. */
    SAME("both the same"),
    OTHER_ORIGINAL("duplicate in both, of other originals"),
    DUPLICATE_IN_A("duplicate in A, unique in B"),
    DUPLICATE_IN_B("unique in A, duplicate in B"),
    /** A dead letter in one of them, or in both for other reasons. */
    OTHER_OUTCOME("otherwise: dead letters");

    private final String text;

    Agreement(String text) {
        this.text = text;
    }

    /** For people. */
    public String text() {
        return text;
    }

    /** For programs. */
    @JsonValue
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Agreement of(Verdict a, Verdict b) {
        if (a.outcome() == b.outcome()) {
            boolean sameReason = Objects.equals(a.reason(), b.reason());
            return original(a).equals(original(b)) ? (sameReason ? SAME : OTHER_OUTCOME) : OTHER_ORIGINAL;
        }
        if (a.outcome() == Outcome.DUPLICATE && b.outcome() == Outcome.UNIQUE) {
            return DUPLICATE_IN_A;
        }
        return a.outcome() == Outcome.UNIQUE && b.outcome() == Outcome.DUPLICATE ? DUPLICATE_IN_B : OTHER_OUTCOME;
    }

    private static String original(Verdict verdict) {
        Repeated repeated = verdict.repeated();
        return repeated == null ? "" : repeated.original();
    }
}
