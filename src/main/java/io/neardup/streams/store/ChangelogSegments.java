package io.neardup.streams.store;

import io.neardup.engine.lsh.ArrayInput;
import io.neardup.engine.lsh.ArrayOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All segments of a band table. Each has a place here, used again when it is gone, so that a tag of 31 bits holds a
 * document's segment and its slot in there. Those that came last are the recent ones, as many as there is room for.
 */
final class ChangelogSegments {
    /**
     * Recent documents: more than what waits for its decision in the coordinators at a time. Who outlives this is
     * seldom a duplicate.
     */
    static final int RECENT_MAX = 16_384;

    private static final int RECENT_BYTES_MAX = 4 << 20;

    private static final int SLOT_BITS = 6;
    private static final int PLACES_MAX = 1 << (Integer.SIZE - 1 - SLOT_BITS);

    /** Stands for the place of a segment that has none any more. */
    private static final int GONE = -1;

    /** A segment and the reference to it. */
    private static final int SEGMENT_BYTES = 60;

    private final List<@Nullable ChangelogSegment> segments = new ArrayList<>();
    private final Deque<Integer> freePlaces = new ArrayDeque<>();
    private long nextId;

    private final int recentMax;
    private final Deque<ChangelogSegment> recent = new ArrayDeque<>();
    private int recentDocuments;
    private int recentBytes;

    /** @param recentMax documents at the most, as {@link #RECENT_MAX} */
    ChangelogSegments(int recentMax) {
        this.recentMax = recentMax;
    }

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

    /** Takes a segment, with its record, for recent. */
    void addRecent(ChangelogSegment segment) {
        recent.add(segment);
        recentDocuments += segment.documents();
        recentBytes += segment.content().length;
    }

    /** Takes the eldest out of the recent ones if there is no room for all. */
    @Nullable
    ChangelogSegment leavingRecent() {
        if (recentDocuments <= recentMax && recentBytes <= RECENT_BYTES_MAX) {
            return null;
        }
        ChangelogSegment eldest = recent.remove();
        recentDocuments -= eldest.documents();
        recentBytes -= eldest.content().length;
        return eldest;
    }

    Iterable<ChangelogSegment> recent() {
        return recent;
    }

    /** Recent ones of which all are dead are none of these any more, but take room. */
    void writeTo(ArrayOutput to) throws IOException {
        to.writeLong(nextId);
        to.writeInts(freePlaces.stream().mapToInt(Integer::intValue).toArray());
        to.writeInt(segments.size());
        for (ChangelogSegment segment : segments) {
            if (segment != null) {
                segment.writeTo(to);
            }
        }
        writeReferences(recent, to);
    }

    static ChangelogSegments readFrom(ArrayInput from, int recentMax) throws IOException {
        ChangelogSegments read = new ChangelogSegments(recentMax);
        read.nextId = from.readLong();
        for (int place : from.readInts()) {
            read.freePlaces.add(place);
        }
        read.segments.addAll(Collections.nCopies(from.readInt(), null));
        for (int used = read.segments.size() - read.freePlaces.size(); used > 0; used--) {
            ChangelogSegment segment = ChangelogSegment.readFrom(from);
            read.segments.set(segment.place(), segment);
        }
        read.readReferences(from).forEach(read::addRecent);
        return read;
    }

    /** Writes where the segments are; one that is gone from here is written whole. */
    void writeReferences(Collection<ChangelogSegment> some, ArrayOutput to) throws IOException {
        to.writeInt(some.size());
        for (ChangelogSegment segment : some) {
            if (segments.get(segment.place()) == segment) {
                to.writeInt(segment.place());
            } else {
                to.writeInt(GONE);
                segment.writeTo(to);
            }
        }
    }

    List<ChangelogSegment> readReferences(ArrayInput from) throws IOException {
        List<ChangelogSegment> read = new ArrayList<>();
        for (int more = from.readInt(); more > 0; more--) {
            int place = from.readInt();
            read.add(place == GONE ? ChangelogSegment.readFrom(from) : Objects.requireNonNull(segments.get(place)));
        }
        return read;
    }

    /** Heap taken, in bytes. */
    long bytes() {
        return segments.size() * (long) SEGMENT_BYTES + recentBytes;
    }
}
