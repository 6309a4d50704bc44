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
 * All pages of a band table. Each has a place here, used again when it is gone, so that a tag of 31 bits tells a
 * document's page and its slot in there.
 */
final class ChangelogSegments {
    private static final int SLOT_BITS = 6;
    private static final int PLACES_MAX = 1 << (Integer.SIZE - 1 - SLOT_BITS);

    /** Stands for the place of a page that has none any more. */
    private static final int GONE = -1;

    /** A page and the reference to it. */
    private static final int PAGE_BYTES = 60;

    private final List<@Nullable ChangelogSegment> pages = new ArrayList<>();
    private final Deque<Integer> freePlaces = new ArrayDeque<>();
    private long nextId;

    /** A new page, its id above all that were seen. */
    ChangelogSegment add() {
        return add(nextId);
    }

    /** A page that the changelog has. */
    ChangelogSegment add(long id) {
        markSeen(id);
        Integer free = freePlaces.poll();
        ChangelogSegment page = new ChangelogSegment(id, free == null ? pages.size() : free);
        if (free != null) {
            pages.set(free, page);
        } else if (pages.size() < PLACES_MAX) {
            pages.add(page);
        } else {
            throw new IllegalStateException(
                    "the buckets hold at most " + PLACES_MAX + " pages of documents: use more index partitions");
        }
        return page;
    }

    /** Ids are not used again, not even of pages that are gone. */
    void markSeen(long id) {
        nextId = Math.max(nextId, id + 1);
    }

    /** Forgets a page of which no document is in the table any more. */
    void free(ChangelogSegment page) {
        pages.set(page.place(), null);
        freePlaces.add(page.place());
    }

    int tag(ChangelogSegment page, int slot) {
        return page.place() << SLOT_BITS | slot;
    }

    ChangelogSegment page(int tag) {
        return Objects.requireNonNull(pages.get(tag >>> SLOT_BITS), "no page has this place");
    }

    /**
     * The smaller, the longer the document has been in the table; of a merged page all are about as old as its first.
     */
    long age(int tag) {
        return page(tag).age() << SLOT_BITS | slot(tag);
    }

    static int slot(int tag) {
        return tag & (ChangelogSegment.DOCUMENTS_MAX - 1);
    }

    boolean isDead(int tag) {
        return page(tag).isDead(slot(tag));
    }

    Stream<ChangelogSegment> all() {
        return pages.stream().filter(Objects::nonNull).map(Objects::requireNonNull);
    }

    /** Whether there has never been any. */
    boolean areNew() {
        return nextId == 0;
    }

    void writeTo(ArrayOutput to) throws IOException {
        to.writeLong(nextId);
        to.writeInts(freePlaces.stream().mapToInt(Integer::intValue).toArray());
        to.writeInt(pages.size());
        for (ChangelogSegment page : pages) {
            if (page != null) {
                page.writeTo(to);
            }
        }
    }

    static ChangelogSegments readFrom(ArrayInput from) throws IOException {
        ChangelogSegments read = new ChangelogSegments();
        read.nextId = from.readLong();
        for (int place : from.readInts()) {
            read.freePlaces.add(place);
        }
        read.pages.addAll(Collections.nCopies(from.readInt(), null));
        for (int used = read.pages.size() - read.freePlaces.size(); used > 0; used--) {
            ChangelogSegment page = ChangelogSegment.readFrom(from);
            read.pages.set(page.place(), page);
        }
        return read;
    }

    /** Writes where the page is; one that is gone from here is written whole. */
    void writeReference(ChangelogSegment page, ArrayOutput to) throws IOException {
        if (pages.get(page.place()) == page) {
            to.writeInt(page.place());
        } else {
            to.writeInt(GONE);
            page.writeTo(to);
        }
    }

    ChangelogSegment readReference(ArrayInput from) throws IOException {
        int place = from.readInt();
        return place == GONE ? ChangelogSegment.readFrom(from) : Objects.requireNonNull(pages.get(place));
    }

    /** Heap taken, in bytes, other than by the records of recent pages. */
    long bytes() {
        return pages.size() * (long) PAGE_BYTES;
    }
}
