package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import io.neardup.engine.lsh.ArrayInput;
import io.neardup.engine.lsh.ArrayOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The file that a band table starts from, with the changelog's offset at which it was written. Only what came after
 * that is read from the changelog. The file is replaced as a whole or not at all. It only saves time: a
 * store that cannot read or write it goes without. It names its changelog, as an offset says nothing of another one.
 *
 * <p>Layout, big endian: version, the name of the changelog's partition, bands, bucketMax, the table, time written,
 * offset, CRC32C of all before.
 */
public final class BandSnapshot {
    static final int VERSION = 4;

    /**
     * Far below the time for which the changelog keeps the marker of a removal. Whoever starts from what is older than
     * that time may miss that a segment is gone.
     */
    public static final Duration AGE_MAX = Duration.ofHours(12);

    private static final int HEADER_BYTES = 2 * Long.BYTES;
    /** Without a name and a table. */
    private static final int BYTES_MIN = 4 * Integer.BYTES + HEADER_BYTES + Integer.BYTES;

    private static final int NAME_BYTES_MAX = 1_000;

    private static final int BUFFER_BYTES = 1 << 20;

    private final Path file;
    private final String changelog;
    private final int bands;
    private final int bucketMax;

    /** @param changelog a name that no partition of another changelog has, of this index or another; some 100 bytes */
    public BandSnapshot(Path file, String changelog, int bands, int bucketMax) {
        this.file = file;
        this.changelog = changelog;
        this.bands = bands;
        this.bucketMax = bucketMax;
    }

    /**
     * When the file was written, and what of.
     *
     * @param offset of the last changelog record that is in the table
     */
    public record Header(long writtenMillis, long offset) {
        /** Whether it was written longer ago than that; a time that lies as far ahead is no better. */
        public boolean isOlderThan(Duration age, long nowMillis) {
            return Math.abs(nowMillis - writtenMillis) > age.toMillis();
        }
    }

    /** What a file holds. */
    public record Content(Header header, LoggedBandTable table) {}

    public Path file() {
        return file;
    }

    /** How long the file is; 0 if there is none. */
    public long bytes() {
        return file.toFile().length();
    }

    /**
     * Replaces the file.
     *
     * @throws IOException if the disk does not take it; the file before is still there then
     */
    public void write(LoggedBandTable table, Header header) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".tmp");
        writeTo(unfinished, table, header);
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private void writeTo(Path unfinished, LoggedBandTable table, Header header) throws IOException {
        try (FileChannel channel = FileChannel.open(unfinished, CREATE, TRUNCATE_EXISTING, WRITE)) {
            ArrayOutput to = new ArrayOutput(channel);
            writeStart(to);
            table.beginCopy(to);
            try {
                table.endCopy(to);
            } finally {
                table.dropCopy();
            }
            writeEnd(to, header);
            channel.force(true);
        }
    }

    void writeStart(ArrayOutput to) throws IOException {
        to.writeInt(VERSION);
        to.writeBytes(changelog.getBytes(UTF_8));
        to.writeInt(bands);
        to.writeInt(bucketMax);
    }

    static void writeEnd(ArrayOutput to, Header header) throws IOException {
        to.writeLong(header.writtenMillis());
        to.writeLong(header.offset());
        to.finish();
    }

    /**
     * Reads the file, if there is one.
     *
     * @throws IOException if it is not to be used: of another version, changelog or shape, damaged, or too old
     */
    public Optional<Content> read(long nowMillis, LoggedBandTable.Log log) throws IOException {
        return read(nowMillis, ChangelogSegments.RECENT_MAX, log);
    }

    /** As {@link #read(long, LoggedBandTable.Log)}, with so many documents in recent segments at the most. */
    Optional<Content> read(long nowMillis, int recentMax, LoggedBandTable.Log log) throws IOException {
        try (FileChannel channel = FileChannel.open(file, READ)) {
            ArrayInput from = new ArrayInput(channel);
            require("version", VERSION, from.readInt());
            requireChecksum(channel);
            Header header = readHeader(channel);
            requireYoung(header, nowMillis);
            requireSameChangelog(from);
            require("bands", bands, from.readInt());
            require("bucketMax", bucketMax, from.readInt());
            LoggedBandTable table = LoggedBandTable.readFrom(from, bands, bucketMax, recentMax, log);
            return Optional.of(new Content(header, table));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /**
     * What the file says of itself, if there is one. Whether the rest of it is sound is not looked at.
     *
     * @throws IOException if it is not to be used: of another version or changelog, too short, or too old
     */
    public Optional<Header> header(long nowMillis) throws IOException {
        try (FileChannel channel = FileChannel.open(file, READ)) {
            ArrayInput from = new ArrayInput(channel);
            require("version", VERSION, from.readInt());
            requireSameChangelog(from);
            if (channel.size() < BYTES_MIN) {
                throw new IOException("expected at least " + BYTES_MIN + " bytes, found " + channel.size());
            }
            Header header = readHeader(channel);
            if (header.isOlderThan(AGE_MAX, nowMillis)) {
                requireChecksum(channel); // Where it is cut off, that is no time.
            }
            requireYoung(header, nowMillis);
            return Optional.of(header);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static Header readHeader(FileChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(HEADER_BYTES);
        fill(buffer, channel, channel.size() - Integer.BYTES - HEADER_BYTES);
        return new Header(buffer.getLong(), buffer.getLong());
    }

    private static void requireYoung(Header header, long nowMillis) throws IOException {
        if (header.isOlderThan(AGE_MAX, nowMillis)) {
            throw new IOException("hours since it was written: expected at most " + AGE_MAX.toHours() + ", found "
                    + Duration.ofMillis(nowMillis - header.writtenMillis()).toHours());
        }
    }

    private void requireSameChangelog(ArrayInput from) throws IOException {
        String found = new String(from.readBytes(NAME_BYTES_MAX), UTF_8);
        if (!found.equals(changelog)) {
            throw new IOException("changelog it is of: expected " + changelog + ", found " + found);
        }
    }

    private static void require(String what, int expected, int found) throws IOException {
        if (found != expected) {
            throw new IOException(what + ": expected " + expected + ", found " + found);
        }
    }

    /** Before anything of it is believed, a length least of all. */
    private static void requireChecksum(FileChannel channel) throws IOException {
        long end = channel.size() - Integer.BYTES;
        CRC32C checksum = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        for (long position = 0; position < end; position += buffer.limit()) {
            fill(buffer.clear().limit((int) Math.min(BUFFER_BYTES, end - position)), channel, position);
            checksum.update(buffer);
        }
        fill(buffer.clear().limit(Integer.BYTES), channel, end);
        require("checksum", (int) checksum.getValue(), buffer.getInt());
    }

    private static void fill(ByteBuffer buffer, FileChannel channel, long from) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, from + buffer.position()) < 0) {
                throw new IOException("expected " + buffer.remaining() + " more bytes, found the end");
            }
        }
        buffer.flip();
    }
}
