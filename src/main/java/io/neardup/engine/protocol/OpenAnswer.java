package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Message.Answer;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.protocol.Message.Verify;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request while something of it is open: its candidates are still to be compared, or who asks waits for
 * some of them. It is complete when nothing is.
 */
final class OpenAnswer {
    final Key key;
    private final Comparator<Neighbour> bestFirst;
    private final int nearestMax;
    private final Consumer<OpenAnswer> whenComplete;
    private final List<Neighbour> nearest = new ArrayList<>(1);
    /** The most similar original that is no match; null where there is none. */
    private @Nullable Neighbour nearestBelow;

    private final Set<DocumentRef> redirects = new LinkedHashSet<>();
    private final List<DocumentRef> unknown = new ArrayList<>(0);
    /** How many were compared. */
    int compared;
    /** How many likely ones were not, as others came before them. */
    int beyond;
    /** What is still open: to compare the candidates, and each that is waited for. */
    private int parts = 1;

    /** Names a request: one that is repeated has the same. */
    record Key(DocumentRef asker, int epoch, int request) {
        static Key of(Verify request) {
            return new Key(request.asker(), request.epoch(), request.request());
        }
    }

    OpenAnswer(Verify request, Consumer<OpenAnswer> whenComplete) {
        this.key = Key.of(request);
        this.bestFirst = Neighbour.bestFirst(request.asker());
        this.nearestMax = request.asker().isOutside() ? Neighbour.FOR_OUTSIDE_MAX : 1;
        this.whenComplete = whenComplete;
    }

    /** One more is waited for. */
    void addPart() {
        parts++;
    }

    void closePart() {
        parts--;
        if (parts == 0) {
            whenComplete.accept(this);
        }
    }

    /**
     * One that was waited for is decided, or certain to be a duplicate.
     *
     * @param original it, null where it is none
     * @param repeated what it repeats, null where it is no duplicate
     */
    void closeWait(@Nullable Neighbour original, @Nullable DocumentRef repeated) {
        if (original != null) {
            add(original);
        }
        redirectTo(repeated);
        closePart();
    }

    /** Whether one would be the best by now. */
    boolean isBest(Neighbour neighbour) {
        return nearest.isEmpty() || bestFirst.compare(neighbour, nearest.get(0)) < 0;
    }

    void add(Neighbour neighbour) {
        nearest.add(neighbour);
        nearest.sort(bestFirst);
        if (nearest.size() > nearestMax) {
            nearest.remove(nearestMax);
        }
    }

    /** The best by now; null where there is none. */
    @Nullable
    Neighbour best() {
        return nearest.isEmpty() ? null : nearest.get(0);
    }

    /** An original that is no match. */
    void addBelow(Neighbour original) {
        if (nearestBelow == null || bestFirst.compare(original, nearestBelow) < 0) {
            nearestBelow = original;
        }
    }

    /** How similar the most similar of those is; 0 where there is none. */
    double similarityBelow() {
        return nearestBelow == null ? 0 : nearestBelow.similarity().value();
    }

    /** @param original or an older document that is pending; null for nobody */
    void redirectTo(@Nullable DocumentRef original) {
        if (original != null) {
            redirects.add(original);
        }
    }

    void addUnknown(DocumentRef candidate) {
        unknown.add(candidate);
    }

    Answer message() {
        return new Answer(
                key.asker,
                key.epoch,
                key.request,
                nearest,
                nearest.isEmpty() ? nearestBelow : null,
                DocumentRefs.of(redirects),
                DocumentRefs.of(unknown),
                compared,
                beyond);
    }
}
