package io.neardup.service.lifecycle;

import io.neardup.service.cluster.GroupStatus;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** Which instances a group has, by what its members are called, and which have gone of late. */
final class Instances {
    /** For so long one that has gone is missed. */
    private static final long MISSED_NANOS = TimeUnit.MINUTES.toNanos(10);
    /** One that starts again is back by then. */
    private static final long RETURN_NANOS = TimeUnit.SECONDS.toNanos(30);
    /**
     * A stop takes 30 s, a session 6 s, and the others settle. No longer, as one that starts again keeps its name:
     * where nobody saw that it was away, it would not be missed when it dies.
     */
    private static final long LEAVING_NANOS = TimeUnit.MINUTES.toNanos(1);

    private Set<String> now = Set.of();
    private Set<String> gone = Set.of();
    /** Names of those that said that they leave, and when; each stands for one that goes. */
    private final Map<String, Long> leaving = new HashMap<>();

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
     * @param found names and hosts, as {@link GroupStatus#called}
     */
    Optional<Change> see(Set<String> found, long nowNanos) {
        if (found.equals(now)) {
            return Optional.empty();
        }
        Change change = new Change(without(found, now), without(now, found), found.size());
        Set<String> lost = new TreeSet<>(change.gone);
        lost.removeIf(instance -> isLeaving(instance, nowNanos));
        int left = change.gone.size() - lost.size();
        if (lost.isEmpty()) {
            before -= left;
        } else {
            int missing = missing(nowNanos);
            lost.addAll(missing > 0 ? gone : Set.of());
            gone = lost;
            before = now.size() - left + missing;
            goneNanos = nowNanos;
        }
        gone = without(gone, found);
        now = Set.copyOf(found);
        return Optional.of(change);
    }

    private boolean isLeaving(String instance, long nowNanos) {
        Long since = leaving.remove(GroupStatus.nameOf(instance));
        return since != null && nowNanos - since <= LEAVING_NANOS;
    }

    /** One says that it leaves, so that it is not missed; maybe after it has gone. */
    void leave(String name, long nowNanos) {
        Optional<String> missed = gone.stream()
                .filter(instance -> GroupStatus.nameOf(instance).equals(name))
                .findFirst();
        if (missed.isPresent()) {
            gone = without(gone, Set.of(missed.get()));
            before--;
        } else {
            leaving.values().removeIf(since -> nowNanos - since > LEAVING_NANOS);
            leaving.put(name, nowNanos);
        }
    }

    /** In their order. */
    static Set<String> without(Set<String> all, Set<String> others) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(others);
        return rest;
    }

    /** How many fewer there are than a while ago; 0 where others have come. */
    int missing(long nowNanos) {
        boolean isMissed = !gone.isEmpty() && nowNanos - goneNanos <= MISSED_NANOS;
        return isMissed ? Math.max(0, before - now.size()) : 0;
    }

    /** Whether it is likely that they do not come back by themselves. */
    boolean stayAway(long nowNanos) {
        return missing(nowNanos) > 0 && nowNanos - goneNanos >= RETURN_NANOS;
    }

    /** That there are fewer; empty where none is {@link #missing}. */
    Optional<String> fewer(long nowNanos) {
        if (missing(nowNanos) == 0) {
            return Optional.empty();
        }
        return Optional.of("gone for " + TimeUnit.NANOSECONDS.toSeconds(nowNanos - goneNanos) + " s: "
                + String.join(", ", gone) + "; instances that are left: " + now.size()
                + "; if nobody stopped it, look at its host and at the end of its log, and start it again");
    }
}
