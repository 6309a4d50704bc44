package io.neardup.simulation;

import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.CutoverEvent;
import io.neardup.streams.store.CutoverEvent.Asked;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The events of a cutover in the order in which they were committed, and those who ask for one: the first, and others
 * that are too late. Who reads knows a beginning of them.
 */
final class SimulatedCutover {
    private static final int EVERY = 5;
    private static final int STEPS_MAX = 120;

    private final Random random;
    private final int coordinators;
    private final List<CutoverEvent> events = new ArrayList<>();
    private Cutover now = Cutover.NONE;
    private int asksLeft;
    private int stepsToNext;

    /** @param isPossible whether there may be one in this run */
    SimulatedCutover(Random random, int coordinators, boolean isPossible) {
        this.random = random;
        this.coordinators = coordinators;
        this.asksLeft = isPossible && random.nextInt(EVERY) == 0 ? 1 + random.nextInt(3) : 0;
        this.stepsToNext = random.nextInt(STEPS_MAX);
    }

    /** Chances of their own, so that a run without a cutover is as it was before there were any. */
    Random random() {
        return random;
    }

    /** Somebody may ask; returns whether somebody had before. */
    boolean step() {
        if (asksLeft == 0 || --stepsToNext > 0) {
            return false;
        }
        boolean isAgain = isAsked();
        note(new Asked("r" + asksLeft, "successor-" + asksLeft, coordinators, false));
        asksLeft--;
        stepsToNext = random.nextInt(STEPS_MAX / 4);
        return isAgain;
    }

    void note(List<CutoverEvent> committed) {
        committed.forEach(this::note);
    }

    private void note(CutoverEvent event) {
        events.add(event);
        now = now.with(event, 0);
    }

    Cutover now() {
        return now;
    }

    /** What who has read so many of the events knows. */
    private Cutover of(int read) {
        Cutover cutover = Cutover.NONE;
        for (CutoverEvent event : events.subList(0, read)) {
            cutover = cutover.with(event, 0);
        }
        return cutover;
    }

    /** What who has read at some time by now may know. */
    Cutover any() {
        return of(random.nextInt(events.size() + 1));
    }

    /** Whether somebody will ask, if the run is long enough. */
    boolean isMeant() {
        return asksLeft > 0;
    }

    /** Whether anybody ever asked: where nobody did, a run is as it was before there were cutovers. */
    boolean isAsked() {
        return !events.isEmpty();
    }
}
