package io.neardup.streams.store;

import io.neardup.engine.lsh.BandTable;
import io.neardup.streams.store.BandLogCodec.Indexed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Fills a band table from its changelog. Compaction may have taken any record that a later one of the same key
 * replaces.
 *
 * <p>A record of the dead comes behind that of their page and names no keys. So pages wait until they are recent no
 * longer before they go into the table: most of the dead are known by then and never go there.
 *
 * <p>Those that die in the table stay in its buckets. They are not seen, as nothing is looked up meanwhile. All of them
 * are swept out together: when they are many against the living, and in the end. Their numbers are not used again
 * before.
 */
final class RestoringTable {
    private static final int STALE_MIN = 10_000;

    private final BandTable table;
    private final ChangelogSegments pages;
    private final RecentSegments recent;
    private final Map<Long, ChangelogSegment> byId;
    private int stale;
    private long documents;

    RestoringTable(BandTable table, ChangelogSegments pages, RecentSegments recent) {
        this.table = table;
        this.pages = pages;
        this.recent = recent;
        byId = pages.all().collect(Collectors.toMap(ChangelogSegment::id, page -> page, (a, b) -> b, HashMap::new));
    }

    void apply(byte[] keyBytes, byte @Nullable [] value) {
        BandLogCodec.Key key = BandLogCodec.decodeKey(keyBytes);
        pages.markSeen(key.page());
        ChangelogSegment page = byId.get(key.page());
        if (key.dead()) {
            // Of a page that is gone, the dead are gone too: a later tombstone says so.
            if (page != null && value != null) {
                kill(page, BandLogCodec.decodeDead(value));
                page.markDeadWritten();
            }
        } else if (value == null) {
            if (page != null) {
                remove(page);
            }
        } else if (page == null) {
            add(key.page(), value);
        }
    }

    private void add(long id, byte[] value) {
        int count = BandLogCodec.documentCount(value);
        documents += count;
        ChangelogSegment page = pages.add(id);
        page.add(count);
        page.setAge(BandLogCodec.age(value));
        page.markWritten(value);
        byId.put(id, page);
        recent.add(page);
        for (ChangelogSegment leaving = recent.leaving(); leaving != null; leaving = recent.leaving()) {
            putIntoTable(leaving);
            leaving.forget();
        }
    }

    private void kill(ChangelogSegment page, long slots) {
        int killed = page.killAll(slots);
        if (page.isInTable()) {
            stale += killed;
            sweepIfMany();
        }
    }

    private void remove(ChangelogSegment page) {
        byId.remove(page.id());
        kill(page, -1L);
        if (!page.isInTable()) {
            pages.free(page);
        }
    }

    private void sweepIfMany() {
        if (stale >= STALE_MIN && stale > table.documents() / 3) {
            sweep();
        }
    }

    private void sweep() {
        table.sweep(pages::isDead);
        stale = 0;
        pages.all()
                .filter(page -> page.alive() == 0 && page.isInTable())
                .toList()
                .forEach(pages::free);
    }

    /** How many documents were read, dead ones too. */
    long documents() {
        return documents;
    }

    /** Ends the restoring: everything alive is in the table, and nothing else. */
    void finish() {
        recent.all().forEach(this::putIntoTable);
        if (stale > 0) {
            sweep();
        }
    }

    private void putIntoTable(ChangelogSegment page) {
        if (page.isInTable() || page.alive() == 0) {
            return;
        }
        List<Indexed> documents = BandLogCodec.decodeDocuments(page.content()).documents();
        int[] numbers = new int[documents.size()];
        for (int slot = 0; slot < numbers.length; slot++) {
            if (!page.isDead(slot)) {
                Indexed indexed = documents.get(slot);
                numbers[slot] =
                        table.restore(indexed.document().packed(), indexed.keys(), indexed.refused(), pages::isDead);
                table.tag(numbers[slot], pages.tag(page, slot));
            }
        }
        page.markInTable(numbers);
    }
}
