package io.neardup.engine.lsh;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;

/**
 * The part of a {@link BandTable} that lies in a file, which never changes. Its documents have numbers from 0, the
 * oldest first. Those that are gone since it was written are marked in memory alone.
 *
 * <p>The entries of a band, one a document, stand in the order of their keys: the 42 bits of a bucket's hash that count
 * ({@link BandBuckets#key}). They lie in columns:
 *
 * <ul>
 *   <li>hot, mapped into memory: for each slot, which is the first bits of the key, where its entries begin; of each
 *       entry the next 16 bits. A slot has 8 to 16 entries: a lookup reads one or two cache lines of each of the two,
 *       and takes some 1 of 5,000 slots to have an entry of its key that has none;
 *   <li>cold, read where the hot column matches: of each entry the number of its document, and the bits of the key that
 *       are left.
 * </ul>
 *
 * <p>Of each document there are its reference and its tag, cold too.
 *
 * <p>File, little endian: a header of 4,096 bytes, with the checksums of the hot columns (CRC-32C); the hot columns,
 * band after band, each at a multiple of 64 bytes; the cold ones; references; tags. All places follow from the numbers
 * of bands and documents ({@link SegmentLayout}). A band in which full buckets refused documents has fewer entries;
 * what its columns lack is a hole.
 *
 * <p>Memory: 2.25 to 2.5 bytes a band and document hot. Disk beside that: 4 to 8 bytes a band and document, 16 a
 * document.
 */
final class BandSegment extends BandPart implements Closeable {
    private static final int READ_BYTES = 1 << 13;

    private static final long LANES = 0x0001_0001_0001_0001L;
    private static final long LANES_HIGH = LANES << 15;
    private static final int LANES_OF_LONG = 4;

    private final Path file;
    private final FileChannel channel;
    private final SegmentLayout layout;
    private final MappedByteBuffer[] hot;
    private final ByteBuffer buffer = SegmentLayout.little(READ_BYTES);

    private BandSegment(
            Path file, FileChannel channel, SegmentLayout layout, MappedByteBuffer[] hot, Latest latest, BitSet gone) {
        super(gone, latest);
        this.file = file;
        this.channel = channel;
        this.layout = layout;
        this.hot = hot;
    }

    /**
     * Opens a file that was written.
     *
     * @param gone the documents in there that are gone, which the segment takes for its own
     * @throws IOException where it is no segment of as many bands, or a hot column is not as it was written
     */
    static BandSegment open(Path file, int bands, BitSet gone) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            SegmentLayout.Header header = SegmentLayout.Header.read(channel, file);
            SegmentLayout layout = header.layout();
            if (layout.bands != bands || channel.size() != header.fileBytes()) {
                throw new IOException(file + ": expected a segment of " + bands + " bands and " + header.fileBytes()
                        + " bytes, found " + layout.bands + " bands and " + channel.size() + " bytes");
            }
            MappedByteBuffer[] hot = new MappedByteBuffer[bands];
            for (int band = 0; band < bands; band++) {
                hot[band] = channel.map(MapMode.READ_ONLY, layout.hotAt(band), layout.hotBytes());
                hot[band].order(ByteOrder.LITTLE_ENDIAN);
                if (layout.hotChecksum(hot[band]) != header.hotChecksums().get(band)) {
                    throw new IOException(file + ": the hot column of band " + band + " is not as it was written");
                }
            }
            ByteBuffer latest = SegmentLayout.little(Long.BYTES * header.latest());
            SegmentLayout.readFully(channel, latest, layout.latestAt(), file);
            long[] documents = new long[header.latest()];
            latest.asLongBuffer().get(documents);
            return new BandSegment(file, channel, layout, hot, new Latest(documents), gone);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    Path file() {
        return file;
    }

    @Override
    int documents() {
        return layout.documents;
    }

    /** Of the mapped columns. */
    long hotBytes() {
        return layout.bands * layout.hotBytes();
    }

    /** Of the file, without the mapped columns. */
    long coldBytes() {
        return layout.latestAt() - layout.hotAt(layout.bands);
    }

    // ---- lookups

    @Override
    long slot(int band, long hash) {
        return hot[band].getLong(Integer.BYTES * layout.slot(BandBuckets.key(hash)));
    }

    @Override
    long touch(int band, long slot) {
        return hot[band].getLong(fingerprintAt((int) slot));
    }

    private int fingerprintAt(int entry) {
        return layout.fingerprintsAt() + Short.BYTES * entry;
    }

    @Override
    void gather(int band, long hash, long slot, int base, BandBuckets.NumberList into) throws IOException {
        long key = BandBuckets.key(hash);
        int end = (int) (slot >>> Integer.SIZE);
        long lanes = layout.fingerprint(key) * LANES;
        int first = -1;
        int last = -1;
        for (int entry = (int) slot; entry < end; entry += LANES_OF_LONG) {
            long unlike = hot[band].getLong(fingerprintAt(entry)) ^ lanes;
            // The high bit of each lane that is 0; also of one that is 1 behind such a one.
            for (long found = (unlike - LANES) & ~unlike & LANES_HIGH; found != 0; found &= (found - 1)) {
                int lane = Long.numberOfTrailingZeros(found) / Short.SIZE;
                if ((short) (unlike >>> (Short.SIZE * lane)) == 0 && entry + lane < end) {
                    last = entry + lane;
                    first = first < 0 ? last : first;
                }
            }
        }
        if (first >= 0) {
            gatherEntries(band, first, last + 1, layout.restOf(key), base, into);
        }
    }

    /** Entries of one fingerprint stand side by side. */
    private void gatherEntries(int band, int from, int end, long rest, int base, BandBuckets.NumberList into)
            throws IOException {
        int atOnce = READ_BYTES / layout.entryBytes;
        for (int first = from; first < end; first += atOnce) {
            int count = Math.min(atOnce, end - first);
            read(layout.coldAt(band) + (long) first * layout.entryBytes, count * layout.entryBytes);
            for (int i = 0; i < count; i++) {
                int number = buffer.getInt();
                if (layout.rest(buffer) == rest && !isGone(number)) {
                    into.add(BandTable.ofPart(base + number));
                }
            }
        }
    }

    private void read(long at, int bytes) throws IOException {
        buffer.clear().limit(bytes);
        SegmentLayout.readFully(channel, buffer, at, file);
    }

    @Override
    long document(int number) throws IOException {
        read(layout.documentsAt() + (long) Long.BYTES * number, Long.BYTES);
        return buffer.getLong();
    }

    @Override
    long[] tags(int first, int count) throws IOException {
        read(layout.tagsAt() + (long) Long.BYTES * first, Long.BYTES * count);
        long[] tags = new long[count];
        buffer.asLongBuffer().get(tags);
        return tags;
    }

    @Override
    SegmentSource source() {
        return new SegmentReader(file, channel, layout, gone());
    }

    @Override
    long heapBytes() {
        return READ_BYTES + super.heapBytes();
    }

    /** Ends all use of it, and its mapping. */
    @Override
    public void close() throws IOException {
        for (MappedByteBuffer column : hot) {
            Unmapping.unmap(column);
        }
        channel.close();
    }
}
