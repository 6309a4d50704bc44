package io.neardup.tools.analysis;

import io.neardup.record.Reason;

/**
 * Lines that were no documents for one reason.
 *
 * @param count at least 1
 * @param first where the first of them is, as {@code file:number}
 * @param detail what was expected there and what was found; never text of the document
 */
public record Rejected(Reason reason, long count, String first, String detail) {

    Rejected oneMore() {
        return new Rejected(reason, count + 1, first, detail);
    }
}
