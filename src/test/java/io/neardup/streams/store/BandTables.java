package io.neardup.streams.store;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.SharedBands;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.streams.store.BandFiles.Manifest;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What tests ask of logged band tables. */
public final class BandTables {
    private BandTables() {}

    /**
     * What a start makes of the files in a folder and of the changelog behind their offset.
     *
     * @param name of the changelog
     */
    public static Started started(
            Path folder, String name, int bands, int bucketMax, List<ConsumerRecord<byte[], byte[]>> changelog)
            throws IOException {
        BandFiles files = new BandFiles(folder, name, bands, bucketMax);
        Optional<Manifest> manifest = files.read(System.currentTimeMillis());
        BandFiles.Position reached = manifest.orElseThrow().reached();
        BandTable buckets = files.open(manifest);
        LoggedBandTable started = new LoggedBandTable(
                buckets, reached.firstBatch(), manifest.orElseThrow().nextBatch(), new Changelog());
        changelog.stream()
                .filter(entry -> entry.offset() > reached.offset())
                .forEach(entry -> started.restore(entry.key(), entry.value()));
        return new Started(buckets, started);
    }

    /** A table with its buckets, of which files are open. */
    public record Started(BandTable buckets, LoggedBandTable table) implements Closeable {
        @Override
        public void close() throws IOException {
            buckets.close();
        }
    }

    /** A document of one of five coordinators. */
    public static DocumentRef ref(int document) {
        return new DocumentRef(document % 5, document);
    }

    /** Who shares buckets with a document, and how many, in the order in which they are returned. */
    public static Map<DocumentRef, Integer> candidates(LoggedBandTable table, DocumentRef document, BandKeys keys) {
        SharedBands found = new SharedBands();
        table.candidates(document, keys, Integer.MAX_VALUE, found);
        Map<DocumentRef, Integer> shared = new LinkedHashMap<>();
        for (int i = 0; i < found.size(); i++) {
            shared.put(DocumentRef.unpack(found.document(i)), found.bandsShared(i));
        }
        return shared;
    }
}
