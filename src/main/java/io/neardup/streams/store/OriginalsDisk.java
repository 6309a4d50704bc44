package io.neardup.streams.store;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatchWithIndex;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The originals of a coordinator, as keys and values in the order of bytes, of which only what is committed reaches the
 * disk.
 *
 * <p>Changes gather in memory, where whoever reads here finds them. {@link #commit} hands them to RocksDB as one batch,
 * together with the offset of the last changelog record that is among them. RocksDB writes the batches of some time to
 * a file, all of a batch or nothing, in their order, without a log of its own. So whenever the process is killed, or
 * the machine, what is found at the next start is what was committed up to some offset, and the changelog has what came
 * after. How much that is, is bounded by what {@link OriginalsMemory} takes, and by {@link #FLUSH_AFTER}.
 *
 * <p>Is what is found damaged, of another version or another changelog, or so old that the changelog may have lost the
 * markers of removals that came after, then it is deleted, and all comes from the changelog again.
 *
 * <p>Keys begin with a byte below 254; 255 is the key of the offset. Those that begin with 0 are expected to come in
 * their order, with most of the bytes. What stands under them is found under the keys of a {@link KeyIndex}, too, which
 * come and go with it; the changelog has none of these. One thread at a time.
 */
public final class OriginalsDisk implements AutoCloseable {
    /** As long as band tables may be kept: far below the time for which the changelog keeps markers of removals. */
    public static final Duration AGE_MAX = Duration.ofHours(12);

    /** How long what is committed may wait for more to be written to a file with. */
    static final Duration FLUSH_AFTER = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(OriginalsDisk.class);
    private static final byte[] REACHED = {(byte) 255};

    /** Behind all keys, and before that of the offset. */
    private static final byte[] LAST = {(byte) 254, (byte) 255};

    /** Beside its key and its value, what a change takes before it is committed. */
    private static final int CHANGE_BYTES = 64;

    /** Under which other keys something is found. */
    public interface KeyIndex {
        /**
         * Those keys, by what stands under a key that begins with 0; the same as long as that stands there. None
         * begins with 0.
         */
        List<byte[]> keys(byte[] key, byte[] value);
    }

    private static final byte[] NOTHING = {};

    private final OriginalsFolder folder;
    private final String changelog;
    private final LongSupplier nowMillis;
    private final KeyIndex index;
    private final OpenRocks rocks;
    private @Nullable Checkpoint reached;

    /** What is not committed, over what is. */
    private WriteBatchWithIndex changes = new WriteBatchWithIndex(true);

    private long changeBytes;

    /** The lowest key of a change. */
    private byte @Nullable [] firstChange;

    private long flushedMillis;

    private OriginalsDisk(
            OriginalsFolder folder,
            String changelog,
            LongSupplier nowMillis,
            KeyIndex index,
            OpenRocks rocks,
            @Nullable Checkpoint reached) {
        this.folder = folder;
        this.changelog = changelog;
        this.nowMillis = nowMillis;
        this.index = index;
        this.rocks = rocks;
        this.reached = reached;
        this.flushedMillis = nowMillis.getAsLong();
    }

    /**
     * Opens what is there, or nothing where that cannot be used.
     *
     * @param changelog a name that no partition of another changelog has, of this index or another
     * @throws DiskException if the disk does not let it
     */
    public static OriginalsDisk open(
            Path path, String changelog, OriginalsMemory memory, LongSupplier nowMillis, KeyIndex index) {
        OriginalsFolder folder = new OriginalsFolder(path);
        folder.claim();
        try {
            return open(folder, changelog, memory, nowMillis, index);
        } catch (RuntimeException e) {
            folder.release();
            throw e;
        }
    }

    private static OriginalsDisk open(
            OriginalsFolder folder, String changelog, OriginalsMemory memory, LongSupplier nowMillis, KeyIndex index) {
        if (folder.isUnusable()) {
            delete(folder, "it was found to be damaged, or the changelog no longer fits it");
        }
        try {
            return read(folder, changelog, memory, nowMillis, index);
        } catch (UnusableException e) {
            delete(folder, e.getMessage());
        }
        try {
            return read(folder, changelog, memory, nowMillis, index);
        } catch (UnusableException e) {
            throw new DiskException(folder.path() + ": expected nothing", e);
        }
    }

    private static void delete(OriginalsFolder folder, @Nullable String reason) {
        LOG.warn(
                "originals are restored from the whole changelog, as their folder cannot be used folder={} {}",
                folder.path(),
                reason);
        try {
            folder.delete();
        } catch (IOException e) {
            throw new DiskException(folder.path() + ": expected to delete what cannot be used", e);
        }
    }

    private static OriginalsDisk read(
            OriginalsFolder folder, String changelog, OriginalsMemory memory, LongSupplier nowMillis, KeyIndex index)
            throws UnusableException {
        OpenRocks rocks = OpenRocks.open(folder.path(), memory);
        try {
            byte[] found = rocks.get(REACHED);
            Checkpoint reached = found == null ? null : Checkpoint.decode(found);
            if (reached == null && !rocks.isEmpty()) {
                throw new UnusableException("it does not tell up to where it reaches");
            }
            if (reached != null && !reached.changelog().equals(changelog)) {
                throw new UnusableException(
                        "changelog it is of: expected " + changelog + ", found " + reached.changelog());
            }
            if (reached != null && reached.isOlderThan(AGE_MAX, nowMillis.getAsLong())) {
                throw new UnusableException("it was written more than " + AGE_MAX.toHours() + " hours ago");
            }
            return new OriginalsDisk(folder, changelog, nowMillis, index, rocks, reached);
        } catch (RocksDBException | IOException e) {
            rocks.close();
            throw e instanceof UnusableException unusable ? unusable : new UnusableException(String.valueOf(e));
        }
    }

    /** The offset of the last changelog record that was committed or restored here. */
    public OptionalLong offset() {
        return reached == null ? OptionalLong.empty() : OptionalLong.of(reached.offset());
    }

    /** Bytes of what is not committed. */
    public long changeBytes() {
        return changeBytes;
    }

    public boolean hasChanges() {
        return changeBytes > 0;
    }

    /** What stands under a key, committed or not. */
    public byte @Nullable [] get(byte[] key) {
        try {
            return mayBeChanged(key) ? rocks.get(changes, key) : rocks.get(key);
        } catch (RocksDBException e) {
            throw failed("read", e);
        }
    }

    /** Most are read long after they have come, and changes are of those that have just come. */
    private boolean mayBeChanged(byte[] key) {
        return firstChange != null && Arrays.compareUnsigned(key, firstChange) >= 0;
    }

    /**
     * What stands under a range of keys, committed or not. There must be no change before it is closed.
     *
     * @param from the first key; whether it begins with 0, holds for the last one too
     * @param to the last key
     */
    public Entries range(byte[] from, byte[] to) {
        return Entries.forwards(rocks.iterator(changes, from), from, to, e -> failed("read", e));
    }

    /** As {@link #range}, from the last key on. */
    public Entries reverseRange(byte[] from, byte[] to) {
        return Entries.backwards(rocks.iterator(changes, from), from, to, e -> failed("read", e));
    }

    /** As {@link #range}, over all, in two parts. */
    public List<Entries> all() {
        return List.of(range(new byte[] {0}, LAST), range(new byte[] {1}, LAST));
    }

    /** Changes what stands under a key; where that is in the index, nothing stood there or the same. */
    public void put(byte[] key, byte[] value) {
        add(key, value);
        if (isIndexed(key)) {
            index.keys(key, value).forEach(other -> add(other, NOTHING));
        }
    }

    public void remove(byte[] key) {
        byte[] value = isIndexed(key) ? get(key) : null;
        if (value != null) {
            index.keys(key, value).forEach(other -> add(other, null));
        }
        add(key, null);
    }

    private static boolean isIndexed(byte[] key) {
        return key.length > 0 && key[0] == 0;
    }

    private void add(byte[] key, byte @Nullable [] value) {
        changeBytes += CHANGE_BYTES + key.length + (value == null ? 0 : value.length);
        if (firstChange == null || Arrays.compareUnsigned(key, firstChange) < 0) {
            firstChange = key;
        }
        run("change", () -> rocks.add(changes, key, value));
    }

    /**
     * What was changed is committed, or was read from the changelog.
     *
     * @param offset of the last changelog record that is among it
     */
    public void commit(long offset) {
        long now = nowMillis.getAsLong();
        Checkpoint next = new Checkpoint(changelog, offset, now);
        run("write", () -> {
            rocks.add(changes, REACHED, next.encode());
            rocks.write(changes);
        });
        reached = next;
        forget();
        if (Math.abs(now - flushedMillis) > FLUSH_AFTER.toMillis()) {
            flush(false);
        }
    }

    /** Empties what gathers. What was large is given back. */
    private void forget() {
        changes.close();
        changes = new WriteBatchWithIndex(true);
        changeBytes = 0;
        firstChange = null;
    }

    /** At the next start nothing of this is to be used. */
    public void markUnusable() {
        folder.markUnusable();
    }

    /** Has all that is committed written to files. */
    void flush(boolean wait) {
        run("write", () -> {
            try (FlushOptions options = new FlushOptions().setWaitForFlush(wait).setAllowWriteStall(true)) {
                rocks.flush(options);
            }
        });
        flushedMillis = nowMillis.getAsLong();
    }

    /** Writes what is committed to files, and drops what is not. */
    @Override
    public void close() {
        try {
            flush(true);
        } catch (DiskException e) {
            LOG.warn(
                    "a restart takes longer, as originals could not be written; check the disk folder={} cause={}",
                    folder.path(),
                    e.toString());
        } finally {
            changes.close();
            rocks.close();
            folder.touch(nowMillis.getAsLong());
            folder.release();
        }
    }

    // ---- what RocksDB says

    private interface Action {
        void run() throws RocksDBException;
    }

    private void run(String what, Action action) {
        try {
            action.run();
        } catch (RocksDBException e) {
            throw failed(what, e);
        }
    }

    private DiskException failed(String what, RocksDBException e) {
        boolean damage = OpenRocks.isDamage(e);
        if (damage) {
            markUnusable();
        }
        return new DiskException("originals: could not " + what + " in " + folder.path(), e, damage);
    }
}
