package io.neardup.bandlog;

import io.neardup.lsh.BandTable;
import io.neardup.wire.BandLogCodec;
import io.neardup.wire.BandLogCodec.Indexed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Fills a band table from its changelog, of which compaction may have taken any records that later ones of the same key
 * replace.
 *
 * <p>A record of the dead comes behind that of their batch and names no keys. So batches wait until they are recent no
 * longer before they go into the table: most of the dead are known by then and never go there. Those that die in the table
 * stay in its buckets, unseen as nothing is looked up now, until all of them are swept out together: when they are many
 * against the living, and in the end. Their numbers are not used again before.
 */
final class RestoringTable {
    private static final int STALE_MIN = 10_000;

    private final BandTable table;
    private final Batches batches;
    private final RecentBatches recent;
    private final Map<Long, Batch> byId;
    private int stale;

    RestoringTable(BandTable table, Batches batches, RecentBatches recent) {
        this.table = table;
        this.batches = batches;
        this.recent = recent;
        byId = batches.all().collect(Collectors.toMap(Batch::id, batch -> batch, (a, b) -> b, HashMap::new));
    }

    void apply(byte[] keyBytes, byte @Nullable [] value) {
        BandLogCodec.Key key = BandLogCodec.decodeKey(keyBytes);
        batches.seen(key.batch());
        Batch batch = byId.get(key.batch());
        if (key.dead()) {
            // Of a batch that is gone, the dead are gone too: a later tombstone says so.
            if (batch != null && value != null) {
                kill(batch, BandLogCodec.decodeDead(value));
                batch.deadAreWritten();
            }
        } else if (value == null) {
            if (batch != null) {
                remove(batch);
            }
        } else if (batch == null) {
            add(key.batch(), value);
        }
    }

    private void add(long id, byte[] value) {
        int documents = BandLogCodec.documentCount(value);
        Batch batch = batches.add(id);
        batch.add(documents);
        batch.isOfAge(BandLogCodec.age(value));
        batch.isWrittenAs(value);
        byId.put(id, batch);
        recent.add(batch);
        for (Batch leaving = recent.leaving(); leaving != null; leaving = recent.leaving()) {
            putIntoTable(leaving);
            leaving.forget();
        }
    }

    private void kill(Batch batch, long slots) {
        int killed = batch.killAll(slots);
        if (batch.isInTable()) {
            stale += killed;
            sweepIfMany();
        }
    }

    private void remove(Batch batch) {
        byId.remove(batch.id());
        kill(batch, -1L);
        if (!batch.isInTable()) {
            batches.free(batch);
        }
    }

    private void sweepIfMany() {
        if (stale >= STALE_MIN && stale > table.documents() / 3) {
            sweep();
        }
    }

    private void sweep() {
        table.sweep(batches::isDead);
        stale = 0;
        batches.all()
                .filter(batch -> batch.alive() == 0 && batch.isInTable())
                .toList()
                .forEach(batches::free);
    }

    /** Ends the restoring: everything alive is in the table, and nothing else. */
    void finish() {
        recent.all().forEach(this::putIntoTable);
        if (stale > 0) {
            sweep();
        }
    }

    private void putIntoTable(Batch batch) {
        if (batch.isInTable() || batch.alive() == 0) {
            return;
        }
        List<Indexed> documents = BandLogCodec.decodeDocuments(batch.content()).documents();
        int[] numbers = new int[documents.size()];
        for (int slot = 0; slot < numbers.length; slot++) {
            if (!batch.isDead(slot)) {
                Indexed indexed = documents.get(slot);
                numbers[slot] =
                        table.restore(indexed.document().packed(), indexed.keys(), indexed.refused(), batches::isDead);
                table.tag(numbers[slot], batches.tag(batch, slot));
            }
        }
        batch.isInTableAs(numbers);
    }
}
