package io.neardup.engine.lsh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;

/** Writes the documents of some sources as one {@link BandSegment}. */
final class SegmentWriter {
    private static final int LOOK_ENTRIES = 1 << 16;

    private SegmentWriter() {}

    /**
     * Writes the documents of some sources as one segment: those of the first come first. No other file may have the
     * name. It ends up on the disk before this returns.
     *
     * @param cancelled asked now and then
     * @return whether it was written as a whole; it is also where there is nothing to write, and then no file
     */
    static boolean write(Path file, int bands, List<SegmentSource> sources, BooleanSupplier cancelled)
            throws IOException {
        int documents = sources.stream().mapToInt(SegmentSource::documents).sum();
        if (documents == 0) {
            return true;
        }
        SegmentLayout layout = new SegmentLayout(bands, documents);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            List<Integer> hotChecksums = new ArrayList<>();
            for (int band = 0; band < bands; band++) {
                hotChecksums.add(writeBand(channel, layout, band, sources, cancelled));
                if (cancelled.getAsBoolean()) {
                    return false;
                }
            }
            ColumnWriter documentRefs = new ColumnWriter(channel, layout.documentsAt());
            ColumnWriter tags = new ColumnWriter(channel, layout.tagsAt());
            BandPart.Latest.Collector latest = new BandPart.Latest.Collector();
            for (SegmentSource source : sources) {
                source.forEach((document, tag) -> {
                    documentRefs.room(Long.BYTES).putLong(document);
                    tags.room(Long.BYTES).putLong(tag);
                    latest.add(document);
                });
            }
            documentRefs.flush();
            tags.flush();
            long[] latestDocuments = latest.collected().documents();
            ColumnWriter last = new ColumnWriter(channel, layout.latestAt());
            for (long document : latestDocuments) {
                last.room(Long.BYTES).putLong(document);
            }
            last.flush();
            ColumnWriter header = new ColumnWriter(channel, 0);
            header.put(new SegmentLayout.Header(layout, latestDocuments.length, hotChecksums).bytes());
            header.flush();
            channel.force(true);
        }
        return true;
    }

    /** Writes both columns of a band; the checksum of the hot one. */
    private static int writeBand(
            FileChannel channel, SegmentLayout layout, int band, List<SegmentSource> sources, BooleanSupplier cancelled)
            throws IOException {
        ColumnWriter fingerprints = new ColumnWriter(channel, layout.hotAt(band) + layout.fingerprintsAt());
        ColumnWriter cold = new ColumnWriter(channel, layout.coldAt(band));
        int[] ends = new int[layout.slots()];
        Merged entries = new Merged(sources, band);
        int count = 0;
        while (entries.next() && (count % LOOK_ENTRIES != 0 || !cancelled.getAsBoolean())) {
            long key = entries.key();
            ends[layout.slot(key)] = ++count;
            fingerprints.room(Short.BYTES).putShort((short) layout.fingerprint(key));
            layout.putRest(key, cold.room(layout.entryBytes).putInt(entries.number()));
        }
        fingerprints.put(ByteBuffer.allocate(layout.fingerprintBytes() - Short.BYTES * count));
        fingerprints.flush();
        cold.flush();
        ColumnWriter slots = new ColumnWriter(channel, layout.hotAt(band), fingerprints.checksum);
        int end = 0;
        slots.room(Integer.BYTES).putInt(0);
        for (int ofSlot : ends) {
            end = Math.max(end, ofSlot);
            slots.room(Integer.BYTES).putInt(end);
        }
        slots.flush();
        return (int) slots.checksum.getValue();
    }

    /** The entries of a band of several sources, as one. */
    private static final class Merged {
        private final List<SegmentSource.Entries> sources = new ArrayList<>();
        private final List<Integer> bases = new ArrayList<>();
        private int first = -1;

        Merged(List<SegmentSource> of, int band) throws IOException {
            int base = 0;
            for (SegmentSource source : of) {
                SegmentSource.Entries entries = source.entries(band);
                if (entries.next()) {
                    sources.add(entries);
                    bases.add(base);
                }
                base += source.documents();
            }
        }

        boolean next() throws IOException {
            if (first >= 0 && !sources.get(first).next()) {
                sources.remove(first);
                bases.remove(first);
            }
            first = 0;
            for (int other = 1; other < sources.size(); other++) {
                first = sources.get(other).key() < sources.get(first).key() ? other : first;
            }
            return !sources.isEmpty();
        }

        long key() {
            return sources.get(first).key();
        }

        int number() {
            return bases.get(first) + sources.get(first).number();
        }
    }

    /** Writes a column from its beginning on. */
    private static final class ColumnWriter {
        private static final int CHUNK_BYTES = 1 << 16;

        private final FileChannel channel;
        private final CRC32C checksum;
        private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        private long at;

        ColumnWriter(FileChannel channel, long at) {
            this(channel, at, new CRC32C());
        }

        /** @param checksum goes on over this column */
        ColumnWriter(FileChannel channel, long at, CRC32C checksum) {
            this.channel = channel;
            this.at = at;
            this.checksum = checksum;
        }

        void put(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                int count = Math.min(bytes.remaining(), room(1).remaining());
                chunk.put(bytes.slice(bytes.position(), count));
                bytes.position(bytes.position() + count);
            }
        }

        /** Where the next bytes go, so many. */
        ByteBuffer room(int bytes) throws IOException {
            if (chunk.remaining() < bytes) {
                flush();
            }
            return chunk;
        }

        void flush() throws IOException {
            checksum.update(chunk.flip());
            chunk.rewind();
            while (chunk.hasRemaining()) {
                at += channel.write(chunk, at);
            }
            chunk.clear();
        }
    }
}
