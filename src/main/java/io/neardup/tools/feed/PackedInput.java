package io.neardup.tools.feed;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import org.apache.commons.io.input.BoundedInputStream;
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

    private static final int MAGIC_LENGTH = 4;
    private static final int CHUNK_LENGTH = 1 << 13;

    private final BoundedInputStream packed;
    private final @Nullable GzipMembers gzip;
    private final InputStream in;
    private long unpacked;
    private long offset;

    PackedInput(InputStream raw) throws IOException {
        PushbackInputStream begun = new PushbackInputStream(raw, MAGIC_LENGTH);
        byte[] magic = begun.readNBytes(MAGIC_LENGTH);
        begun.unread(magic);
        packed = BoundedInputStream.builder().setInputStream(begun).get();
        gzip = startsWith(magic, 0x1f, 0x8b) ? new GzipMembers(packed) : null;
        // Skippable frames are passed over, as the one that pzstd begins with.
        boolean isSkippable =
                magic.length > 0 && (magic[0] & 0xf0) == 0x50 && startsWith(magic, magic[0], 0x2a, 0x4d, 0x18);
        // With a window of 128 MB at most: the library refuses larger ones.
        boolean isZstd = isSkippable || startsWith(magic, 0x28, 0xb5, 0x2f, 0xfd);
        in = gzip != null ? gzip : isZstd ? new ZstdInputStreamNoFinalizer(packed) : packed;
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

    /** The beginning of what can be unpacked of the first bytes of a file, up to a length or a few more. */
    static byte[] head(byte[] first, int length) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        byte[] buffer = new byte[CHUNK_LENGTH];
        try (PackedInput in = new PackedInput(new ByteArrayInputStream(first))) {
            for (int count = 0; count >= 0 && head.size() < length; count = in.read(buffer)) {
                head.write(buffer, 0, count);
            }
        } catch (DamagedException e) {
            // Or more is needed; what is damaged is met again when it is read.
            return head.toByteArray();
        }
        return head.toByteArray();
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
        int count;
        try {
            count = in.read(into, from, length);
        } catch (ZstdIOException e) {
            throw new DamagedException(Skip.BROKEN, unpacked, "its zstd data cannot be unpacked: " + e.getMessage());
        }
        if (count > 0) {
            offset = gzip != null ? gzip.memberOffset() : unpacked;
            unpacked += count;
            checkRatio();
        }
        return count;
    }

    private void checkRatio() throws UnusableFileException {
        if (unpacked > FREE_BYTES && unpacked > RATIO_MAX * packed.getCount()) {
            throw new UnusableFileException("expected to unpack to at most " + RATIO_MAX + " times its size, found "
                    + unpacked + " bytes in the first " + packed.getCount()
                    + ": it may have been made to fill a memory or a disk; where it is meant so, unpack it first");
        }
    }

    /** At the end: what is wrong after all that could be unpacked, or null. */
    @Nullable
    DamagedException trailing() {
        return gzip == null ? null : gzip.trailing();
    }

    /** After a {@link DamagedException}: goes on with the next gzip member; false if there is none. */
    boolean nextMember() throws IOException {
        return gzip != null && gzip.nextMember();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
