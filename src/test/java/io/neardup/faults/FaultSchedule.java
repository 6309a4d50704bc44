package io.neardup.faults;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Which fault comes when. The same arguments give the same schedule.
 *
 * <p>There are two instances at first, and two or three at any time. Every seven faults in a row, from the first on,
 * are one of each kind but for the last two kinds, of which it is the one that the number of instances allows, and two
 * kills.
 */
final class FaultSchedule {
    static final int INSTANCES_MIN = 2;

    private static final long PAUSE_MIN_MILLIS = 7_000;
    private static final long LASTING_MAX_MILLIS = 5_000;

    private final Random random;
    private final int brokers;
    private int instances = INSTANCES_MIN;

    private FaultSchedule(long seed, int brokers) {
        this.random = new Random(seed);
        this.brokers = brokers;
    }

    /** What happens to whom. */
    enum Kind {
        /** An instance is killed, and started again after a while. */
        KILL,
        /** An instance stands still for longer than its session. */
        PAUSE,
        /** An instance is asked to stop, and started again after a while. */
        STOP,
        /** One instance after the other is asked to stop and started again. */
        ROLLING_RESTART,
        /** A broker is killed, and started again after a while. */
        BROKER_LOSS,
        /** One instance more. */
        ADD,
        /** An instance is killed for good. */
        REMOVE
    }

    /**
     * A fault.
     *
     * @param afterDocuments comes when so many documents were fed
     * @param target the place of the instance among those there are, or the number of the broker
     * @param lastingMillis how long the instance or broker is away
     */
    record Fault(int afterDocuments, Kind kind, int target, long lastingMillis) {}

    /**
     * Draws the faults, spread over a feed.
     *
     * @param documents of the feed
     */
    static List<Fault> draw(long seed, int faults, int documents, int brokers) {
        return new FaultSchedule(seed, brokers).draw(faults, documents);
    }

    private List<Fault> draw(int count, int documents) {
        List<Fault> faults = new ArrayList<>();
        List<Kind> deck = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (deck.isEmpty()) {
                deck = deck();
            }
            int after = (int) (documents * (i + random.nextDouble()) / count);
            faults.add(fault(after, deck.remove(deck.size() - 1)));
        }
        return faults;
    }

    private List<Kind> deck() {
        List<Kind> deck = new ArrayList<>(
                List.of(Kind.KILL, Kind.KILL, Kind.PAUSE, Kind.STOP, Kind.ROLLING_RESTART, Kind.BROKER_LOSS, Kind.ADD));
        Collections.shuffle(deck, random);
        return deck;
    }

    private Fault fault(int after, Kind drawn) {
        Kind kind = drawn == Kind.ADD && instances > INSTANCES_MIN ? Kind.REMOVE : drawn;
        int target = random.nextInt(kind == Kind.BROKER_LOSS ? brokers : instances);
        long lasting = (long) (random.nextDouble() * LASTING_MAX_MILLIS);
        instances += kind == Kind.ADD ? 1 : kind == Kind.REMOVE ? -1 : 0;
        return new Fault(after, kind, target, kind == Kind.PAUSE ? PAUSE_MIN_MILLIS + lasting : lasting);
    }
}
