package io.neardup.app;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** Which instances a group has, by what its members are called, and which have gone of late. */
final class Instances {
    /** For so long one that has gone is told of. */
    private static final long TOLD_NANOS = TimeUnit.MINUTES.toNanos(10);

    private Set<String> now = Set.of();
    private Set<String> gone = Set.of();
    private int before;
    private long goneNanos;

    /**
     * What has changed.
     *
     * @param came since the last change
     * @param gone since then
     * @param left how many there are now
     */
    record Change(Set<String> came, Set<String> gone, int left) {}

    /**
     * Takes note of those that a settled group has; empty where they are those of the last time.
     *
     * @param found names and hosts
     */
    Optional<Change> see(Set<String> found, long nowNanos) {
        if (found.equals(now)) {
            return Optional.empty();
        }
        Change change = new Change(without(found, now), without(now, found), found.size());
        if (!change.gone.isEmpty()) {
            gone = change.gone;
            before = now.size();
            goneNanos = nowNanos;
        }
        now = Set.copyOf(found);
        return Optional.of(change);
    }

    private static Set<String> without(Set<String> all, Set<String> others) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(others);
        return rest;
    }

    /** That there are fewer than there were a while ago; empty where others have come. */
    Optional<String> fewer(long nowNanos) {
        if (gone.isEmpty() || now.size() >= before || nowNanos - goneNanos > TOLD_NANOS) {
            return Optional.empty();
        }
        return Optional.of("gone since " + TimeUnit.NANOSECONDS.toSeconds(nowNanos - goneNanos) + " s: "
                + String.join(", ", gone) + "; instances that are left: " + now.size()
                + "; if nobody stopped it, look at its host and at the end of its log, and start it again");
    }
}
