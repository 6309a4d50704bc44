package io.neardup.streams.store;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.jspecify.annotations.Nullable;

/**
 * Where a coordinator stands ({@link KafkaCoordinatorState}), in memory, with a changelog that gets what a transaction
 * has changed when that is about to be committed. What comes and goes within a transaction never gets there.
 *
 * <p>Most of it are decisions that wait, and most of those are gone after the next transactions. So the changelog has a
 * record for up to 256 of them, {@link StateKeys#group a group}, as it is at the commit; and one for each other entry.
 */
public final class ProgressStore extends LoggedStore {
    /** Groups that change before their records leave without a commit. */
    private static final int CHANGED_MAX = 1_024;

    private final NavigableMap<Bytes, byte[]> entries = new TreeMap<>();
    private final Set<Bytes> changed = new LinkedHashSet<>();
    /** The groups of which the changelog has a record. */
    private final Set<Bytes> logged = new HashSet<>();

    private boolean open;

    public ProgressStore(String name) {
        super(name);
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        clear();
        logTo(context);
        context.register(root, this::restore);
        open = true;
    }

    private void clear() {
        entries.clear();
        changed.clear();
        logged.clear();
    }

    public void restore(byte[] key, byte @Nullable [] value) {
        Bytes group = Bytes.wrap(key);
        of(group).clear();
        if (value == null) {
            logged.remove(group);
            return;
        }
        logged.add(group);
        if (StateKeys.isOfMany(group)) {
            StateCodec.GROUP
                    .decode(value)
                    .forEach((last, entry) -> entries.put(StateKeys.member(group, last), entry.get()));
        } else {
            entries.put(group, value);
        }
    }

    /** The entries of a group; a view. */
    private NavigableMap<Bytes, byte[]> of(Bytes group) {
        return StateKeys.isOfMany(group)
                ? entries.subMap(StateKeys.member(group, 0), true, StateKeys.member(group, 255), true)
                : entries.subMap(group, true, group, true);
    }

    public void writeChanges() {
        changed.forEach(this::write);
        changed.clear();
    }

    private void write(Bytes group) {
        NavigableMap<Bytes, byte[]> members = of(group);
        if (!members.isEmpty()) {
            logged.add(group);
            log(
                    group,
                    StateKeys.isOfMany(group)
                            ? encode(members)
                            : members.firstEntry().getValue());
        } else if (logged.remove(group)) {
            log(group, null);
        }
    }

    private static byte[] encode(Map<Bytes, byte[]> members) {
        SortedMap<Integer, Bytes> byLastByte = new TreeMap<>();
        members.forEach((key, value) -> byLastByte.put(StateKeys.lastByte(key), Bytes.wrap(value)));
        return StateCodec.GROUP.encode(byLastByte);
    }

    byte @Nullable [] get(Bytes key) {
        return entries.get(key);
    }

    public void put(Bytes key, byte[] value) {
        entries.put(key, value);
        noteChange(key);
    }

    void delete(Bytes key) {
        if (entries.remove(key) != null) {
            noteChange(key);
        }
    }

    private void noteChange(Bytes key) {
        changed.add(StateKeys.group(key));
        if (changed.size() >= CHANGED_MAX) {
            writeChanges();
        }
    }

    /** A view of the entries whose keys begin with a byte. */
    NavigableMap<Bytes, byte[]> ofKind(byte kind) {
        return Collections.unmodifiableNavigableMap(
                entries.subMap(Bytes.wrap(new byte[] {kind}), true, Bytes.wrap(new byte[] {(byte) (kind + 1)}), false));
    }

    public NavigableMap<Bytes, byte[]> all() {
        return Collections.unmodifiableNavigableMap(entries);
    }

    @Override
    public void commit(Map<TopicPartition, Long> changelogOffsets) {}

    @Override
    public boolean persistent() {
        return false;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() {
        open = false;
        clear();
    }
}
