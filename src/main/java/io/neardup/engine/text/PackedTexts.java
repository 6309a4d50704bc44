package io.neardup.engine.text;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/**
 * Texts with a number from 0 on each, packed: they are needed only now and then. Of each text only the bytes are kept
 * by which it differs from the one before, and all of them are deflated. Immutable.
 */
final class PackedTexts {
    private static final int CHUNK = 1 << 14;

    private final List<byte[]> chunks;
    private final int size;

    private PackedTexts(List<byte[]> chunks, int size) {
        this.chunks = chunks;
        this.size = size;
    }

    /** Takes the texts, one after the other. */
    interface Visitor<E extends Exception> {
        /**
         * Takes one.
         *
         * @param utf8 the text in its first bytes; not to be kept or changed
         */
        void visit(int number, byte[] utf8, int length) throws E;
    }

    int size() {
        return size;
    }

    /** Shows all texts, in the order in which they were added. */
    <E extends Exception> void forEach(Visitor<E> visitor) throws E {
        List<InputStream> parts = new ArrayList<>();
        chunks.forEach(chunk -> parts.add(new ByteArrayInputStream(chunk)));
        Unpacker unpacker = new Unpacker(new SequenceInputStream(Collections.enumeration(parts)));
        try (unpacker) {
            for (int i = 0; i < size; i++) {
                unpacker.next();
                visitor.visit(unpacker.number, unpacker.text, unpacker.length);
            }
        }
    }

    /** Reads one text after the other. Its own failures are no input or output: all is in memory. */
    private static final class Unpacker implements AutoCloseable {
        private final Inflater inflater = new Inflater();
        private final DataInputStream in;
        private byte[] text = new byte[64];
        private int number;
        private int length;

        Unpacker(InputStream packed) {
            this.in = new DataInputStream(new BufferedInputStream(new InflaterInputStream(packed, inflater)));
        }

        void next() {
            try {
                number = readNumber(in);
                int shared = readNumber(in);
                length = shared + readNumber(in);
                if (text.length < length) {
                    text = Arrays.copyOf(text, 2 * length);
                }
                in.readFully(text, shared, length - shared);
            } catch (IOException e) {
                throw new UncheckedIOException("Texts in memory", e);
            }
        }

        @Override
        public void close() {
            inflater.end();
        }
    }

    private static int readNumber(DataInputStream in) throws IOException {
        int number = 0;
        int shift = 0;
        int part;
        do {
            part = in.readByte();
            number |= (part & 0x7F) << shift;
            shift += 7;
        } while (part < 0);
        return number;
    }

    /** Packs texts. Not thread-safe. */
    static final class Packer implements Closeable {
        private final Chunks chunks = new Chunks();
        private final Deflater deflater = new Deflater();
        private final DataOutputStream out = new DataOutputStream(
                new BufferedOutputStream(new DeflaterOutputStream(chunks, deflater, CHUNK), CHUNK));
        private byte[] last = new byte[0];
        private int size;

        void add(int number, byte[] utf8) {
            int shared = Math.max(0, Arrays.mismatch(last, utf8));
            try {
                writeNumber(number);
                writeNumber(shared);
                writeNumber(utf8.length - shared);
                out.write(utf8, shared, utf8.length - shared);
            } catch (IOException e) {
                throw new UncheckedIOException("Texts in memory", e);
            }
            last = utf8;
            size++;
        }

        /** Seven bits a byte, the lowest first; the sign bit tells that more follow. */
        private void writeNumber(int number) throws IOException {
            int left = number;
            while (left >= 0x80) {
                out.writeByte(left | 0x80);
                left >>>= 7;
            }
            out.writeByte(left);
        }

        int size() {
            return size;
        }

        PackedTexts finish() {
            try {
                out.close();
            } catch (IOException e) {
                throw new UncheckedIOException("Texts in memory", e);
            }
            return new PackedTexts(chunks.finish(), size);
        }

        /** Gives back what the deflater holds outside the heap. */
        @Override
        public void close() {
            deflater.end();
        }
    }

    /** Bytes that grow by pieces: to grow an array would take its size again for a moment. */
    private static final class Chunks extends OutputStream {
        private final List<byte[]> full = new ArrayList<>();

        @Override
        public void write(int b) {
            full.add(new byte[] {(byte) b});
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            full.add(Arrays.copyOfRange(bytes, from, from + length));
        }

        List<byte[]> finish() {
            return List.copyOf(full);
        }
    }
}
