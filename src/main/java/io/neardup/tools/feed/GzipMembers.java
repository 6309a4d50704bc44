package io.neardup.tools.feed;

import io.neardup.tools.feed.PackedInput.Packing;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Gzip (RFC 1952), member by member. Other bytes after the last member are ignored, as gzip does. After damage the next
 * bytes that begin like a member are looked for: {@link java.util.zip.GZIPInputStream} can do neither that nor tell
 * where a member begins.
 */
final class GzipMembers implements PackedInput.Unpacker {
    private static final int BUFFER_LENGTH = 1 << 16;
    private static final int HEADER_LENGTH = 10;
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
    private boolean isFirst;
    private boolean isMemberStart;
    private boolean isOverrun;
    private @Nullable DamagedException damage;

    /** @throws DamagedException if it does not begin with the header of a member */
    GzipMembers(InputStream in) throws IOException {
        this.in = in;
        beginMember();
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        DamagedException met = damage;
        if (met != null) {
            damage = null;
            throw met;
        }
        int count = 0;
        while (count == 0) {
            if (!isInMember && !nextMember()) {
                return -1;
            }
            count = inflate(into, from, length);
            if (inflater.finished()) {
                endMember(into, from, count);
            } else {
                crc.update(into, from, count);
            }
        }
        isMemberStart = isFirst;
        isFirst = false;
        return count;
    }

    private int inflate(byte[] into, int from, int length) throws IOException {
        try {
            int count = 0;
            while (count == 0 && !inflater.finished()) {
                if (inflater.needsDictionary()) {
                    throw DamagedException.broken("its gzip member needs a dictionary", null);
                }
                if (inflater.needsInput()) {
                    need(1);
                    inflater.setInput(buffer, position, limit - position);
                    position = limit;
                }
                count = inflater.inflate(into, from, length);
            }
            if (inflater.finished()) {
                position = limit - inflater.getRemaining();
            }
            return count;
        } catch (DataFormatException e) {
            throw DamagedException.broken("its gzip member cannot be unpacked", e);
        }
    }

    /** What is wrong is told with the next read, as these bytes are there. */
    private void endMember(byte[] into, int from, int count) throws IOException {
        crc.update(into, from, count);
        isInMember = false;
        try {
            checkEnd();
        } catch (DamagedException e) {
            if (count == 0) {
                throw e;
            }
            damage = e;
        }
    }

    private void checkEnd() throws IOException {
        long sum = littleEndian();
        long size = littleEndian();
        if (sum != crc.getValue() || size != (inflater.getBytesWritten() & 0xffffffffL)) {
            throw DamagedException.broken("the checksum or the length of its gzip member is wrong", null);
        }
    }

    private long littleEndian() throws IOException {
        long value = 0;
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            value |= (long) next() << shift;
        }
        return value;
    }

    /** Whether a member follows; other bytes are ignored at the end, and damage before a member. */
    private boolean nextMember() throws IOException {
        if (!has(2)) {
            return false;
        }
        if ((buffer[position] & 0xff) != 0x1f || (buffer[position + 1] & 0xff) != 0x8b) {
            memberOffset = bufferOffset + position;
            if (!findMember()) {
                return false;
            }
            throw DamagedException.broken("expected a gzip member, found other bytes before the next one", null);
        }
        beginMember();
        return true;
    }

    private void beginMember() throws IOException {
        memberOffset = bufferOffset + position;
        need(HEADER_LENGTH);
        int flags = buffer[position + 3] & 0xff;
        if (buffer[position + 2] != 8 || flags > 0x1f) {
            throw DamagedException.broken("its gzip member has no header of one", null);
        }
        position += HEADER_LENGTH;
        skipOptional(flags);
        inflater.reset();
        crc.reset();
        isInMember = true;
        isFirst = true;
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

    /** Looks from the second byte of the damaged member on, as far as the buffer still has it. */
    @Override
    public boolean skipDamage() throws IOException {
        long metAt = bufferOffset + (isInMember ? limit - inflater.getRemaining() : position);
        isInMember = false;
        isOverrun = false;
        position = (int) Math.max(0, Math.min(limit, memberOffset + 1 - bufferOffset));
        boolean isFound = findMember();
        isOverrun = isFound && bufferOffset + position < metAt;
        return isFound;
    }

    private boolean findMember() throws IOException {
        while (has(HEADER_LENGTH)) {
            if (isMagic(position)) {
                return true;
            }
            position++;
        }
        position = limit;
        return false;
    }

    @Override
    public boolean isOverrun() {
        return isOverrun;
    }

    private boolean isMagic(int at) {
        return buffer[at] == 0x1f
                && buffer[at + 1] == (byte) 0x8b
                && buffer[at + 2] == 8
                && (buffer[at + 3] & 0xe0) == 0;
    }

    private int next() throws IOException {
        need(1);
        return buffer[position++] & 0xff;
    }

    private void need(int length) throws IOException {
        if (!has(length)) {
            throw DamagedException.cut("its gzip data end early");
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
    public long memberOffset() {
        return memberOffset;
    }

    @Override
    public boolean isMemberStart() {
        return isMemberStart;
    }

    @Override
    public long packedBytes() {
        return bufferOffset + limit;
    }

    @Override
    public Packing packing() {
        return Packing.GZIP;
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        in.close();
    }
}
