package io.neardup.service.cluster;

import java.util.List;

/**
 * All instances of an application.id, as the cluster knows them.
 *
 * @param state of the group, as Kafka calls it
 * @param members stream threads of all instances
 * @param lag of each input partition, by topic and partition
 * @param askedNanos when, on the clock of {@link System#nanoTime}
 */
public record GroupStatus(String state, int members, List<InputLag> lag, long askedNanos) {
    public GroupStatus {
        lag = List.copyOf(lag);
    }

    /** Of all partitions. */
    public long totalLag() {
        return lag.stream().mapToLong(InputLag::records).sum();
    }

    /** How long ago that was. */
    public long secondsAgo() {
        return (System.nanoTime() - askedNanos) / 1_000_000_000;
    }
}
