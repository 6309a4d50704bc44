package io.neardup.engine.lsh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Writes the documents of some parts, without those removed, as one {@link BandSegment}. */
final class SegmentWriter {
    private static final int LOOK_ENTRIES = 1 << 16;
    /**
     * The kernel keeps a write of this size as a huge page, if it and the file system can (Linux 6.18 with ext4 does),
     * and maps it as one. Random reads in 3 GB then take two thirds of the time.
     */
    private static final int HUGE_PAGE_BYTES = 1 << 21;

    /** How many bytes are written before they are forced to the disk: the last time cannot be cancelled. */
    private static final int FORCED_BYTES = 1 << 26;

    private final SegmentLayout layout;
    private final List<BandPart> parts;
    private final List<Renumbering> numbers;
    private final BooleanSupplier cancelled;
    private long unforcedBytes;

    /**
     * @param parts the oldest first
     * @param numbers the new numbers of the documents of each part
     * @param cancelled asked now and then
     */
    SegmentWriter(SegmentLayout layout, List<BandPart> parts, List<Renumbering> numbers, BooleanSupplier cancelled) {
        this.layout = layout;
        this.parts = parts;
        this.numbers = numbers;
        this.cancelled = cancelled;
    }

    /**
     * Writes the file. It is on the disk when this returns, or is deleted; if that fails, the next call deletes it.
     *
     * @return whether it was written as a whole, and not cancelled
     */
    boolean write(Path file) throws IOException {
        Files.deleteIfExists(file);
        boolean isWhole = false;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ColumnWriter hot = new ColumnWriter(channel, layout.hotAt(0), HUGE_PAGE_BYTES);
            List<Integer> checksums = new ArrayList<>();
            List<Integer> coldChecksums = new ArrayList<>();
            int[] ends = new int[layout.slots()]; // One for all bands: of many documents it is large.
            for (int band = 0; band < layout.bands && !cancelled.getAsBoolean(); band++) {
                ColumnWriter cold = new ColumnWriter(channel, layout.coldAt(band));
                writeBand(band, hot, cold, ends);
                checksums.add(hot.checksum());
                coldChecksums.add(cold.end());
            }
            hot.flush();
            if (!cancelled.getAsBoolean()) {
                checksums.addAll(coldChecksums);
                writeDocuments(channel, checksums);
                channel.force(true);
                isWhole = !cancelled.getAsBoolean();
            }
        } finally {
            if (!isWhole) {
                Files.deleteIfExists(file);
            }
        }
        return isWhole;
    }

    private void writeBand(int band, ColumnWriter hot, ColumnWriter cold, int[] ends) throws IOException {
        Arrays.fill(ends, 0);
        List<Source> sources = sources(band);
        int count = 0;
        for (Source next = least(sources); next != null; next = least(sources)) {
            long key = next.key;
            ends[layout.slot(key)] = ++count;
            hot.room(Short.BYTES).putShort((short) layout.fingerprint(key));
            cold.room(SegmentLayout.ENTRY_BYTES).putInt(layout.entry(next.number, key));
            if (!next.next()) {
                sources.remove(next);
            }
            if (count % LOOK_ENTRIES == 0 && cancelled.getAsBoolean()) {
                return;
            }
        }
        hot.pad(layout.slotsAt() - Short.BYTES * count);
        hot.room(Integer.BYTES).putInt(0);
        int end = 0;
        for (int ofSlot : ends) {
            end = Math.max(end, ofSlot);
            hot.room(Integer.BYTES).putInt(end);
        }
        hot.pad(layout.hotBytes() - layout.slotsAt() - (long) Integer.BYTES * (ends.length + 1));
    }

    /** Writes the references of documents with the tails of their keys, their tags, and the header. */
    private void writeDocuments(FileChannel channel, List<Integer> checksums) throws IOException {
        ColumnWriter documents = new ColumnWriter(channel, layout.documentsAt());
        ColumnWriter tags = new ColumnWriter(channel, layout.tagsAt());
        int documentBytes = SegmentLayout.documentBytes(layout.bands);
        SortedMap<Long, Long> latest = new TreeMap<>();
        for (int i = 0; i < parts.size(); i++) {
            BandPart part = parts.get(i);
            BandPart.Documents documentsOfPart = part.documentColumn();
            BandPart.Column tagsOfPart = part.tagColumn();
            for (int number = 0; number < part.documents(); number++) {
                if (number % LOOK_ENTRIES == 0 && cancelled.getAsBoolean()) {
                    return;
                }
                ByteBuffer next = documentsOfPart.next();
                long document = next.getLong(next.position());
                long tag = tagsOfPart.next();
                if (numbers.get(i).isGone(number)) {
                    next.position(next.position() + documentBytes);
                } else {
                    documents.copy(next, documentBytes);
                    tags.room(Long.BYTES).putLong(tag);
                    latest.merge(document >> BandSegment.GROUP_SHIFT, document, Math::max);
                }
            }
        }
        checksums.add(documents.end());
        checksums.add(tags.end());
        ColumnWriter last = new ColumnWriter(channel, layout.latestAt());
        for (long document : latest.values()) {
            last.room(Long.BYTES).putLong(document);
        }
        checksums.add(last.end());
        ByteBuffer header = new SegmentLayout.Header(layout, latest.size(), checksums).bytes();
        for (long at = 0; header.hasRemaining(); ) {
            at += channel.write(header, at);
        }
    }

    /** The parts that have entries of a band, the oldest first. */
    private List<Source> sources(int band) throws IOException {
        List<Source> sources = new ArrayList<>();
        int base = 0;
        for (int i = 0; i < parts.size(); i++) {
            Source source = new Source(parts.get(i).entries(band), numbers.get(i), base);
            base += numbers.get(i).left();
            if (source.next()) {
                sources.add(source);
            }
        }
        return sources;
    }

    /** The one with the least key, of equal ones the oldest. There are few. */
    private static @Nullable Source least(List<Source> sources) {
        Source least = null;
        for (int i = 0; i < sources.size(); i++) {
            Source source = sources.get(i);
            least = least == null || source.key < least.key ? source : least;
        }
        return least;
    }

    /** The entries of a band of one part that are not gone. */
    private static final class Source {
        private static final int READ_ENTRIES = 1024;

        private final BandPart.Entries entries;
        private final Renumbering renumbering;
        private final int base;
        private final long[] keys = new long[READ_ENTRIES];
        private final int[] numbers = new int[READ_ENTRIES];
        private int count;
        private int next;
        long key;
        int number;

        Source(BandPart.Entries entries, Renumbering renumbering, int base) {
            this.entries = entries;
            this.renumbering = renumbering;
            this.base = base;
        }

        boolean next() throws IOException {
            if (next == count && !readMore()) {
                return false;
            }
            key = keys[next];
            number = numbers[next++];
            return true;
        }

        /** The next of those that are left, by their new numbers; false at the end. */
        private boolean readMore() throws IOException {
            next = 0;
            count = 0;
            for (int read = -1; count == 0 && read != 0; ) {
                read = entries.read(keys, numbers);
                for (int i = 0; i < read; i++) {
                    if (!renumbering.isGone(numbers[i])) {
                        keys[count] = keys[i];
                        numbers[count++] = base + renumbering.number(numbers[i]);
                    }
                }
            }
            return count > 0;
        }
    }

    /** Writes columns from the beginning of the first on, without gaps. */
    private final class ColumnWriter {
        private final FileChannel channel;
        private final ByteBuffer chunk;
        private final CRC32C checksum = new CRC32C();
        /** What lies before it in the chunk is in the checksum, or of an earlier column. */
        private int checked;

        private long at;

        ColumnWriter(FileChannel channel, long at) {
            this(channel, at, SegmentLayout.CHUNK_BYTES);
        }

        /**
         * @param chunkBytes size of a write; writes end at multiples of it in the file while values fill each chunk
         *     exactly
         */
        ColumnWriter(FileChannel channel, long at, int chunkBytes) {
            this.channel = channel;
            this.at = at;
            this.chunk = SegmentLayout.littleEndianBuffer(chunkBytes).limit(chunkBytes - (int) (at % chunkBytes));
        }

        /** The buffer for the next bytes, with at least this much room. */
        ByteBuffer room(int bytes) throws IOException {
            if (chunk.remaining() < bytes) {
                flush();
            }
            return chunk;
        }

        /** Takes bytes from a buffer. */
        void copy(ByteBuffer from, int bytes) throws IOException {
            ByteBuffer into = room(bytes);
            into.put(into.position(), from, from.position(), bytes);
            into.position(into.position() + bytes);
            from.position(from.position() + bytes);
        }

        /** Writes zero bytes, an even number of them. */
        void pad(long bytes) throws IOException {
            for (long left = bytes; left > 0; left -= Short.BYTES) {
                room(Short.BYTES).putShort((short) 0);
            }
        }

        private void check() {
            checksum.update(chunk.slice(checked, chunk.position() - checked));
            checked = chunk.position();
        }

        /** Ends a column; its checksum. */
        int checksum() {
            check();
            int ofColumn = (int) checksum.getValue();
            checksum.reset();
            return ofColumn;
        }

        void flush() throws IOException {
            check();
            chunk.flip();
            unforcedBytes += chunk.remaining();
            while (chunk.hasRemaining()) {
                at += channel.write(chunk, at);
            }
            if (unforcedBytes >= FORCED_BYTES) {
                channel.force(false);
                unforcedBytes = 0;
            }
            chunk.clear();
            checked = 0;
        }

        /** Writes what is left of the last column; its checksum. */
        int end() throws IOException {
            flush();
            return checksum();
        }
    }
}
