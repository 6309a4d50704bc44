package io.neardup.streams.metrics;

import io.neardup.streams.metrics.Sources.Repeated;
import io.neardup.streams.metrics.Sources.Vanishing;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether a source still brings something of its own: a window of its documents after the other. By their number, so
 * that a slow source has windows too; and not of a moment, in which a fast one sends what belongs together.
 *
 * <pre>
 * at the end of a window                                                   brings something -> vanishes
 *   95 % of its documents repeat other sources, or
 *   after three windows, the share of unique ones is a fifth of theirs, where that would have been 20 documents
 * fewer than 80 % repeat others, and the share is above half of theirs     vanishes -> brings something
 * </pre>
 *
 * What it brought before is the mean of the windows that ended in the first state, the latest eight counting most.
 * Between the two limits it stays as it is: who was always a mirror vanishes once. Not thread-safe.
 */
final class SourceWindows {
    static final int DOCUMENTS_MIN = 200;
    static final long MILLIS_MIN = TimeUnit.MINUTES.toMillis(1);
    private static final double OTHERS_MANY = 0.95;
    private static final double OTHERS_FEWER = 0.8;
    private static final int WINDOWS_MIN = 3;
    private static final int WINDOWS_MEAN = 8;
    private static final double FALLEN = 0.2;
    private static final double RECOVERED = 0.5;
    /** What was to be expected of these would hardly be a fifth by chance. */
    private static final int UNIQUE_EXPECTED_MIN = 20;

    private long beganMillis;
    private int documents;
    private int unique;
    private int others;
    private int itself;
    private SpaceSaving<Boolean> repeated = repeated();
    private int windows;
    private double uniqueBefore;
    private @Nullable Vanishing vanishing;

    private static SpaceSaving<Boolean> repeated() {
        return new SpaceSaving<>(Sources.REPEATED_MAX, () -> true);
    }

    void unique(long nowMillis) {
        unique++;
        add(nowMillis);
    }

    void ofOther(String other, long nowMillis) {
        others++;
        repeated.add(other);
        add(nowMillis);
    }

    void ofItself(long nowMillis) {
        itself++;
        add(nowMillis);
    }

    /** Takes a copy of an unknown source: it counts as a document only, else more would look unique. */
    void ofUnknown(long nowMillis) {
        add(nowMillis);
    }

    private void add(long nowMillis) {
        if (documents == 0) {
            beganMillis = nowMillis;
        }
        documents++;
        if (documents >= DOCUMENTS_MIN && nowMillis - beganMillis >= MILLIS_MIN) {
            end(nowMillis);
            documents = 0;
            unique = 0;
            others = 0;
            itself = 0;
            repeated = repeated();
        }
    }

    private void end(long nowMillis) {
        boolean knowsBefore = windows >= WINDOWS_MIN;
        if (vanishing == null && (isMirror() || (knowsBefore && hasFallen()))) {
            vanishing = new Vanishing(
                    nowMillis,
                    documents,
                    others,
                    itself,
                    unique,
                    knowsBefore ? uniqueBefore : null,
                    repeated.most()
                            .findFirst()
                            .map(other -> new Repeated(other.name, other.counted()))
                            .orElse(null));
        } else if (vanishing != null && hasRecovered(knowsBefore)) {
            vanishing = null;
        }
        if (vanishing == null) {
            windows++;
            uniqueBefore += ((double) unique / documents - uniqueBefore) / Math.min(windows, WINDOWS_MEAN);
        }
    }

    private boolean isMirror() {
        return others >= OTHERS_MANY * documents;
    }

    private boolean hasFallen() {
        double expected = uniqueBefore * documents;
        return expected >= UNIQUE_EXPECTED_MIN && unique <= FALLEN * expected;
    }

    private boolean hasRecovered(boolean knowsBefore) {
        return others < OTHERS_FEWER * documents && (!knowsBefore || unique > RECOVERED * uniqueBefore * documents);
    }

    /** That it vanishes, until a window shows that it does not. */
    Optional<Vanishing> vanishing() {
        return Optional.ofNullable(vanishing);
    }
}
