package io.neardup.tools.audit;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What was found of a promise, as {@code verify --json} prints it.
 *
 * @param promise its name
 * @param of what was looked at
 * @param held whether nothing was found that breaks it; null where that is not known, as the notes tell
 * @param judged how many of these were looked at
 * @param breaks by kind, in the order in which they were found
 * @param notes what was not looked at, and why
 */
public record PromiseReport(
        @JsonIgnore String promise,
        @JsonIgnore String of,
        @Nullable Boolean held,
        long judged,
        List<Break> breaks,
        List<String> notes) {
    /**
     * Places in which a promise is broken in one way.
     *
     * @param count at least 1
     * @param first the first witness: where, what was expected, what was found
     */
    public record Break(String kind, long count, String first) {}

    /** Gathers what is found of a promise while records are read. */
    static final class Findings {
        private final Map<String, Break> breaks = new LinkedHashMap<>();
        private final Set<String> notes = new LinkedHashSet<>();

        void add(String kind, Supplier<String> witness) {
            breaks.compute(
                    kind,
                    (same, before) -> before == null
                            ? new Break(kind, 1, witness.get())
                            : new Break(kind, before.count + 1, before.first));
        }

        void note(boolean holds, String sentence) {
            if (holds) {
                notes.add(sentence);
            }
        }

        /** Notes what there is something of. */
        void note(long count, String what) {
            note(count > 0, String.format(Locale.ROOT, "%,d %s", count, what));
        }

        PromiseReport report(String promise, long judged, String of) {
            return new PromiseReport(
                    promise, of, breaks.isEmpty(), judged, List.copyOf(breaks.values()), List.copyOf(notes));
        }
    }

    /** The same; but where breaks may be something else, as the note says, it is not known whether it is broken. */
    PromiseReport unlessExcused(boolean isExcused, String note) {
        if (!isExcused || breaks.isEmpty()) {
            return this;
        }
        List<String> more = new ArrayList<>(notes);
        more.add(note);
        return new PromiseReport(promise, of, null, judged, breaks, List.copyOf(more));
    }

    /** The same; where not all is known, it is broken or unknown. */
    PromiseReport knownIf(boolean isAllKnown) {
        return isAllKnown || !breaks.isEmpty() ? this : new PromiseReport(promise, of, null, judged, breaks, notes);
    }
}
