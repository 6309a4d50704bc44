package io.neardup.streams.store;

import io.neardup.engine.lsh.ArrayInput;
import io.neardup.engine.lsh.ArrayOutput;
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
 * All segments of a band table. Each has a place here, used again when it is gone, so that a tag of 31 bits holds a
 * document's segment and its slot in there.
 */
final class ChangelogSegments {
    private static final int SLOT_BITS = 6;
    private static final int PLACES_MAX = 1 << (Integer.SIZE - 1 - SLOT_BITS);

    /** Stands for the place of a segment that has none any more. */
    private static final int GONE = -1;

    /** A segment and the reference to it. */
    private static final int SEGMENT_BYTES = 60;

    private final List<@Nullable ChangelogSegment> segments = new ArrayList<>();
    private final Deque<Integer> freePlaces = new ArrayDeque<>();
    private long nextId;

    /** A new segment, its id above all that were seen. */
    ChangelogSegment add() {
        return add(nextId);
    }

    /** A segment that the changelog has. */
    ChangelogSegment add(long id) {
        markSeen(id);
        Integer free = freePlaces.poll();
        ChangelogSegment segment = new ChangelogSegment(id, free == null ? segments.size() : free);
        if (free != null) {
            segments.set(free, segment);
        } else if (segments.size() < PLACES_MAX) {
            segments.add(segment);
        } else {
            throw new IllegalStateException(
                    "the buckets hold at most " + PLACES_MAX + " segments of documents: use more index partitions");
        }
        return segment;
    }

    /** Ids are not used again, not even of segments that are gone. */
    void markSeen(long id) {
        nextId = Math.max(nextId, id + 1);
    }

    /** Forgets a segment of which no document is in the table any more. */
    void free(ChangelogSegment segment) {
        segments.set(segment.place(), null);
        freePlaces.add(segment.place());
    }

    int tag(ChangelogSegment segment, int slot) {
        return segment.place() << SLOT_BITS | slot;
    }

    ChangelogSegment segment(int tag) {
        return Objects.requireNonNull(segments.get(tag >>> SLOT_BITS), "no segment has this place");
    }

    /**
     * The smaller, the longer the document has been in the table; of a merged segment all are about as old as its
     * first.
     */
    long age(int tag) {
        return segment(tag).age() << SLOT_BITS | slot(tag);
    }

    static int slot(int tag) {
        return tag & (ChangelogSegment.DOCUMENTS_MAX - 1);
    }

    boolean isDead(int tag) {
        return segment(tag).isDead(slot(tag));
    }

    Stream<ChangelogSegment> all() {
        return segments.stream().filter(Objects::nonNull).map(Objects::requireNonNull);
    }

    /** Whether there has never been any. */
    boolean areNew() {
        return nextId == 0;
    }

    void writeTo(ArrayOutput to) throws IOException {
        to.writeLong(nextId);
        to.writeInts(freePlaces.stream().mapToInt(Integer::intValue).toArray());
        to.writeInt(segments.size());
        for (ChangelogSegment segment : segments) {
            if (segment != null) {
                segment.writeTo(to);
            }
        }
    }

    static ChangelogSegments readFrom(ArrayInput from) throws IOException {
        ChangelogSegments read = new ChangelogSegments();
        read.nextId = from.readLong();
        for (int place : from.readInts()) {
            read.freePlaces.add(place);
        }
        read.segments.addAll(Collections.nCopies(from.readInt(), null));
        for (int used = read.segments.size() - read.freePlaces.size(); used > 0; used--) {
            ChangelogSegment segment = ChangelogSegment.readFrom(from);
            read.segments.set(segment.place(), segment);
        }
        return read;
    }

    /** Writes where the segment is; one that is gone from here is written whole. */
    void writeReference(ChangelogSegment segment, ArrayOutput to) throws IOException {
        if (segments.get(segment.place()) == segment) {
            to.writeInt(segment.place());
        } else {
            to.writeInt(GONE);
            segment.writeTo(to);
        }
    }

    ChangelogSegment readReference(ArrayInput from) throws IOException {
        int place = from.readInt();
        return place == GONE ? ChangelogSegment.readFrom(from) : Objects.requireNonNull(segments.get(place));
    }

    /** Heap taken, in bytes, other than by the records of recent segments. */
    long bytes() {
        return segments.size() * (long) SEGMENT_BYTES;
    }
}
