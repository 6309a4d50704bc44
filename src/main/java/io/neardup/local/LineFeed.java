package io.neardup.local;

import java.io.Closeable;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of several files in turn, as bytes. A file that begins with the bytes 1f 8b is read as gzip, whatever
 * its name; several gzip members in a row are one file, and other bytes after
 * a member are ignored, as gzip does. {@code -} is the standard input, which may be gzip too.
 *
 * <p>Only {@code \n} ends a line: a {@code \r} before it belongs to the line, and what follows the last one is a
 * line. Lines of ASCII white space alone are skipped, but counted in the numbers of those after them.
 *
 * <p>What cannot be read is an {@link IOException} that names the file, the line and what to do. Not thread-safe.
 */
public final class LineFeed implements Closeable {
    private static final int GZIP_MAGIC_0 = 0x1f;
    private static final int GZIP_MAGIC_1 = 0x8b;
    private static final int GZIP_BUFFER_LENGTH = 1 << 16;

    private static final String STANDARD_INPUT = "-";

    private final Deque<String> waiting;
    private final InputStream standardInput;
    private final String standardInputName;
    private final int lineBytesMax;

    private String source = "";
    private long number;
    private @Nullable LineReader reader;

    /**
     * A feed of which nothing is open yet.
     *
     * @param files paths, or {@code -} for the standard input
     * @param standardInput what {@code -} stands for; not closed
     * @param lineBytesMax a longer line comes without its bytes, as {@linkplain FeedLine#isOversized() oversized}
     */
    public LineFeed(List<String> files, InputStream standardInput, int lineBytesMax) {
        this(files, standardInput, "stdin", lineBytesMax);
    }

    private LineFeed(List<String> files, InputStream standardInput, String standardInputName, int lineBytesMax) {
        this.waiting = new ArrayDeque<>(files);
        this.standardInput = standardInput;
        this.standardInputName = standardInputName;
        this.lineBytesMax = lineBytesMax;
    }

    /**
     * A feed of one stream that is no file.
     *
     * @param source what its lines name as their source
     * @param in not closed
     */
    static LineFeed ofStream(String source, InputStream in, int lineBytesMax) {
        return new LineFeed(List.of(STANDARD_INPUT), in, source, lineBytesMax);
    }

    /** The next line, or null after the last line of the last file. */
    public @Nullable FeedLine next() throws IOException {
        while (reader != null || !waiting.isEmpty()) {
            LineReader current = reader != null ? reader : openNext();
            if (!advance(current)) {
                close();
            } else if (!current.isBlank()) {
                return line(current);
            }
        }
        return null;
    }

    /** Closes the file that is being read; the standard input stays open. */
    @Override
    public void close() throws IOException {
        LineReader current = reader;
        reader = null;
        if (current != null) {
            current.close();
        }
    }

    private FeedLine line(LineReader current) {
        return current.isOversized()
                ? FeedLine.oversized(source, number, current.length())
                : FeedLine.of(source, number, current.bytes());
    }

    private boolean advance(LineReader current) throws IOException {
        try {
            number++;
            return current.advance();
        } catch (EOFException | ZipException e) {
            throw new IOException(
                    source + " is damaged at line " + number + " (" + e.getMessage()
                            + "): its gzip data end early or are not gzip; fetch the file again",
                    e);
        } catch (IOException e) {
            throw unreadable("line " + number, e);
        }
    }

    private LineReader openNext() throws IOException {
        String file = waiting.remove();
        source = file.equals(STANDARD_INPUT) ? standardInputName : file;
        number = 0;
        InputStream raw = openRaw(file);
        try {
            LineReader opened = new LineReader(unpacked(raw), lineBytesMax);
            reader = opened;
            return opened;
        } catch (EOFException | ZipException e) {
            raw.close();
            throw new IOException(source + " begins like gzip but is not (" + e.getMessage() + "): fetch it again", e);
        } catch (IOException e) {
            raw.close();
            throw unreadable("line 1", e);
        }
    }

    private InputStream openRaw(String file) throws IOException {
        if (file.equals(STANDARD_INPUT)) {
            return new Unclosed(standardInput);
        }
        try {
            return Files.newInputStream(Path.of(file));
        } catch (NoSuchFileException e) {
            throw new IOException(file + " does not exist: check the path", e);
        } catch (IOException e) {
            throw unreadable("line 1", e);
        }
    }

    private IOException unreadable(String where, IOException e) {
        return new IOException(
                source + " cannot be read at " + where + " (" + e.getMessage()
                        + "): check that it is a file and that you may read it",
                e);
    }

    private static InputStream unpacked(InputStream raw) throws IOException {
        PushbackInputStream in = new PushbackInputStream(new AlwaysAvailable(raw), 2);
        byte[] magic = in.readNBytes(2);
        in.unread(magic);
        boolean gzip = magic.length == 2 && magic[0] == (byte) GZIP_MAGIC_0 && magic[1] == (byte) GZIP_MAGIC_1;
        return gzip ? new GZIPInputStream(in, GZIP_BUFFER_LENGTH) : in;
    }

    /**
     * {@link GZIPInputStream} takes a stream for ended that has nothing available just now. It would leave out the next
     * member of a pipe.
     */
    private static final class AlwaysAvailable extends FilterInputStream {
        AlwaysAvailable(InputStream in) {
            super(in);
        }

        @Override
        public int available() {
            return 1;
        }
    }

    private static final class Unclosed extends FilterInputStream {
        Unclosed(InputStream in) {
            super(in);
        }

        @Override
        public void close() {}
    }
}
