package io.neardup.app;

/**
 * What an instance is at, at one moment.
 *
 * @param tasks that it has
 * @param restore what is left to restore of them
 * @param seeding how far the seeds are read
 * @param brokersAnswer false where no consumer has a connection to a broker
 */
public record ServiceStatus(
        Phase phase, int tasks, RestoreStatus restore, SeedingStatus seeding, boolean brokersAnswer) {
    /** Before there is a service: it looks at topics, rights and settings. */
    public static final ServiceStatus STARTING =
            new ServiceStatus(Phase.STARTING, 0, RestoreStatus.NOTHING, SeedingStatus.DONE, true);

    /** What the service does. */
    public enum Phase {
        STARTING,
        /** The instances of the group are sharing out their tasks. */
        REBALANCING,
        RESTORING,
        /** Every task runs, but the input waits until the seeds are read. */
        SEEDING,
        /** Every task runs, if it has any. */
        RUNNING,
        STOPPING,
        FAILED
    }

    /** Whether documents of all its tasks are being decided. */
    public boolean isReady() {
        return phase == Phase.RUNNING && brokersAnswer;
    }

    /** Whether it has not failed. */
    public boolean isLive() {
        return phase != Phase.FAILED;
    }
}
