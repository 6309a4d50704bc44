package io.neardup.service.lifecycle;

/**
 * What is left to restore from changelogs.
 *
 * @param partitions of changelogs that are not done
 * @param recordsLeft in these, about: markers of transactions count too
 * @param recordsPerSecond since this restoring began; 0 where that is not known yet
 */
public record RestoreStatus(int partitions, long recordsLeft, long recordsPerSecond) {
    static final RestoreStatus NOTHING = new RestoreStatus(0, 0, 0);

    /** How long it will take at the present rate, in seconds; -1 where there is no rate yet. */
    public long secondsLeft() {
        if (recordsLeft == 0) {
            return 0;
        }
        return recordsPerSecond == 0 ? -1 : Math.max(1, recordsLeft / recordsPerSecond);
    }
}
