package io.neardup.protocol;

import io.neardup.protocol.HomeState.Entry;
import io.neardup.protocol.HomeState.Expiry;
import io.neardup.protocol.HomeState.SetAside;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The originals of a home, as long as they are remembered.
 *
 * <p>They expire in the order in which they came, a slice at a time; one that comes late, as it was pending for long, is looked at
 * next. One that outlives its own timestamp, as it was repeated, is
 * set aside when its turn comes, and expires in the order of the repeats. When it was last repeated is noted to a hundredth
 * of the retention, so that copies without end cost next to nothing.
 */
final class Originals {
    private static final int NOTES_A_RETENTION = 100;

    private final HomeState state;
    private final Retention retention;
    private final EventClock clock;
    private Expiry expiry;

    Originals(HomeState state, Retention retention) {
        this.state = state;
        this.retention = retention;
        this.expiry = state.expiry();
        this.clock = new EventClock(expiry.eventMillis());
    }

    /** Event time. */
    EventClock clock() {
        return clock;
    }

    void add(Ref ref, Original original) {
        state.addOriginal(ref, original);
        if (ref.sequence() < expiry.nextSequence()) {
            note(new Expiry(ref.sequence(), expiry.eventMillis()));
        }
    }

    void remove(Ref ref, Original original) {
        state.removeOriginal(ref, original);
    }

    /** An original that has not expired. */
    Optional<Original> find(Ref ref) {
        Optional<Original> original = state.original(ref);
        if (original.filter(known -> isExpired(ref, known)).isPresent()) {
            // Who is told so relies on it: the clock must not go back over a crash.
            note(new Expiry(expiry.nextSequence(), clock.millis()));
            return Optional.empty();
        }
        return original;
    }

    /** The originals of a record key that came before a record, expired or not. */
    List<Entry> ofKeyBefore(RecordKey key, long sequence) {
        return before(state.originalsOf(key), sequence);
    }

    /** The originals with an id that came before a record, expired or not. */
    List<Entry> ofIdBefore(String id, long sequence) {
        return before(state.originalsNamed(id), sequence);
    }

    boolean hasOfIdAfter(String id, long sequence) {
        return state.originalsNamed(id).stream().anyMatch(ref -> ref.sequence() > sequence);
    }

    private List<Entry> before(List<Ref> refs, long sequence) {
        return refs.stream()
                .filter(ref -> ref.sequence() < sequence)
                .flatMap(ref -> state.original(ref).map(known -> new Entry(ref, known)).stream())
                .toList();
    }

    /** Notes that an original is repeated now. */
    void repeat(Ref ref, Original original) {
        if (!retention.refresh() || retention.isForever()) {
            return;
        }
        long known = Math.max(original.origin().timestampMillis(), state.lastRepeated(ref));
        if (clock.millis() - known > retention.millis() / NOTES_A_RETENTION) {
            state.repeat(ref, clock.millis());
        }
    }

    boolean isExpired(Ref ref, Original original) {
        long expiredMax = retention.expiredMax(clock.millis());
        return original.origin().timestampMillis() <= expiredMax && repeatOf(ref) <= expiredMax;
    }

    private long repeatOf(Ref ref) {
        return retention.refresh() ? state.lastRepeated(ref) : Long.MIN_VALUE;
    }

    /**
     * Looks at the next slice of those whose time may have come.
     *
     * @param forget gets those whose time has come
     * @return whether there may be more
     */
    boolean expire(Consumer<Entry> forget) {
        if (retention.isForever()) {
            return false;
        }
        long expiredMax = retention.expiredMax(clock.millis());
        List<Entry> inOrder = state.originalsFrom(expiry.nextSequence(), expiredMax, retention.expireMax());
        long next = expiry.nextSequence();
        for (Entry entry : inOrder) {
            forgetOrSetAside(entry, expiredMax, forget);
            next = entry.ref().sequence() + 1;
        }
        List<SetAside> setAside = state.setAside(expiredMax, retention.expireMax());
        for (SetAside entry : setAside) {
            state.forget(entry);
            state.original(entry.ref())
                    .ifPresent(known -> forgetOrSetAside(new Entry(entry.ref(), known), expiredMax, forget));
        }
        note(new Expiry(next, clock.millis()));
        return inOrder.size() == retention.expireMax() || setAside.size() == retention.expireMax();
    }

    private void forgetOrSetAside(Entry entry, long expiredMax, Consumer<Entry> forget) {
        long repeated = repeatOf(entry.ref());
        if (repeated > expiredMax) {
            state.setAside(new SetAside(entry.ref(), repeated));
        } else {
            forget.accept(entry);
        }
    }

    private void note(Expiry now) {
        if (!now.equals(expiry)) {
            expiry = now;
            state.expired(now);
        }
    }
}
