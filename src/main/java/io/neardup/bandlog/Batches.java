package io.neardup.bandlog;

import io.neardup.lsh.ArrayInput;
import io.neardup.lsh.ArrayOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All batches of a band table. Each has a place here, used again when it is gone, so that a tag of 31 bits tells a
 * document's batch and its slot in there.
 */
final class Batches {
    private static final int SLOT_BITS = 6;
    private static final int PLACES_MAX = 1 << (Integer.SIZE - 1 - SLOT_BITS);

    /** Stands for the place of a batch that has none any more. */
    private static final int GONE = -1;

    /** A batch and the reference to it. */
    private static final int BATCH_BYTES = 60;

    private final List<@Nullable Batch> batches = new ArrayList<>();
    private final Deque<Integer> freePlaces = new ArrayDeque<>();
    private long nextId;

    /** A new batch, its id above all that were seen. */
    Batch add() {
        return add(nextId);
    }

    /** A batch that the changelog has. */
    Batch add(long id) {
        seen(id);
        Integer free = freePlaces.poll();
        Batch batch = new Batch(id, free == null ? batches.size() : free);
        if (free != null) {
            batches.set(free, batch);
        } else if (batches.size() < PLACES_MAX) {
            batches.add(batch);
        } else {
            throw new IllegalStateException(
                    "the buckets hold at most " + PLACES_MAX + " batches of documents: use more band partitions");
        }
        return batch;
    }

    /** Ids are not used again, not even of batches that are gone. */
    void seen(long id) {
        nextId = Math.max(nextId, id + 1);
    }

    /** Forgets a batch of which no document is in the table any more. */
    void free(Batch batch) {
        batches.set(batch.place(), null);
        freePlaces.add(batch.place());
    }

    int tag(Batch batch, int slot) {
        return batch.place() << SLOT_BITS | slot;
    }

    Batch batch(int tag) {
        return Objects.requireNonNull(batches.get(tag >>> SLOT_BITS), "no batch has this place");
    }

    /** The smaller, the longer the document has been in the table; of a merged batch all are about as old as its first. */
    long age(int tag) {
        return batch(tag).age() << SLOT_BITS | slot(tag);
    }

    static int slot(int tag) {
        return tag & (Batch.DOCUMENTS_MAX - 1);
    }

    boolean isDead(int tag) {
        return batch(tag).isDead(slot(tag));
    }

    Stream<Batch> all() {
        return batches.stream().filter(Objects::nonNull).map(Objects::requireNonNull);
    }

    /** Whether there has never been any. */
    boolean areNew() {
        return nextId == 0;
    }

    void writeTo(ArrayOutput to) throws IOException {
        to.writeLong(nextId);
        to.writeInts(freePlaces.stream().mapToInt(Integer::intValue).toArray());
        to.writeInt(batches.size());
        for (Batch batch : batches) {
            if (batch != null) {
                batch.writeTo(to);
            }
        }
    }

    static Batches readFrom(ArrayInput from) throws IOException {
        Batches read = new Batches();
        read.nextId = from.readLong();
        for (int place : from.readInts()) {
            read.freePlaces.add(place);
        }
        read.batches.addAll(Collections.nCopies(from.readInt(), null));
        for (int used = read.batches.size() - read.freePlaces.size(); used > 0; used--) {
            Batch batch = Batch.readFrom(from);
            read.batches.set(batch.place(), batch);
        }
        return read;
    }

    /** Writes where the batch is; one that is gone from here is written whole. */
    void writeReference(Batch batch, ArrayOutput to) throws IOException {
        if (batches.get(batch.place()) == batch) {
            to.writeInt(batch.place());
        } else {
            to.writeInt(GONE);
            batch.writeTo(to);
        }
    }

    Batch readReference(ArrayInput from) throws IOException {
        int place = from.readInt();
        return place == GONE ? Batch.readFrom(from) : Objects.requireNonNull(batches.get(place));
    }

    /** Heap taken, in bytes, other than by the records of recent batches. */
    long bytes() {
        return batches.size() * (long) BATCH_BYTES;
    }
}
