package io.neardup.tools.feed;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Gzip (RFC 1952), member by member: a read never goes over the end of one, and the checksum of a member is looked at
 * by the read after its last byte. Zeros after the last member are padding, other bytes {@link #trailing}.
 *
 * <p>Of our own, as {@link java.util.zip.GZIPInputStream} cannot tell where a member begins, takes a pipe that is slow
 * for one that has ended, and bytes between members for the end; and jwarc looks at no checksum.
 */
final class GzipMembers extends InputStream {
    private static final int BUFFER_LENGTH = 1 << 16;
    private static final int HEADER_LENGTH = 10;
    private static final int TRAILER_LENGTH = 8;
    private static final int FLAG_HEADER_CRC = 2;
    private static final int FLAG_EXTRA = 4;
    private static final int FLAG_NAME = 8;
    private static final int FLAG_COMMENT = 16;

    private final InputStream in;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();
    private final byte[] buffer = new byte[BUFFER_LENGTH];
    private int position;
    private int limit;
    /** Of the first byte of the buffer. */
    private long bufferOffset;

    private long memberOffset;
    private boolean isInMember;
    /** Whether all bytes were zero that were passed in looking for a member. */
    private boolean passedZeros;

    private @Nullable DamagedException trailing;

    GzipMembers(InputStream in) {
        this.in = in;
    }

    /** Where the member begins in the file that is being read, also if none of its bytes came. */
    long memberOffset() {
        return memberOffset;
    }

    /** At the end: what is wrong after the last member, that is sound itself, or null. */
    @Nullable
    DamagedException trailing() {
        return trailing;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    /** @throws DamagedException with the offset of the member */
    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        int count = 0;
        while (count == 0 && length > 0) {
            if (isInMember && inflater.finished()) {
                endMember();
            }
            if (!isInMember && !beginMember()) {
                return -1;
            }
            count = inflate(into, from, length);
        }
        return count;
    }

    private int inflate(byte[] into, int from, int length) throws IOException {
        try {
            if (inflater.needsInput()) {
                need(1);
                inflater.setInput(buffer, position, limit - position);
                position = limit;
            }
            int count = inflater.inflate(into, from, length);
            crc.update(into, from, count);
            return count;
        } catch (DataFormatException e) {
            throw broken("its gzip member cannot be unpacked");
        }
    }

    private void endMember() throws IOException {
        position = limit - inflater.getRemaining();
        need(TRAILER_LENGTH);
        ByteBuffer trailer = ByteBuffer.wrap(buffer, position, TRAILER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        if (trailer.getInt() != (int) crc.getValue() || trailer.getInt() != (int) inflater.getBytesWritten()) {
            throw broken("the checksum or the length of its gzip member is wrong");
        }
        position += TRAILER_LENGTH;
        isInMember = false;
    }

    /** Whether a member follows; other bytes before one are damage. */
    private boolean beginMember() throws IOException {
        memberOffset = bufferOffset + position;
        if (!has(2) || buffer[position] != 0x1f || buffer[position + 1] != (byte) 0x8b) {
            if (findMember()) {
                throw broken("expected a gzip member, found other bytes before the next one");
            }
            if (!passedZeros) {
                trailing = broken("expected a gzip member or the end, found other bytes");
            }
            return false;
        }
        need(HEADER_LENGTH);
        if (!isMember()) {
            throw broken("its gzip member has no header of one");
        }
        int flags = buffer[position + 3];
        position += HEADER_LENGTH;
        skipOptional(flags);
        inflater.reset();
        crc.reset();
        isInMember = true;
        return true;
    }

    private void skipOptional(int flags) throws IOException {
        if ((flags & FLAG_EXTRA) != 0) {
            int length = next() | next() << Byte.SIZE;
            for (int i = 0; i < length; i++) {
                next();
            }
        }
        for (int flag : new int[] {FLAG_NAME, FLAG_COMMENT}) {
            if ((flags & flag) != 0) {
                while (next() != 0) {
                    // up to the end of a name
                }
            }
        }
        if ((flags & FLAG_HEADER_CRC) != 0) {
            next();
            next();
        }
    }

    /**
     * After damage: goes to the next bytes that begin like a member, from the second one of the damaged member on, as
     * far as the buffer still has it: where that is cut, the next one may have been read as a part of it.
     *
     * @return false if there are none
     */
    boolean nextMember() throws IOException {
        isInMember = false;
        position = (int) Math.max(0, Math.min(limit, memberOffset + 1 - bufferOffset));
        return findMember();
    }

    private boolean findMember() throws IOException {
        passedZeros = true;
        while (has(1)) {
            if (has(HEADER_LENGTH) && isMember()) {
                return true;
            }
            passedZeros &= buffer[position] == 0;
            position++;
        }
        return false;
    }

    private boolean isMember() {
        return buffer[position] == 0x1f
                && buffer[position + 1] == (byte) 0x8b
                && buffer[position + 2] == Deflater.DEFLATED
                && (buffer[position + 3] & 0xe0) == 0;
    }

    private DamagedException broken(String message) {
        return new DamagedException(Skip.BROKEN, memberOffset, message);
    }

    private int next() throws IOException {
        need(1);
        return buffer[position++] & 0xff;
    }

    private void need(int length) throws IOException {
        if (!has(length)) {
            throw new DamagedException(Skip.TRUNCATED, memberOffset, "its gzip data end early");
        }
    }

    /** Whether the buffer has so many bytes, or gets them. */
    private boolean has(int length) throws IOException {
        while (limit - position < length) {
            if (position > buffer.length - HEADER_LENGTH) {
                System.arraycopy(buffer, position, buffer, 0, limit - position);
                bufferOffset += position;
                limit -= position;
                position = 0;
            }
            int count = in.read(buffer, limit, buffer.length - limit);
            if (count < 0) {
                return false;
            }
            limit += count;
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        in.close();
    }
}
