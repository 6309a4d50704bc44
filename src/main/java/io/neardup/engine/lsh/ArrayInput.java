package io.neardup.engine.lsh;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * Reads what {@link ArrayOutput} wrote, straight into new arrays. It checks nothing: the caller has checked the sum of
 * the bytes before, or bounds what it reads. Every method throws an {@link EOFException} if the bytes end too early.
 */
public final class ArrayInput {
    private final ReadableByteChannel channel;
    private final ByteBuffer buffer =
            ByteBuffer.allocateDirect(ArrayOutput.BUFFER_BYTES).limit(0);

    public ArrayInput(ReadableByteChannel channel) {
        this.channel = channel;
    }

    public int readInt() throws IOException {
        require(Integer.BYTES);
        return buffer.getInt();
    }

    public long readLong() throws IOException {
        require(Long.BYTES);
        return buffer.getLong();
    }

    public byte[] readBytes() throws IOException {
        return readBytes(Integer.MAX_VALUE);
    }

    /**
     * Reads no more than so many.
     *
     * @throws IOException if there are more
     */
    public byte[] readBytes(int max) throws IOException {
        int length = readInt();
        if (length < 0 || length > max) {
            throw new IOException("expected at most " + max + " bytes, found " + length);
        }
        byte[] values = new byte[length];
        for (int read = 0; read < values.length; ) {
            require(1);
            int count = Math.min(values.length - read, buffer.remaining());
            buffer.get(values, read, count);
            read += count;
        }
        return values;
    }

    public int[] readInts() throws IOException {
        int[] values = new int[readInt()];
        for (int read = 0; read < values.length; ) {
            require(Integer.BYTES);
            int count = Math.min(values.length - read, buffer.remaining() / Integer.BYTES);
            buffer.asIntBuffer().get(values, read, count);
            buffer.position(buffer.position() + count * Integer.BYTES);
            read += count;
        }
        return values;
    }

    public long[] readLongs() throws IOException {
        long[] values = new long[readInt()];
        for (int read = 0; read < values.length; ) {
            require(Long.BYTES);
            int count = Math.min(values.length - read, buffer.remaining() / Long.BYTES);
            buffer.asLongBuffer().get(values, read, count);
            buffer.position(buffer.position() + count * Long.BYTES);
            read += count;
        }
        return values;
    }

    private void require(int bytes) throws IOException {
        if (buffer.remaining() >= bytes) {
            return;
        }
        buffer.compact();
        while (buffer.position() < bytes) {
            if (channel.read(buffer) < 0) {
                throw new EOFException("expected " + (bytes - buffer.position()) + " more bytes, found the end");
            }
        }
        buffer.flip();
    }
}
