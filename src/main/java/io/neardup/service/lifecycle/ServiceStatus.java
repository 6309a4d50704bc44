package io.neardup.service.lifecycle;

import io.neardup.service.migration.SeedWatch.SeedingStatus;
import io.neardup.streams.store.Cutover;

/**
 * What an instance is at, at one moment.
 *
 * @param tasks that it has
 * @param restoring what is left to restore of them
 * @param seeding how far the seeds are read
 * @param handingOver how far it is with handing its input over
 * @param brokersAnswer false where no consumer has a connection to a broker
 */
public record ServiceStatus(
        Phase phase,
        int tasks,
        Restoring restoring,
        SeedingStatus seeding,
        Cutover handingOver,
        boolean brokersAnswer) {
    /** Before there is a service: it looks at topics, rights and settings. */
    public static final ServiceStatus STARTING =
            new ServiceStatus(Phase.STARTING, 0, Restoring.NOTHING, SeedingStatus.DONE, Cutover.NONE, true);

    /**
     * What is left to restore from changelogs.
     *
     * @param partitions of changelogs that are not done
     * @param recordsLeft in these, about: markers of transactions count too
     */
    public record Restoring(int partitions, long recordsLeft) {
        static final Restoring NOTHING = new Restoring(0, 0);
    }

    public enum Phase {
        STARTING,
        /** The instances of the group are sharing out their tasks. */
        REBALANCING,
        RESTORING,
        /** Every task runs, but the input waits until the seeds are read. */
        SEEDING,
        /** Every task runs, but the input waits until the index that has it hands it over. */
        FOLLOWING,
        /** Every task runs, if it has any. */
        RUNNING,
        /** Every task runs, and lets leave what it has taken: a successor takes the rest of the input. */
        HANDING_OVER,
        STOPPING,
        FAILED
    }

    /** Whether documents of all its tasks are being decided. */
    public boolean isReady() {
        return phase == Phase.RUNNING && brokersAnswer;
    }

    public boolean isLive() {
        return phase != Phase.FAILED;
    }
}
