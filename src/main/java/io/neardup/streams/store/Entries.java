package io.neardup.streams.store;

import java.util.Arrays;
import java.util.function.Function;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Keys and values of a range, one after the other. To be closed, and before what it reads is changed. */
public final class Entries implements AutoCloseable {
    private final RocksIterator iterator;
    private final byte[] from;
    private final byte[] to;
    private final boolean isBackwards;
    private final Function<RocksDBException, RuntimeException> failed;

    private Entries(
            RocksIterator iterator,
            byte[] from,
            byte[] to,
            boolean isBackwards,
            Function<RocksDBException, RuntimeException> failed) {
        this.failed = failed;
        this.iterator = iterator;
        this.from = from;
        this.to = to;
        this.isBackwards = isBackwards;
    }

    /** Both ends are in the range. */
    static Entries forwards(
            RocksIterator iterator, byte[] from, byte[] to, Function<RocksDBException, RuntimeException> failed) {
        iterator.seek(from);
        return new Entries(iterator, from, to, false, failed);
    }

    static Entries backwards(
            RocksIterator iterator, byte[] from, byte[] to, Function<RocksDBException, RuntimeException> failed) {
        iterator.seekForPrev(to);
        return new Entries(iterator, from, to, true, failed);
    }

    /** Whether there is one to look at. */
    public boolean isValid() {
        return isAtOne()
                && (isBackwards
                        ? Arrays.compareUnsigned(iterator.key(), from) >= 0
                        : Arrays.compareUnsigned(iterator.key(), to) <= 0);
    }

    /** Where RocksDB cannot read on, it seems to be at the end. */
    private boolean isAtOne() {
        if (iterator.isValid()) {
            return true;
        }
        try {
            iterator.status();
        } catch (RocksDBException e) {
            throw failed.apply(e);
        }
        return false;
    }

    /** The key of the one that it is at. */
    public byte[] key() {
        return iterator.key();
    }

    public byte[] value() {
        return iterator.value();
    }

    public void advance() {
        if (isBackwards) {
            iterator.prev();
        } else {
            iterator.next();
        }
    }

    @Override
    public void close() {
        iterator.close();
    }
}
