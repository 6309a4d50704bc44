package io.neardup.audit;

import java.util.List;

/**
 * What was found of a promise.
 *
 * @param promise its name
 * @param judged how many records or documents were looked at
 * @param of what these are
 * @param notes what was not looked at, and why
 */
public record PromiseReport(String promise, long judged, String of, Breaks breaks, List<String> notes) {
    public PromiseReport {
        notes = List.copyOf(notes);
    }

    public boolean isHeld() {
        return breaks.isEmpty();
    }
}
