package io.neardup.engine.lsh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** Where the columns lie in the file of a {@link BandSegment}: it follows from the numbers of bands and documents. */
final class SegmentLayout {
    private static final int FINGERPRINT_BITS = 16;
    private static final int ENTRIES_OF_SLOT_MAX = 16;
    static final int DOCUMENTS_MAX = 1 << 29;
    /** Of a cold column. */
    static final int ENTRY_BYTES = Integer.BYTES;

    private static final long MAGIC = 0x6e64_7570_7365_6736L;
    private static final int HEADER_BYTES = 8192;
    private static final int CHECKSUM_AT = HEADER_BYTES - Integer.BYTES;
    private static final int LINE_BYTES = 64;
    /** Read at once, or written, but of hot columns. */
    static final int CHUNK_BYTES = 1 << 16;

    final int bands;
    final int documents;
    private final int slotBits;
    /** Bits of a key that are in neither its slot nor its fingerprint. */
    private final int restBits;

    SegmentLayout(int bands, int documents) {
        if (bands < 1 || bands > BandTable.BANDS_MAX || documents < 1 || documents > DOCUMENTS_MAX) {
            throw new IllegalArgumentException("expected 1 to " + BandTable.BANDS_MAX + " bands and 1 to "
                    + DOCUMENTS_MAX + " documents, found bands=" + bands + " documents=" + documents);
        }
        this.bands = bands;
        this.documents = documents;
        slotBits = Integer.SIZE - Integer.numberOfLeadingZeros((documents - 1) / ENTRIES_OF_SLOT_MAX);
        restBits = BandBuckets.KEY_BITS - FINGERPRINT_BITS - slotBits;
    }

    int slots() {
        return 1 << slotBits;
    }

    int slot(long key) {
        return (int) (key >>> (BandBuckets.KEY_BITS - slotBits));
    }

    int fingerprint(long key) {
        return (int) (key >>> restBits) & 0xffff;
    }

    /** Of a key, or of an entry: the last bits of both. */
    int restOf(long keyOrEntry) {
        return (int) keyOrEntry & ((1 << restBits) - 1);
    }

    long key(int slot, int fingerprint, int rest) {
        return (long) slot << (BandBuckets.KEY_BITS - slotBits) | (long) fingerprint << restBits | rest;
    }

    /**
     * An entry of a cold column: the number of the document, then the rest of the key. It has 30 bits at most: a number
     * has up to 4 bits more than a slot, and slot and rest have 26.
     */
    int entry(int number, long key) {
        return number << restBits | restOf(key);
    }

    /** The number of the document of an entry that was read. Damage that gives another number is found by a merge. */
    int number(int entry, Path file) throws DamagedSegmentException {
        int number = entry >>> restBits;
        if (number >= documents) {
            throw new DamagedSegmentException(
                    file + ": expected the number of a document below " + documents + ", found " + number);
        }
        return number;
    }

    /** Where the slots begin in a band's hot column, after the fingerprints. */
    int slotsAt() {
        return (Short.BYTES * documents + Integer.BYTES - 1) / Integer.BYTES * Integer.BYTES;
    }

    long hotBytes() {
        long bytes = slotsAt() + (long) Integer.BYTES * (slots() + 1);
        return (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    }

    /** Reads by calls, not through the mapping: a page that cannot be read would end the process. */
    int readHotChecksum(FileChannel channel, int band, Path file) throws DamagedSegmentException {
        CRC32C checksum = new CRC32C();
        ByteBuffer chunk = littleEndianBuffer((int) Math.min(hotBytes(), CHUNK_BYTES));
        for (long at = 0; at < hotBytes(); at += chunk.limit()) {
            chunk.clear().limit((int) Math.min(hotBytes() - at, chunk.capacity()));
            readFully(channel, chunk, hotAt(band) + at, file);
            checksum.update(chunk);
        }
        return (int) checksum.getValue();
    }

    long hotAt(int band) {
        return HEADER_BYTES + band * hotBytes();
    }

    long coldAt(int band) {
        return hotAt(bands) + (long) band * documents * ENTRY_BYTES;
    }

    /** Of the reference of a document, and the tail of each of its keys. */
    static int documentBytes(int bands) {
        return Long.BYTES + bands;
    }

    /** The last 8 bits. */
    static byte tail(long key) {
        return (byte) key;
    }

    long documentsAt() {
        return coldAt(bands);
    }

    long tagsAt() {
        return documentsAt() + (long) documentBytes(bands) * documents;
    }

    /** Where the {@linkplain BandSegment#mayHave latest documents} are, up to the end. */
    long latestAt() {
        return tagsAt() + (long) Long.BYTES * documents;
    }

    /** Checks the number of entries of a band that was read. */
    int checkedCount(int entries, Path file) throws DamagedSegmentException {
        if (entries < 0 || entries > documents) {
            throw new DamagedSegmentException(
                    file + ": expected at most " + documents + " entries of a band, found " + entries);
        }
        return entries;
    }

    /**
     * The header of the file.
     *
     * @param latest how many {@linkplain BandSegment#mayHave latest documents} there are
     * @param checksums CRC-32C of the hot column of each band, of the cold column of each band, of documents, of
     *     tags, of the latest documents
     */
    record Header(SegmentLayout layout, int latest, List<Integer> checksums) {
        private static final int FIXED_BYTES = 24;
        private static final int OTHER_CHECKSUMS = 3;

        int hotChecksum(int band) {
            return checksums.get(band);
        }

        int coldChecksum(int band) {
            return checksums.get(layout.bands + band);
        }

        int documentsChecksum() {
            return checksums.get(2 * layout.bands);
        }

        int tagsChecksum() {
            return checksums.get(2 * layout.bands + 1);
        }

        int latestChecksum() {
            return checksums.get(2 * layout.bands + 2);
        }

        /** Over the checksums of all columns: it tells this file from others. */
        long checksum() {
            return Integer.toUnsignedLong(bytes().getInt(CHECKSUM_AT));
        }

        long fileBytes() {
            return layout.latestAt() + (long) Long.BYTES * latest;
        }

        static Header read(FileChannel channel, Path file) throws IOException {
            ByteBuffer bytes = littleEndianBuffer(HEADER_BYTES);
            readFully(channel, bytes, 0, file);
            if (bytes.getLong(0) != MAGIC) {
                throw new DamagedSegmentException(
                        file + ": expected a segment of layout 6, found another layout or other bytes");
            }
            if (crc(bytes.slice(0, CHECKSUM_AT)) != bytes.getInt(CHECKSUM_AT)) {
                throw new DamagedSegmentException(file + ": its header is not as it was written");
            }
            SegmentLayout layout = new SegmentLayout(bytes.getInt(8), bytes.getInt(12));
            bytes.position(FIXED_BYTES);
            List<Integer> checksums = new ArrayList<>();
            for (int i = 0; i < 2 * layout.bands + OTHER_CHECKSUMS; i++) {
                checksums.add(bytes.getInt());
            }
            return new Header(layout, bytes.getInt(16), checksums);
        }

        ByteBuffer bytes() {
            ByteBuffer bytes = littleEndianBuffer(HEADER_BYTES);
            bytes.putLong(0, MAGIC)
                    .putInt(8, layout.bands)
                    .putInt(12, layout.documents)
                    .putInt(16, latest)
                    .position(FIXED_BYTES);
            checksums.forEach(bytes::putInt);
            return bytes.putInt(CHECKSUM_AT, crc(bytes.slice(0, CHECKSUM_AT))).clear();
        }
    }

    static int crc(ByteBuffer bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return (int) checksum.getValue();
    }

    static ByteBuffer littleEndianBuffer(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Fills a buffer up to its limit, and flips it. A read that fails counts as damage: mostly it is permanent. */
    static void readFully(FileChannel channel, ByteBuffer into, long at, Path file) throws DamagedSegmentException {
        for (long next = at; into.hasRemaining(); ) {
            int read = -1;
            String found = "its end";
            try {
                read = channel.read(into, next);
            } catch (IOException e) {
                found = e.toString();
            }
            if (read < 0) {
                throw new DamagedSegmentException(
                        file + ": expected " + into.remaining() + " bytes more at byte " + next + ", found " + found);
            }
            next += read;
        }
        into.flip();
    }
}
