package io.neardup.engine.lsh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The documents of a {@link BandSegment} that were there when this was made, for one that is written of them: by
 * another thread, too.
 */
final class SegmentReader implements SegmentSource {
    private final Path file;
    private final FileChannel channel;
    private final SegmentLayout layout;
    private final Renumbering numbers;

    SegmentReader(Path file, FileChannel channel, SegmentLayout layout, BitSet gone) {
        this.file = file;
        this.channel = channel;
        this.layout = layout;
        this.numbers = new Renumbering(gone, layout.documents);
    }

    @Override
    public int documents() {
        return numbers.left();
    }

    @Override
    public int number(int number) {
        return numbers.number(number);
    }

    @Override
    public boolean isWritten(int number) {
        return !numbers.isGone(number);
    }

    @Override
    public Entries entries(int band) throws IOException {
        return new SegmentEntries(this, band);
    }

    @Override
    public void forEach(Documents into) throws IOException {
        ColumnReader documentRefs = reader(layout.documentsAt());
        ColumnReader tags = reader(layout.tagsAt());
        for (int number = 0; number < layout.documents; number++) {
            long document = documentRefs.next(Long.BYTES).getLong();
            long tag = tags.next(Long.BYTES).getLong();
            if (!numbers.isGone(number)) {
                into.accept(document, tag);
            }
        }
    }

    ColumnReader reader(long at) {
        return new ColumnReader(channel, file, at, layout.latestAt());
    }

    private static final class SegmentEntries implements Entries {
        private final SegmentReader of;
        private final ColumnReader slots;
        private final ColumnReader fingerprints;
        private final ColumnReader cold;
        private int entry = -1;
        private int slot = -1;
        private int slotEnd;
        private long key;
        private int number;

        SegmentEntries(SegmentReader of, int band) throws IOException {
            this.of = of;
            slots = of.reader(of.layout.hotAt(band));
            fingerprints = of.reader(of.layout.hotAt(band) + of.layout.fingerprintsAt());
            cold = of.reader(of.layout.coldAt(band));
            slotEnd = slots.next(Integer.BYTES).getInt();
        }

        @Override
        public boolean next() throws IOException {
            do {
                entry++;
                while (entry >= slotEnd) {
                    slot++;
                    if (slot == of.layout.slots()) {
                        return false;
                    }
                    slotEnd = slots.next(Integer.BYTES).getInt();
                }
                int fingerprint = fingerprints.next(Short.BYTES).getShort() & 0xffff;
                ByteBuffer rest = cold.next(of.layout.entryBytes);
                number = rest.getInt();
                key = of.layout.key(slot, fingerprint, of.layout.rest(rest));
            } while (of.numbers.isGone(number));
            number = of.numbers.number(number);
            return true;
        }

        @Override
        public long key() {
            return key;
        }

        @Override
        public int number() {
            return number;
        }
    }

    /** The numbers of those that are left when others are gone. */
    static final class Renumbering {
        private static final int WORD_BITS = 6;
        private static final int BLOCK_BITS = 9;
        private static final int WORDS_OF_BLOCK = 1 << (BLOCK_BITS - WORD_BITS);

        private final long[] gone;
        /** By block, how many are gone before it. */
        private final int[] goneBefore;

        private final int left;

        Renumbering(BitSet gone, int documents) {
            this.gone = Arrays.copyOf(gone.toLongArray(), (documents >>> WORD_BITS) + 1);
            this.goneBefore = new int[(documents >>> BLOCK_BITS) + 1];
            int count = 0;
            for (int word = 0; word < this.gone.length; word++) {
                if (word % WORDS_OF_BLOCK == 0) {
                    goneBefore[word / WORDS_OF_BLOCK] = count;
                }
                count += Long.bitCount(this.gone[word]);
            }
            this.left = documents - count;
        }

        int left() {
            return left;
        }

        boolean isGone(int number) {
            return (gone[number >>> WORD_BITS] >>> number & 1) != 0;
        }

        /** The new number of one that is left. */
        int number(int number) {
            int word = number >>> WORD_BITS;
            int before = goneBefore[number >>> BLOCK_BITS];
            for (int other = word / WORDS_OF_BLOCK * WORDS_OF_BLOCK; other < word; other++) {
                before += Long.bitCount(gone[other]);
            }
            return number - before - Long.bitCount(gone[word] & ((1L << number) - 1));
        }
    }

    /** Reads a column from its beginning on. */
    private static final class ColumnReader {
        private static final int CHUNK_BYTES = 1 << 16;

        private final FileChannel channel;
        private final Path file;
        private final long end;
        private final ByteBuffer chunk =
                ByteBuffer.allocate(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN).limit(0);
        private long at;

        ColumnReader(FileChannel channel, Path file, long at, long end) {
            this.channel = channel;
            this.file = file;
            this.at = at;
            this.end = end;
        }

        /** The next bytes, of which there are at least so many. */
        ByteBuffer next(int bytes) throws IOException {
            if (chunk.remaining() < bytes) {
                at -= chunk.remaining();
                chunk.clear().limit((int) Math.min(CHUNK_BYTES, end - at));
                int count = chunk.limit();
                SegmentLayout.readFully(channel, chunk, at, file);
                at += count;
            }
            return chunk;
        }
    }
}
