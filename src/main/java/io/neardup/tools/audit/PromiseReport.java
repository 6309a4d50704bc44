package io.neardup.tools.audit;

import java.util.List;

/**
 * What was found of a promise.
 *
 * @param promise its name
 * @param judged how many records or documents were looked at
 * @param of what these are
 * @param isKnown false where it could not be looked at, as the notes tell
 * @param notes what was not looked at, and why
 */
public record PromiseReport(
        String promise, long judged, String of, Breaks breaks, boolean isKnown, List<String> notes) {
    public PromiseReport {
        notes = List.copyOf(notes);
    }

    /** Whether nothing was found that breaks it. */
    public boolean isHeld() {
        return breaks.isEmpty();
    }
}
