package io.neardup.faults;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Which fault comes when. The same arguments give the same schedule.
 *
 * <p>There are two instances at first, and two or three at any time.
 */
final class FaultSchedule {
    static final int INSTANCES_MIN = 2;

    /** Of the feed of a cutover. */
    static final int CUTOVER_DOCUMENTS_PER_SECOND = 100;

    private static final long SESSION_MILLIS = 6_000;
    private static final long LONGER_MIN_MILLIS = SESSION_MILLIS + 1_000;
    private static final long LASTING_MAX_MILLIS = 5_000;

    /** So that both kills of a pair come within a second, what it takes to end and start a process included. */
    private static final long APART_MAX_MILLIS = 700;

    private static final long CUTOVER_LASTING_MAX_MILLIS = 1_500;
    private static final int CUTOVER_AFTER = 200;

    private final Random random;
    private final List<Fault> faults = new ArrayList<>();

    private FaultSchedule(long seed) {
        // Seeds side by side would draw much the same at first, if they were not spread.
        random = new Random((2 * seed + 1) * 0x9E3779B97F4A7C15L);
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
        KILL_TWICE,
        /** Nothing passes between an instance and the brokers for a while, and then what was on its way does. */
        CUT_OFF,
        /** The input grows, if it is to, and the first instance of a successor starts. */
        FOLLOW,
        /** The index is asked to hand its input over to the successor. */
        CUT_OVER,
        /** The index has handed its input over, and its instance has ended by itself. */
        HANDED_OVER
    }

    /**
     * A fault.
     *
     * @param afterDocuments comes when so many documents were fed
     * @param target the place of the instance among those there are, or the number of the broker
     * @param lastingMillis how long the instance or broker is away; of two kills, the time between them
     */
    record Fault(int afterDocuments, Kind kind, int target, long lastingMillis) {
        boolean isLongerThanASession() {
            return lastingMillis > SESSION_MILLIS;
        }
    }

    /**
     * Draws the faults, spread over a feed. The first three are a clean stop, two kills close to each other and the
     * loss of a broker. Every seven in a row, from the first on, are these and one of each other kind that is not of
     * cutovers or links; of one instance more and one less it is the one that their number allows.
     *
     * @param documents of the feed
     */
    static List<Fault> draw(long seed, int faults, int documents, int brokers) {
        FaultSchedule schedule = new FaultSchedule(seed);
        List<Kind> kinds = new ArrayList<>();
        while (kinds.size() < faults) {
            Kind twice = schedule.random.nextBoolean() ? Kind.KILL_BOTH : Kind.KILL_TWICE;
            kinds.addAll(schedule.shuffled(List.of(Kind.STOP, twice, Kind.BROKER_LOSS)));
            kinds.addAll(schedule.shuffled(List.of(Kind.KILL, Kind.PAUSE, Kind.ROLLING_RESTART, Kind.ADD)));
        }
        return schedule.spread(kinds.subList(0, faults), INSTANCES_MIN, brokers, documents);
    }

    /**
     * Draws kills of instances alone, spread over a feed. Half of them come in pairs less than a second apart, which
     * hit two instances or the same one twice, about as many each.
     *
     * @param kills a multiple of 4
     * @param instances that there are all the while
     */
    static List<Fault> drawKills(long seed, int kills, int instances, int documents) {
        if (kills < 4 || kills % 4 != 0) {
            throw new IllegalArgumentException(kills + " kills: expected a multiple of 4");
        }
        int pairs = kills / 4;
        List<Kind> kinds = new ArrayList<>(Collections.nCopies(kills / 2, Kind.KILL));
        kinds.addAll(Collections.nCopies(pairs / 2, Kind.KILL_TWICE));
        kinds.addAll(Collections.nCopies(pairs - pairs / 2, Kind.KILL_BOTH));
        FaultSchedule schedule = new FaultSchedule(seed);
        return schedule.spread(schedule.shuffled(kinds), instances, 0, documents);
    }

    /** Draws instances that are cut off, spread over a feed: every other one for longer than its session. */
    static List<Fault> drawCutOffs(long seed, int count, int documents) {
        return new FaultSchedule(seed).spread(Collections.nCopies(count, Kind.CUT_OFF), INSTANCES_MIN, 0, documents);
    }

    private List<Kind> shuffled(List<Kind> kinds) {
        List<Kind> shuffled = new ArrayList<>(kinds);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }

    /** Each at random in a part of the feed of its own. */
    private List<Fault> spread(List<Kind> kinds, int instancesAtFirst, int brokers, int documents) {
        int instances = instancesAtFirst;
        for (Kind drawn : kinds) {
            Kind kind = drawn == Kind.ADD && instances > INSTANCES_MIN ? Kind.REMOVE : drawn;
            int after = (int) (documents * (faults.size() + random.nextDouble()) / kinds.size());
            boolean isTwice = kind == Kind.KILL_BOTH || kind == Kind.KILL_TWICE;
            boolean isLonger = kind == Kind.PAUSE || (kind == Kind.CUT_OFF && faults.size() % 2 == 0);
            long lasting = (long) (random.nextDouble() * (isTwice ? APART_MAX_MILLIS : LASTING_MAX_MILLIS))
                    + (isLonger ? LONGER_MIN_MILLIS : 0);
            faults.add(new Fault(after, kind, random.nextInt(kind == Kind.BROKER_LOSS ? brokers : instances), lasting));
            instances += kind == Kind.ADD ? 1 : kind == Kind.REMOVE ? -1 : 0;
        }
        return faults;
    }

    /** Draws a cutover. The instance of the index, 0, and that of its successor, 1, are killed all the while. */
    static List<Fault> drawCutover(long seed) {
        FaultSchedule schedule = new FaultSchedule(seed);
        schedule.addToCutover(Kind.FOLLOW, 0, 0);
        for (int kills = 1 + schedule.random.nextInt(2); kills > 0; kills--) {
            schedule.addToCutover(Kind.KILL, schedule.random.nextInt(3) == 0 ? 0 : 1, 300);
        }
        schedule.addToCutover(Kind.CUT_OVER, 0, 0);
        // Each of the two, and then any. Coordinators hear of it within a second or two, and are empty soon.
        int kills = 2 + schedule.random.nextInt(2);
        for (int i = 0; i < kills; i++) {
            schedule.addToCutover(Kind.KILL, i < 2 ? i : schedule.random.nextInt(2), 150);
        }
        schedule.addToCutover(Kind.HANDED_OVER, 0, 0);
        for (int after = 1 + schedule.random.nextInt(2); after > 0; after--) {
            schedule.addToCutover(Kind.KILL, 1, 300);
        }
        return schedule.faults;
    }

    /** @param pauseMax documents at the most between the end of the fault before and this one */
    private void addToCutover(Kind kind, int target, int pauseMax) {
        int from = CUTOVER_AFTER;
        if (!faults.isEmpty()) {
            Fault before = faults.get(faults.size() - 1);
            from = before.afterDocuments() + (int) (before.lastingMillis() * CUTOVER_DOCUMENTS_PER_SECOND / 1_000);
        }
        long lasting = kind == Kind.KILL ? random.nextLong(CUTOVER_LASTING_MAX_MILLIS) : 0;
        faults.add(new Fault(from + random.nextInt(pauseMax + 1), kind, target, lasting));
    }
}
