package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What the similarities of a file's pairs say. Only {@link #PARTED} is a reason to leave the convention. */
public enum Finding {
    /** There is a valley between the unrelated and the copies, and halves of the documents have it too. */
    PARTED,
    /** There is a valley, but halves of the documents have others, or it is shallow, or the texts are too short. */
    UNSURE,
    /** There are copies, but no shingle has a valley before them. */
    NO_VALLEY,
    /** Nearly equal copies alone: any threshold below them finds the same. */
    EXACT_COPIES,
    /** No two documents are alike. */
    NO_COPIES,
    /** Nearly all pairs are alike: nothing is unrelated. */
    ALL_ALIKE,
    /** All texts are equal. */
    ALL_EQUAL,
    /** Fewer documents than tell anything. */
    TOO_FEW;

    /** Its name for programs, such as {@code no-copies}. */
    @JsonValue
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
