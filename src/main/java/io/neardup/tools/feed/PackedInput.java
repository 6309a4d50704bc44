package io.neardup.tools.feed;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a file, unpacked if it begins like gzip or zstd. Archives of crawls have a gzip member a record: they
 * are read member by member. Not thread-safe.
 */
final class PackedInput extends InputStream {
    /** Text that people wrote is packed to a third or a tenth, and lists of numbers to a fiftieth. */
    static final int RATIO_MAX = 250;

    /** Up to here the ratio does not count. */
    static final long FREE_BYTES = 64L << 20;

    private static final int MAGIC_LENGTH = 4;

    private final Counted packed;
    private final boolean isPlain;
    private final @Nullable GzipMembers gzip;
    private final InputStream in;
    private long unpacked;
    private long offset;
    private boolean isBegun;

    /** @throws UnusableFileException if it needs a dictionary */
    PackedInput(InputStream raw) throws IOException {
        PushbackInputStream begun = new PushbackInputStream(raw, MAGIC_LENGTH);
        byte[] magic = begun.readNBytes(MAGIC_LENGTH);
        begun.unread(magic);
        packed = new Counted(begun);
        if (startsWith(magic, 0x5d, 0x2a, 0x4d, 0x18)) {
            // A skippable frame that holds a dictionary, as archives of crawls have it (.warc.zst).
            throw needsDictionary();
        }
        gzip = startsWith(magic, 0x1f, 0x8b) ? new GzipMembers(packed) : null;
        // With a window of 128 MB at most: the library refuses larger ones.
        boolean isZstd = startsWith(magic, 0x28, 0xb5, 0x2f, 0xfd);
        isPlain = gzip == null && !isZstd;
        in = gzip != null ? gzip : isZstd ? new ZstdInputStreamNoFinalizer(packed) : packed;
    }

    private static UnusableFileException needsDictionary() {
        return new UnusableFileException("expected zstd without a dictionary, found one that needs it: unpack it"
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

    boolean isGzip() {
        return gzip != null;
    }

    /**
     * Where the bytes of the last read are: of a plain file their offset; of gzip that of the member in the file; of
     * zstd that in the unpacked bytes.
     */
    long offset() {
        return offset;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        int count = read(one, 0, 1);
        return count < 0 ? -1 : one[0] & 0xff;
    }

    /** @throws DamagedException if it cannot be unpacked any further */
    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        try {
            return counted(in.read(into, from, length));
        } catch (ZstdIOException e) {
            if (e.getErrorCode() == Zstd.errDictionaryWrong()) {
                throw needsDictionary();
            }
            throw packed.isEnded
                    ? new DamagedException(Skip.TRUNCATED, unpacked, "its zstd data end early")
                    : new DamagedException(
                            Skip.BROKEN, unpacked, "its zstd frame cannot be unpacked: " + e.getMessage());
        }
    }

    private int counted(int count) throws UnusableFileException {
        if (count > 0) {
            offset = gzip != null ? gzip.memberOffset() : unpacked;
            unpacked += count;
            checkRatio();
        }
        return count;
    }

    // ---- member by member; what is not gzip is one

    /** Goes to the next gzip member; false at the end. */
    boolean beginMember() throws IOException {
        boolean isFirst = !isBegun;
        isBegun = true;
        return gzip == null ? isFirst : gzip.beginMember();
    }

    /** As {@link #read}, but -1 at the end of the member. */
    int readMember(byte[] into, int from, int length) throws IOException {
        return gzip == null ? read(into, from, length) : counted(gzip.readMember(into, from, length));
    }

    private void checkRatio() throws UnusableFileException {
        if (!isPlain && unpacked > FREE_BYTES && unpacked > RATIO_MAX * packed.count) {
            throw new UnusableFileException("expected to unpack to at most " + RATIO_MAX + " times its size, found "
                    + unpacked + " bytes in the first " + packed.count
                    + ": it may have been made to fill a memory or a disk; where it is meant so, unpack it first");
        }
    }

    /** After a {@link DamagedException}: finds the next gzip member; false if there is none. */
    boolean findMember() throws IOException {
        return gzip != null && gzip.nextMember();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private static final class Counted extends FilterInputStream {
        private long count;
        private boolean isEnded;

        Counted(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            throw new UnsupportedOperationException("read by arrays alone");
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
