package io.neardup.tools.audit;

import io.neardup.tools.audit.ContentHash.Content;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Promise 4: on each output partition the records of each input partition stand as they came in. To be given each pair
 * of records that belong together.
 */
final class OrderCheck {
    /** What is suspected waits for the end, as a later record of equal content would clear it; beyond, it counts. */
    private static final int SUSPECTS_MAX = 10_000;

    private static final String KIND = "order";

    private final Map<Route, Matched> last = new HashMap<>();
    private final ByContent<Suspect> byContent = new ByContent<>();
    private final List<Suspect> suspects = new ArrayList<>();
    private final Breaks breaks = new Breaks();
    private boolean ended;

    private record Route(TopicPartition input, TopicPartition output) {}

    private static final class Suspect {
        private final String witness;
        private boolean cleared;

        Suspect(String witness) {
            this.witness = witness;
        }
    }

    void follow(Matched now) {
        Route route = new Route(now.taken().partition(), now.left().partition());
        Matched before = last.get(route);
        if (before == null || before.isUncertain() || now.isBehind(before)) {
            last.put(route, now);
        }
        if (before != null && !before.isUncertain() && !now.isInOrderWith(before)) {
            suspect(now, before);
        }
    }

    private void suspect(Matched now, Matched before) {
        String witness = now + ", and " + before + ": expected them in the order of the input";
        boolean certain = now.isCertain() && before.isCertain();
        if (certain || suspects.size() >= SUSPECTS_MAX) {
            breaks.add(KIND, () -> witness);
            return;
        }
        Suspect suspect = new Suspect(witness);
        suspects.add(suspect);
        Content content = now.taken().content();
        byContent.add(content, suspect);
        if (!before.taken().content().equals(content)) {
            byContent.add(before.taken().content(), suspect);
        }
    }

    /** A record comes in: what looked like another one of equal content may have been this one. */
    void meet(Content content) {
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
