package io.neardup.tools.feed;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a file, unpacked if it begins like gzip or zstd. A read never goes over the end of a gzip member, so
 * that a reader knows where each begins: archives of crawls have a member a record. Not thread-safe.
 */
final class PackedInput extends InputStream {
    /** Text that people wrote is packed to a third or a tenth, and lists of numbers to a fiftieth. */
    static final int RATIO_MAX = 250;

    /** Up to here the ratio does not count. */
    static final long FREE_BYTES = 64L << 20;

    /** How a skippable frame begins that holds a dictionary, as archives of crawls have it (.warc.zst). */
    private static final int DICTIONARY_FRAME = 0x5d;

    private static final int MAGIC_LENGTH = 4;
    private static final int CHUNK_LENGTH = 1 << 13;

    private final Unpacker unpacker;
    private final Deque<Chunk> ahead = new ArrayDeque<>();
    private final ByteArrayOutputStream head = new ByteArrayOutputStream();
    /** Of the first chunk that was read ahead. */
    private int aheadRead;

    private @Nullable DamagedException damage;
    private long unpacked;
    private long offset;
    private boolean isMemberStart;

    /** How a file is packed. */
    enum Packing {
        PLAIN,
        GZIP,
        ZSTD
    }

    /** What a packed file is read with. */
    interface Unpacker {
        /** As {@link InputStream#read(byte[], int, int)}; does not go over the end of a member. */
        int read(byte[] into, int from, int length) throws IOException;

        /** Where the member of the last read begins in the file. */
        default long memberOffset() {
            return 0;
        }

        /** Whether the last read gave the first bytes of a member. */
        default boolean isMemberStart() {
            return false;
        }

        /** Bytes of the file that were taken so far. */
        long packedBytes();

        /** After damage: goes on with the next member; false if there is none. */
        default boolean skipDamage() throws IOException {
            return false;
        }

        /** After damage was skipped: whether the next member begins before it was met, so that one was cut. */
        default boolean isOverrun() {
            return false;
        }

        Packing packing();

        void close() throws IOException;
    }

    /** Bytes of one member that were read ahead. */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    private record Chunk(byte[] bytes, long offset, boolean isMemberStart) {}

    /** @throws DamagedException if the file begins like a packed one and is none */
    PackedInput(InputStream raw) throws IOException {
        PushbackInputStream in = new PushbackInputStream(raw, MAGIC_LENGTH);
        byte[] magic = in.readNBytes(MAGIC_LENGTH);
        in.unread(magic);
        this.unpacker = unpacker(magic, in);
    }

    private static Unpacker unpacker(byte[] magic, InputStream in) throws IOException {
        if (startsWith(magic, 0x1f, 0x8b)) {
            return new GzipMembers(in);
        }
        if (startsWith(magic, DICTIONARY_FRAME, 0x2a, 0x4d, 0x18)) {
            throw needsDictionary();
        }
        return startsWith(magic, 0x28, 0xb5, 0x2f, 0xfd) ? new ZstdFrames(in) : new Plain(in);
    }

    private static RefusedPackingException needsDictionary() {
        return new RefusedPackingException("expected zstd without a dictionary, found one that needs it: unpack it"
                + " with that dictionary first (zstd -d -D DICTIONARY)");
    }

    private static boolean startsWith(byte[] bytes, int... start) {
        for (int i = 0; i < start.length; i++) {
            if (i >= bytes.length || bytes[i] != (byte) start[i]) {
                return false;
            }
        }
        return true;
    }

    Packing packing() {
        return unpacker.packing();
    }

    /**
     * Where the bytes of the last read are: of a plain file its offset; of gzip that of the member in the file; of zstd
     * that in the unpacked bytes.
     */
    long offset() {
        return offset;
    }

    /** Where the gzip member begins that is being read, also if none of its bytes came. */
    long memberOffset() {
        return unpacker.memberOffset();
    }

    /** Whether the last read gave the first bytes of a gzip member. */
    boolean isMemberStart() {
        return isMemberStart;
    }

    /** After all was read ahead: whether there is nothing, not even damage. */
    boolean isEmpty() {
        return head.size() == 0 && damage == null;
    }

    /** What was read ahead, which is read again. */
    byte[] head() {
        return head.toByteArray();
    }

    /**
     * Reads more ahead; before the first read only.
     *
     * @param length as many bytes are there then, or a few more
     * @return false at the end, or where the file is damaged: what lies there is met again when it is read
     */
    boolean readAhead(int length) throws IOException {
        byte[] buffer = new byte[CHUNK_LENGTH];
        while (head.size() < length) {
            int count;
            try {
                count = readNext(buffer, 0, CHUNK_LENGTH);
            } catch (DamagedException e) {
                damage = e;
                return false;
            }
            if (count < 0) {
                return false;
            }
            ahead.add(new Chunk(Arrays.copyOf(buffer, count), offset, isMemberStart));
            head.write(buffer, 0, count);
        }
        return true;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        int count = read(one, 0, 1);
        return count < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        Chunk chunk = ahead.peek();
        if (chunk == null) {
            return readNext(into, from, length);
        }
        int at = aheadRead;
        int count = Math.min(length, chunk.bytes.length - at);
        System.arraycopy(chunk.bytes, at, into, from, count);
        isMemberStart = at == 0 && chunk.isMemberStart;
        offset = chunk.offset + (packing() == Packing.GZIP ? 0 : at);
        aheadRead += count;
        if (aheadRead == chunk.bytes.length) {
            ahead.remove();
            aheadRead = 0;
        }
        return count;
    }

    private int readNext(byte[] into, int from, int length) throws IOException {
        DamagedException met = damage;
        if (met != null) {
            damage = null;
            throw met;
        }
        int count = unpacker.read(into, from, length);
        if (count > 0) {
            isMemberStart = unpacker.isMemberStart();
            offset = packing() == Packing.GZIP ? unpacker.memberOffset() : unpacked;
            unpacked += count;
            checkRatio();
        }
        return count;
    }

    private void checkRatio() throws RefusedPackingException {
        long packed = unpacker.packedBytes();
        if (packing() != Packing.PLAIN && unpacked > FREE_BYTES && unpacked > RATIO_MAX * packed) {
            throw new RefusedPackingException("expected to unpack to at most " + RATIO_MAX + " times its size, found "
                    + unpacked + " bytes in the first " + packed
                    + ": it may have been made to fill a memory or a disk; where it is meant so, unpack it first");
        }
    }

    /** After a {@link DamagedException}: goes on with the next gzip member; false if there is none. */
    boolean skipDamage() throws IOException {
        return unpacker.skipDamage();
    }

    /**
     * After {@link #skipDamage}: whether the next gzip member begins before the damage was met. Then the member before
     * it breaks off, and what lies behind was read as if it belonged to it.
     */
    boolean isOverrun() {
        return unpacker.isOverrun();
    }

    @Override
    public void close() throws IOException {
        unpacker.close();
    }

    /** Not packed. */
    private static final class Plain implements Unpacker {
        private final InputStream in;
        private long read;

        Plain(InputStream in) {
            this.in = in;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int count = in.read(into, from, length);
            read += Math.max(0, count);
            return count;
        }

        @Override
        public long packedBytes() {
            return read;
        }

        @Override
        public Packing packing() {
            return Packing.PLAIN;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    /** Frames of zstd, with a window of 128 MB at most: the library refuses larger ones. */
    private static final class ZstdFrames implements Unpacker {
        private final Counted counted;
        private final ZstdInputStreamNoFinalizer in;

        ZstdFrames(InputStream in) throws IOException {
            this.counted = new Counted(in);
            this.in = new ZstdInputStreamNoFinalizer(counted);
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            try {
                return in.read(into, from, length);
            } catch (ZstdIOException e) {
                if (e.getErrorCode() == Zstd.errDictionaryWrong()) {
                    throw needsDictionary();
                }
                throw damage(e);
            }
        }

        private DamagedException damage(ZstdIOException e) {
            if (counted.isEnded) {
                return DamagedException.cut("its zstd data end early");
            }
            long code = e.getErrorCode();
            if (code == Zstd.errChecksumWrong()) {
                return DamagedException.broken("the checksum of its zstd frame is wrong", e);
            }
            return DamagedException.broken(
                    code == Zstd.errCorruptionDetected()
                            ? "its zstd frame cannot be unpacked"
                            : "its zstd data: " + e.getMessage(),
                    e);
        }

        @Override
        public long packedBytes() {
            return counted.count;
        }

        @Override
        public Packing packing() {
            return Packing.ZSTD;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }

    /** Counts what is read. */
    private static final class Counted extends FilterInputStream {
        private long count;
        private boolean isEnded;

        Counted(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            count += read < 0 ? 0 : 1;
            isEnded = read < 0;
            return read;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int read = super.read(into, from, length);
            count += Math.max(0, read);
            isEnded = read < 0;
            return read;
        }
    }
}
