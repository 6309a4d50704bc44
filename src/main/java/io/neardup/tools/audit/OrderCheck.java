package io.neardup.tools.audit;

import io.neardup.tools.audit.OutputSide.Matched;
import java.util.ArrayList;
import java.util.List;

/**
 * Promise 4: on each output partition the records of each input partition stand as they came in. To be given each pair
 * of records that belong together.
 */
final class OrderCheck {
    /** What is suspected waits for the end, as a later record of equal content would clear it; beyond, it counts. */
    private static final int SUSPECTS_MAX = 10_000;

    private static final String KIND = "order";

    private final ByContent<Suspect> byContent = new ByContent<>();
    private final List<Suspect> suspects = new ArrayList<>();
    private final Breaks breaks = new Breaks();
    private boolean ended;

    private static final class Suspect {
        private final String witness;
        private boolean cleared;

        Suspect(String witness) {
            this.witness = witness;
        }
    }

    void follow(Matched now) {
        OutputSide side = now.left().side();
        Matched last = side.lastOf(now.taken().partition());
        if (last == null || last.isUncertain() || now.isBehind(last)) {
            side.setLast(now.taken().partition(), now);
        }
        if (last != null && !last.isUncertain() && !now.isInOrderWith(last)) {
            suspect(now, last);
        }
    }

    private void suspect(Matched now, Matched last) {
        String witness = now + ", and " + last + ": expected them in the order of the input";
        boolean certain = now.isCertain() && last.isCertain();
        if (certain || suspects.size() >= SUSPECTS_MAX) {
            breaks.add(KIND, () -> witness);
            return;
        }
        Suspect suspect = new Suspect(witness);
        suspects.add(suspect);
        byContent.add(now.content(), suspect);
        if (!last.content().equals(now.content())) {
            byContent.add(last.content(), suspect);
        }
    }

    /** A record comes in: what looked like another one of equal content may have been this one. */
    void meet(RecordContent content) {
        byContent.all(content).forEach(suspect -> suspect.cleared = true);
    }

    /** To be asked when all was read. */
    Breaks breaks() {
        if (!ended) {
            suspects.stream()
                    .filter(suspect -> !suspect.cleared)
                    .forEach(suspect -> breaks.add(KIND, () -> suspect.witness));
            ended = true;
        }
        return breaks;
    }
}
