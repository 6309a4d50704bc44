package io.neardup.service.cluster;

import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Whether the members of a group have changed of late, so that one who left may have left something behind. */
final class GroupUnrest {
    /** For longer than it takes to end what was left, at the first try or a later one. */
    static final long LASTING_NANOS = TimeUnit.SECONDS.toNanos(30);

    private Set<String> members = Set.of();
    private long changedNanos;

    /**
     * Takes note of what the group is like now. The first members that are seen are a change, too: others may have left
     * before.
     *
     * @param now the ids of the members; a process that starts again has others
     * @param stable whether none is joining or leaving
     * @param nowNanos by one clock in all calls
     */
    boolean isUnsettled(Set<String> now, boolean stable, long nowNanos) {
        if (!stable || !now.equals(members)) {
            changedNanos = nowNanos;
        }
        members = Set.copyOf(now);
        return !now.isEmpty() && nowNanos - changedNanos < LASTING_NANOS;
    }

    /** What happened meanwhile could not be seen, or dealt with: the next members that are seen are a change. */
    void forget() {
        members = Set.of();
    }
}
