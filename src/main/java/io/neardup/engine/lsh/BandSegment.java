package io.neardup.engine.lsh;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The part of a {@link BandTable} that lies in an immutable file. Its documents have numbers from 0, the oldest first.
 * Those that were removed since the file was written are marked as gone in memory only.
 *
 * <p>The entries of a band, one a document, stand in the order of their keys ({@link BandBuckets#key}, 42 bits). They
 * lie in columns:
 *
 * <ul>
 *   <li>hot, mapped into memory: for each slot (the first bits of the key) the index of its first entry, and for each
 *       entry a fingerprint, the next 16 bits. A slot has 8 to 16 entries: a lookup reads one or two cache lines of
 *       each of the two, and some 1 of 5,000 slots has the fingerprint of a key without having the key;
 *   <li>cold, read only if a fingerprint matches: for each entry the number of its document, and the remaining bits of
 *       the key, in an int.
 * </ul>
 *
 * <p>For each document the file has its reference, a tag, and the tails of its keys, the last 8 bits of each, cold too.
 * A copy shares many buckets with its original. So when a lookup reads the first entry of a document, it reads these
 * tails as well. If they are those of the keys in three bands or more, the document is known: where the fingerprint of
 * another band has a single match, and the tail of a known document is that of the key, it is that document without
 * a read. So a copy that shares three bands or more of this segment costs two reads of it instead of one a band. Error:
 * where a known document is not in a bucket, its tail is that of the key with a probability of 2^-8. It is then counted
 * in place of the document that is there. At most eight documents are known.
 *
 * <p>File, little endian: a header of 8,192 bytes, with checksums (CRC-32C) of all that follows; the hot columns, band
 * after band, each at a multiple of 64 bytes, its fingerprints before its slots; the cold ones; references, each with
 * its tails; tags; the {@linkplain #mayHave latest documents}. All offsets follow from the numbers of bands and
 * documents ({@link SegmentLayout}). A band in which full buckets refused documents has fewer entries; the rest of its
 * columns is a hole in the file. Hot columns are checked when the file is opened, all columns when it is merged into
 * another.
 *
 * <p>Memory: 2.25 to 2.5 bytes a band and document hot. Disk beside that: 5 bytes a band and document, 16 a
 * document.
 */
final class BandSegment extends BandPart {
    /** A reference shifted by these bits is its group, see {@link #mayHave}. */
    static final int GROUP_SHIFT = 48;

    private static final int READ_BYTES = 1 << 13;
    /** One mapping for many columns: only at its ends are huge pages not mapped as such. */
    private static final int MAPPED_BYTES_MAX = 1 << 30;

    private static final long LANES = 0x0001_0001_0001_0001L;
    private static final long LANES_HIGH = LANES << 15;
    private static final int LANES_OF_LONG = 4;

    private final Path file;
    private final FileChannel channel;
    private final SegmentLayout layout;
    private final SegmentLayout.Header header;
    private final long checksum;
    private final List<MappedByteBuffer> mappings;
    /** By band. */
    private final ByteBuffer[] hot;

    /** Of the current lookup, by band: where the entries of its slot begin and end, as two ints. */
    private final long[] slots;

    /** The highest reference of each group, rising. */
    private final long[] latest;

    private final long lastTag;
    private final ByteBuffer buffer = SegmentLayout.littleEndianBuffer(READ_BYTES);
    private final KnownDocuments known;

    private BandSegment(
            Path file, FileChannel channel, SegmentLayout.Header header, List<MappedByteBuffer> mappings, BitSet gone)
            throws IOException {
        super(gone);
        this.file = file;
        this.channel = channel;
        this.header = header;
        this.checksum = header.checksum();
        this.layout = header.layout();
        this.mappings = mappings;
        this.hot = mappings.stream()
                .flatMap(mapping -> columns(mapping, (int) layout.hotBytes()))
                .toArray(ByteBuffer[]::new);
        this.slots = new long[layout.bands];
        ByteBuffer documents = SegmentLayout.littleEndianBuffer(Long.BYTES * header.latest());
        SegmentLayout.readFully(channel, documents, layout.latestAt(), file);
        if (SegmentLayout.crc(documents.duplicate()) != header.latestChecksum()) {
            throw new DamagedSegmentException(file + ": its end is not as it was written");
        }
        this.latest = new long[header.latest()];
        documents.asLongBuffer().get(latest);
        this.lastTag = tags(layout.documents - 1, 1)[0];
        this.known = new KnownDocuments(layout.bands);
    }

    /** Documents that the current lookup has met, with the tails of their keys. */
    private static final class KnownDocuments {
        private static final int MAX = 8;
        /** One that shares a single bucket has this many equal tails by chance: .4 % of 26 bands. */
        private static final int ALIKE = 3;

        private final int bands;
        private final int[] numbers = new int[MAX];
        private final long[] documents = new long[MAX];
        private final boolean[] isAlike = new boolean[MAX];
        private final byte[] tails;
        private long[] keys = {};
        private int size;

        KnownDocuments(int bands) {
            this.bands = bands;
            this.tails = new byte[MAX * bands];
        }

        void begin(long[] newKeys) {
            keys = newKeys;
            size = 0;
        }

        boolean takes(int number) {
            return size < MAX && indexOf(number) < 0;
        }

        void add(int number, ByteBuffer document) {
            numbers[size] = number;
            documents[size] = document.getLong();
            document.get(tails, size * bands, bands);
            int alike = 0;
            for (int band = 0; band < bands; band++) {
                alike += hasTail(size, band) ? 1 : 0;
            }
            isAlike[size] = alike >= ALIKE;
            size++;
        }

        private boolean hasTail(int index, int band) {
            return tails[index * bands + band] == SegmentLayout.tail(keys[band]);
        }

        /** The number of a document that shares bands with the keys, this one by its tail; -1 if there is none. */
        int find(int band) {
            int i = 0;
            while (i < size && !(isAlike[i] && hasTail(i, band))) {
                i++;
            }
            return i < size ? numbers[i] : -1;
        }

        /** The index of a document; -1 if it is not here. */
        int indexOf(int number) {
            int i = size - 1;
            while (i >= 0 && numbers[i] != number) {
                i--;
            }
            return i;
        }

        long document(int index) {
            return documents[index];
        }
    }

    /**
     * Opens a file. Its hot columns are read as a whole to check them. That also brings them into memory: lookups that
     * found them on disk, page by page, would take much longer.
     *
     * @param gone the documents of the file that are gone; the caller must not change it any more
     * @throws DamagedSegmentException if it is not such a segment, or a hot column is not as it was written
     */
    static BandSegment open(Path file, int bands, BitSet gone) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        List<MappedByteBuffer> mappings = new ArrayList<>();
        try {
            SegmentLayout.Header header = SegmentLayout.Header.read(channel, file);
            SegmentLayout layout = header.layout();
            if (layout.bands != bands || channel.size() != header.fileBytes() || gone.length() > layout.documents) {
                throw new DamagedSegmentException(file + ": expected a segment of " + bands + " bands, at least "
                        + gone.length() + " documents and " + header.fileBytes() + " bytes, found " + layout.bands
                        + " bands, " + layout.documents + " documents and " + channel.size() + " bytes");
            }
            for (int band = 0; band < bands; band++) {
                checkHot(channel, header, band, file);
            }
            int atOnce = (int) Math.max(1, MAPPED_BYTES_MAX / layout.hotBytes());
            for (int first = 0; first < bands; first += atOnce) {
                long bytes = Math.min(atOnce, bands - first) * layout.hotBytes();
                mappings.add(channel.map(MapMode.READ_ONLY, layout.hotAt(first), bytes));
            }
            return new BandSegment(file, channel, header, mappings, gone);
        } catch (IOException | RuntimeException e) {
            mappings.forEach(BandSegment::free);
            channel.close();
            throw e;
        }
    }

    private static void checkHot(FileChannel channel, SegmentLayout.Header header, int band, Path file)
            throws DamagedSegmentException {
        if (header.layout().readHotChecksum(channel, band, file) != header.hotChecksum(band)) {
            throw new DamagedSegmentException(file + ": the hot column of band " + band + " is not as it was written");
        }
    }

    private static Stream<ByteBuffer> columns(MappedByteBuffer mapping, int bytes) {
        return IntStream.range(0, mapping.capacity() / bytes)
                .mapToObj(i -> mapping.slice(i * bytes, bytes).order(ByteOrder.LITTLE_ENDIAN));
    }

    Path file() {
        return file;
    }

    /** Tells it from other segments. */
    long checksum() {
        return checksum;
    }

    /**
     * Whether a document is not above the latest one here of its group: those with the same upper 16 bits (the
     * coordinator). Nearly all new documents are above, and need not be looked for.
     */
    @Override
    boolean mayHave(long document) {
        int at = Arrays.binarySearch(latest, document);
        int next = at < 0 ? -1 - at : at;
        return next < latest.length && latest[next] >> GROUP_SHIFT == document >> GROUP_SHIFT;
    }

    @Override
    int documents() {
        return layout.documents;
    }

    /** Bytes of the mapped columns. */
    long hotBytes() {
        return layout.bands * layout.hotBytes();
    }

    /** Bytes of the cold columns, references and tags. */
    long coldBytes() {
        return layout.latestAt() - layout.hotAt(layout.bands);
    }

    // ---- lookups

    @Override
    void begin(long[] keys) {
        known.begin(keys);
        int slotsAt = layout.slotsAt();
        for (int band = 0; band < slots.length; band++) {
            slots[band] = hot[band].getLong(slotsAt + Integer.BYTES * layout.slot(keys[band]));
        }
    }

    @Override
    long touch(long[] keys) {
        long sum = 0;
        for (int band = 0; band < slots.length; band++) {
            sum += hot[band].getShort(Short.BYTES * (int) slots[band])
                    + hot[band].getShort(Short.BYTES * (int) (slots[band] >>> Integer.SIZE));
        }
        return sum;
    }

    @Override
    void gather(int band, long key, int base, BandBuckets.NumberList into) throws IOException {
        long slot = slots[band];
        int end = (int) (slot >>> Integer.SIZE);
        long lanes = layout.fingerprint(key) * LANES;
        int first = -1;
        int last = -1;
        for (int entry = (int) slot; entry < end; entry += LANES_OF_LONG) {
            long unlike = hot[band].getLong(Short.BYTES * entry) ^ lanes;
            // The high bit of each lane that is 0; also of a lane that is 1 next to such a lane.
            for (long found = (unlike - LANES) & ~unlike & LANES_HIGH; found != 0; found &= (found - 1)) {
                int lane = Long.numberOfTrailingZeros(found) / Short.SIZE;
                if ((short) (unlike >>> (Short.SIZE * lane)) == 0 && entry + lane < end) {
                    last = entry + lane;
                    first = first < 0 ? last : first;
                }
            }
        }
        if (first >= 0 && first == last) {
            gatherEntry(band, first, key, base, into);
        } else if (first >= 0) {
            gatherEntries(band, first, last + 1, layout.restOf(key), base, into);
        }
    }

    /** The only entry with a fingerprint: mostly of a document that is known from another band. */
    private void gatherEntry(int band, int entry, long key, int base, BandBuckets.NumberList into) throws IOException {
        int number = known.find(band);
        if (number < 0) {
            readEntries(band, entry, 1);
            int found = buffer.getInt();
            if (layout.restOf(found) != layout.restOf(key)) {
                return;
            }
            number = layout.number(found, file);
            if (known.takes(number)) {
                readDocument(number, SegmentLayout.documentBytes(layout.bands));
                known.add(number, buffer);
            }
        }
        if (!isGone(number)) {
            into.add(base + number);
        }
    }

    /** Entries with the same fingerprint are neighbours. */
    private void gatherEntries(int band, int from, int end, int rest, int base, BandBuckets.NumberList into)
            throws IOException {
        int atOnce = READ_BYTES / SegmentLayout.ENTRY_BYTES;
        for (int first = from; first < end; first += atOnce) {
            int count = Math.min(atOnce, end - first);
            readEntries(band, first, count);
            for (int i = 0; i < count; i++) {
                int found = buffer.getInt();
                if (layout.restOf(found) == rest && !isGone(layout.number(found, file))) {
                    into.add(base + layout.number(found, file));
                }
            }
        }
    }

    private void readEntries(int band, int first, int count) throws IOException {
        read(layout.coldAt(band) + (long) first * SegmentLayout.ENTRY_BYTES, count * SegmentLayout.ENTRY_BYTES);
    }

    private void readDocument(int number, int bytes) throws IOException {
        read(layout.documentsAt() + (long) SegmentLayout.documentBytes(layout.bands) * number, bytes);
    }

    private void read(long at, int bytes) throws IOException {
        buffer.clear().limit(bytes);
        SegmentLayout.readFully(channel, buffer, at, file);
    }

    @Override
    long document(int number) throws IOException {
        int index = known.indexOf(number);
        if (index >= 0) {
            return known.document(index);
        }
        readDocument(number, Long.BYTES);
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
    long lastTag() {
        return lastTag;
    }

    @Override
    Entries entries(int band) throws IOException {
        return new SegmentEntries(band);
    }

    @Override
    Documents documentColumn() {
        int documentBytes = SegmentLayout.documentBytes(layout.bands);
        ColumnReader documents = column(layout.documentsAt(), documentBytes, header.documentsChecksum());
        return () -> documents.next(documentBytes);
    }

    @Override
    Column tagColumn() {
        ColumnReader tags = column(layout.tagsAt(), Long.BYTES, header.tagsChecksum());
        return () -> tags.next(Long.BYTES).getLong();
    }

    private ColumnReader column(long at, int bytesOfDocument, int checksum) {
        return new ColumnReader(
                channel, file, at, (long) bytesOfDocument * layout.documents, Integer.toUnsignedLong(checksum));
    }

    /** Reads a column from its start, in any thread, and checks it at its end. */
    static final class ColumnReader {
        static final long UNCHECKED = -1;

        private final FileChannel channel;
        private final Path file;
        private final long end;
        private final long checksum;
        private final CRC32C read = new CRC32C();
        private final ByteBuffer chunk = ByteBuffer.allocate(SegmentLayout.CHUNK_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .limit(0);
        private long at;

        /** @param checksum of the column; {@value #UNCHECKED} for no check */
        ColumnReader(FileChannel channel, Path file, long at, long bytes, long checksum) {
            this.channel = channel;
            this.file = file;
            this.at = at;
            this.end = at + bytes;
            this.checksum = checksum;
        }

        /** A buffer positioned at the next bytes, with at least {@code bytes} of them. */
        ByteBuffer next(int bytes) throws IOException {
            if (chunk.remaining() < bytes) {
                int left = chunk.remaining();
                chunk.compact().limit((int) Math.min(SegmentLayout.CHUNK_BYTES, left + end - at));
                SegmentLayout.readFully(channel, chunk, at, file);
                at += chunk.limit() - left;
                read.update(chunk.duplicate().position(left));
                if (at == end && checksum != UNCHECKED && read.getValue() != checksum) {
                    throw new DamagedSegmentException(
                            file + ": the column that ends at byte " + end + " is not as it was written");
                }
            }
            return chunk;
        }
    }

    /** The entries of a band, read through the channel in their order. */
    private final class SegmentEntries implements Entries {
        private final ColumnReader slotColumn;
        private final ColumnReader fingerprints;
        private final ColumnReader cold;
        private int entry;
        private int slot = -1;
        private int slotEnd;

        SegmentEntries(int band) throws IOException {
            checkHot(channel, header, band, file);
            long slotsAt = layout.hotAt(band) + layout.slotsAt();
            ColumnReader lastSlot = unchecked(slotsAt + (long) Integer.BYTES * layout.slots(), Integer.BYTES);
            long count = layout.checkedCount(lastSlot.next(Integer.BYTES).getInt(), file);
            slotColumn = unchecked(slotsAt, (long) Integer.BYTES * (layout.slots() + 1));
            fingerprints = unchecked(layout.hotAt(band), Short.BYTES * count);
            long coldChecksum = Integer.toUnsignedLong(header.coldChecksum(band));
            cold = new ColumnReader(
                    channel, file, layout.coldAt(band), SegmentLayout.ENTRY_BYTES * count, coldChecksum);
            slotEnd = slotColumn.next(Integer.BYTES).getInt();
        }

        private ColumnReader unchecked(long at, long bytes) {
            return new ColumnReader(channel, file, at, bytes, ColumnReader.UNCHECKED);
        }

        @Override
        public int read(long[] keys, int[] numbers) throws IOException {
            int count = 0;
            while (count < keys.length) {
                while (entry >= slotEnd) {
                    if (slot == layout.slots() - 1) {
                        return count;
                    }
                    slot++;
                    slotEnd = slotColumn.next(Integer.BYTES).getInt();
                }
                int fingerprint = fingerprints.next(Short.BYTES).getShort() & 0xffff;
                int found = cold.next(SegmentLayout.ENTRY_BYTES).getInt();
                numbers[count] = layout.number(found, file);
                keys[count] = layout.key(slot, fingerprint, layout.restOf(found));
                count++;
                entry++;
            }
            return count;
        }
    }

    /**
     * Ends a mapping, or frees other memory outside of the heap, at once: reading the buffer after this crashes the
     * JVM. Java 17 has no other way than {@code sun.misc.Unsafe}; where that may not be used, the garbage collector
     * does it some time later.
     */
    static void free(ByteBuffer buffer) {
        try {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field instance = unsafe.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            unsafe.getMethod("invokeCleaner", ByteBuffer.class).invoke(instance.get(null), buffer);
        } catch (ReflectiveOperationException e) {
            return; // See above.
        }
    }

    @Override
    public void close() throws IOException {
        mappings.forEach(BandSegment::free);
        channel.close();
    }
}
