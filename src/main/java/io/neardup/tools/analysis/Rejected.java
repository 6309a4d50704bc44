package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.neardup.record.Reason;
import java.util.List;

/**
 * Lines that were no documents for one reason.
 *
 * @param count at least 1
 * @param first where the first of them is, as {@code file:number}
 * @param detail what was expected there and what was found; never text of the document
 * @param fields pointers to what of it holds text, where it was looked for in vain
 */
public record Rejected(
        @JsonIgnore Reason reason,
        long count,
        String first,
        String detail,
        @JsonIgnore List<String> fields) {
    /** The reason for programs. */
    @JsonProperty("reason")
    public String code() {
        return reason.code();
    }

    Rejected oneMore() {
        return new Rejected(reason, count + 1, first, detail, fields);
    }
}
