package io.neardup.engine.lsh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.zip.CRC32C;

/**
 * Writes numbers and whole arrays to a channel, big endian, with a checksum at the end. It needs one buffer of 1 MB.
 * {@link ArrayInput} reads what it wrote.
 */
public final class ArrayOutput {
    static final int BUFFER_BYTES = 1 << 20;

    private final WritableByteChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final CRC32C checksum = new CRC32C();
    private long flushed;

    public ArrayOutput(WritableByteChannel channel) {
        this.channel = channel;
    }

    public void writeInt(int value) throws IOException {
        room(Integer.BYTES);
        buffer.putInt(value);
    }

    public void writeLong(long value) throws IOException {
        room(Long.BYTES);
        buffer.putLong(value);
    }

    public void writeBytes(byte[] values) throws IOException {
        writeInt(values.length);
        for (int written = 0; written < values.length; ) {
            room(1);
            int count = Math.min(values.length - written, buffer.remaining());
            buffer.put(values, written, count);
            written += count;
        }
    }

    public void writeInts(int[] values) throws IOException {
        writeInt(values.length);
        for (int written = 0; written < values.length; ) {
            room(Integer.BYTES);
            int count = Math.min(values.length - written, buffer.remaining() / Integer.BYTES);
            buffer.asIntBuffer().put(values, written, count);
            buffer.position(buffer.position() + count * Integer.BYTES);
            written += count;
        }
    }

    public void writeLongs(long[] values) throws IOException {
        writeInt(values.length);
        for (int written = 0; written < values.length; ) {
            room(Long.BYTES);
            int count = Math.min(values.length - written, buffer.remaining() / Long.BYTES);
            buffer.asLongBuffer().put(values, written, count);
            buffer.position(buffer.position() + count * Long.BYTES);
            written += count;
        }
    }

    /** Ends with the CRC32C of everything before it, as an int. */
    public void finish() throws IOException {
        flush();
        writeInt((int) checksum.getValue());
        flush();
    }

    /** How much was written, in bytes. */
    public long bytes() {
        return flushed + buffer.position();
    }

    private void room(int bytes) throws IOException {
        if (buffer.remaining() < bytes) {
            flush();
        }
    }

    private void flush() throws IOException {
        flushed += buffer.position();
        buffer.flip();
        checksum.update(buffer.duplicate());
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }
}
