package io.neardup.engine.lsh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** Reads a column of a {@link BandSegment} from its beginning on, by any thread, and checks it at its end. */
final class ColumnReader {
    private static final int CHUNK_BYTES = 1 << 16;
    static final long UNCHECKED = -1;

    private final FileChannel channel;
    private final Path file;
    private final long end;
    private final long checksum;
    private final CRC32C read = new CRC32C();
    private final ByteBuffer chunk =
            ByteBuffer.allocate(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN).limit(0);
    private long at;

    /** @param checksum of the column; {@value #UNCHECKED} to check nothing */
    ColumnReader(FileChannel channel, Path file, long at, long bytes, long checksum) {
        this.channel = channel;
        this.file = file;
        this.at = at;
        this.end = at + bytes;
        this.checksum = checksum;
    }

    /** The next bytes, of which there are at least so many. */
    ByteBuffer next(int bytes) throws IOException {
        if (chunk.remaining() < bytes) {
            int left = chunk.remaining();
            chunk.compact().limit((int) Math.min(CHUNK_BYTES, left + end - at));
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
