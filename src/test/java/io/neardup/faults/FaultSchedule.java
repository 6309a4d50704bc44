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

    /** So that both kills of a pair come within a second, what it takes to end and start a process included. */
    private static final long APART_MAX_MILLIS = 700;

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
        REMOVE,
        /** An instance is killed, and then another: for a moment there may be none. Both are started again. */
        KILL_BOTH,
        /** An instance is killed, started again at once, and killed again while it starts. */
        KILL_TWICE
    }

    /**
     * A fault.
     *
     * @param afterDocuments comes when so many documents were fed
     * @param target the place of the instance among those there are, or the number of the broker
     * @param lastingMillis how long the instance or broker is away; of two kills, the time between them
     */
    record Fault(int afterDocuments, Kind kind, int target, long lastingMillis) {
        /** How many instances it kills. */
        int kills() {
            return switch (kind) {
                case KILL, REMOVE -> 1;
                case KILL_BOTH, KILL_TWICE -> 2;
                case PAUSE, STOP, ROLLING_RESTART, BROKER_LOSS, ADD -> 0;
            };
        }
    }

    /**
     * Draws the faults, spread over a feed.
     *
     * @param documents of the feed
     */
    static List<Fault> draw(long seed, int faults, int documents, int brokers) {
        return new FaultSchedule(seed, brokers).draw(faults, documents);
    }

    /**
     * Draws kills of instances alone, spread over a feed. Half of them come in pairs less than a second apart, which
     * hit both instances or the same one twice, about as many each.
     *
     * @param kills a multiple of 4
     */
    static List<Fault> drawKills(long seed, int kills, int documents) {
        return new FaultSchedule(seed, 0).drawKills(kills, documents);
    }

    private List<Fault> drawKills(int kills, int documents) {
        if (kills < 4 || kills % 4 != 0) {
            throw new IllegalArgumentException(kills + " kills: expected a multiple of 4");
        }
        int pairs = kills / 4;
        List<Kind> kinds = new ArrayList<>(Collections.nCopies(kills / 2, Kind.KILL));
        kinds.addAll(Collections.nCopies(pairs / 2, Kind.KILL_TWICE));
        kinds.addAll(Collections.nCopies(pairs - pairs / 2, Kind.KILL_BOTH));
        Collections.shuffle(kinds, random);
        List<Fault> faults = new ArrayList<>();
        for (Kind kind : kinds) {
            int after = (int) (documents * (faults.size() + random.nextDouble()) / kinds.size());
            double lasting = random.nextDouble() * (kind == Kind.KILL ? LASTING_MAX_MILLIS : APART_MAX_MILLIS);
            faults.add(new Fault(after, kind, random.nextInt(instances), (long) lasting));
        }
        return faults;
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
