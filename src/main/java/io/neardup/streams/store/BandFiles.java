package io.neardup.streams.store;

import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.BandTable.Segment;
import io.neardup.engine.lsh.DamagedSegmentException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of an index partition: segments, and a manifest that names those in use, as of an offset of the changelog.
 * Only records after that offset are restored from the changelog.
 *
 * <p>The manifest is replaced atomically; a segment is there before the manifest names it, and until after it no longer
 * does. The manifest names its changelog too, as an offset is meaningless for another one.
 *
 * <p>Layout of the manifest: a {@link Layout}, and its CRC-32C.
 */
final class BandFiles {
    static final int VERSION = 7;

    private static final String MANIFEST = "manifest";
    private static final String SEGMENT = ".segment";
    private static final int SEGMENT_MAX = Integer.MAX_VALUE - 1;

    private static final Logger LOG = LoggerFactory.getLogger(BandFiles.class);

    static final Layout<Manifest> LAYOUT =
            new Layout<>("a manifest of segments", VERSION, BandFiles::put, BandFiles::take);

    private final Path folder;
    private final String changelog;
    private final int bands;
    private final int bucketMax;

    /** @param changelog a name that is unique among the partitions of all changelogs, of any index */
    BandFiles(Path folder, String changelog, int bands, int bucketMax) {
        this.folder = folder;
        this.changelog = changelog;
        this.bands = bands;
        this.bucketMax = bucketMax;
    }

    /**
     * The segments in use.
     *
     * @param reached the segments have the documents of all records up to there
     * @param nextBatch above the ids of all batches that there ever were
     * @param segments the oldest first
     */
    record Manifest(String changelog, int bands, Position reached, long nextBatch, List<SegmentInUse> segments) {}

    /**
     * A place in the changelog.
     *
     * @param atMillis a time at which the changelog still had the markers of all removals after it
     * @param offset of the last record before it
     * @param firstBatch above the ids of all batches before it
     */
    record Position(long atMillis, long offset, long firstBatch) {}

    /**
     * A segment that is in use.
     *
     * @param number in the name of its file
     * @param checksum tells it from other segments
     * @param gone the documents of it that were removed, by their number
     */
    record SegmentInUse(int number, long checksum, BitSet gone) {}

    private static void put(ByteWriter to, Manifest manifest) {
        to.putText(manifest.changelog())
                .putSmall(manifest.bands())
                .putLong(manifest.reached().atMillis())
                .putSmall(manifest.reached().offset())
                .putSmall(manifest.reached().firstBatch())
                .putSmall(manifest.nextBatch())
                .putSmall(manifest.segments().size());
        for (SegmentInUse segment : manifest.segments()) {
            to.putSmall(segment.number())
                    .putSmall(segment.checksum())
                    .putBytes(segment.gone().toByteArray());
        }
    }

    private static Manifest take(ByteReader from) {
        return new Manifest(
                from.takeText(),
                from.takeInt(Integer.MAX_VALUE),
                new Position(from.takeLong(), from.takeSmall(), from.takeSmall()),
                from.takeSmall(),
                takeSegments(from));
    }

    private static List<SegmentInUse> takeSegments(ByteReader from) {
        List<SegmentInUse> segments = new ArrayList<>();
        for (int more = from.takeCount(3); more > 0; more--) {
            segments.add(
                    new SegmentInUse(from.takeInt(SEGMENT_MAX), from.takeSmall(), BitSet.valueOf(from.takeBytes())));
        }
        return segments;
    }

    Path folder() {
        return folder;
    }

    /** The manifest, if it can be used: not if it is damaged, too old, or of another version, changelog or shape. */
    Optional<Manifest> read(long nowMillis) throws IOException {
        try {
            byte[] bytes = Files.readAllBytes(folder.resolve(MANIFEST));
            int length = bytes.length - Integer.BYTES;
            if (length < 0 || checksum(bytes, length) != ByteBuffer.wrap(bytes).getInt(length)) {
                throw new WireException("expected it as it was written, found another checksum");
            }
            Manifest manifest = LAYOUT.decode(Arrays.copyOf(bytes, length));
            require("changelog it is of", changelog, manifest.changelog());
            require("bands", bands, manifest.bands());
            if (StateFolder.isOlderThan(manifest.reached().atMillis(), StateFolder.AGE_MAX, nowMillis)) {
                throw new WireException("it was written more than " + StateFolder.AGE_MAX.toHours() + " hours ago");
            }
            return Optional.of(manifest);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (WireException e) {
            logUnusable(MANIFEST + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    void logUnusable(String cause) {
        LOG.warn(
                "the buckets are read from the whole changelog, as their files cannot be used folder={} cause={}",
                folder,
                cause);
    }

    private static void require(String what, Object expected, Object found) {
        if (!found.equals(expected)) {
            throw new WireException(what + ": expected " + expected + ", found " + found);
        }
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return (int) checksum.getValue();
    }

    /**
     * A table of the segments that a manifest names; an empty one without.
     *
     * @throws DamagedSegmentException if one of them is not as it was written
     * @throws NoSuchFileException if one is missing
     */
    BandTable open(Optional<Manifest> manifest) throws IOException {
        BandTable table = new BandTable(bands, bucketMax);
        try {
            for (SegmentInUse segment : manifest.map(Manifest::segments).orElse(List.of())) {
                table.add(new Segment(segment(segment.number()), segment.checksum(), segment.gone()));
            }
            return table;
        } catch (IOException e) {
            table.close();
            throw e;
        }
    }

    /** Replaces the manifest by one that names these segments; it is on the disk when this returns. */
    Manifest write(Position reached, long nextBatch, List<Segment> segments) throws IOException {
        Manifest manifest = new Manifest(
                changelog,
                bands,
                reached,
                nextBatch,
                segments.stream()
                        .map(segment -> new SegmentInUse(number(segment.file()), segment.checksum(), segment.gone()))
                        .toList());
        byte[] bytes = LAYOUT.encode(manifest);
        ByteBuffer all = ByteBuffer.allocate(bytes.length + Integer.BYTES)
                .put(bytes)
                .putInt(checksum(bytes, bytes.length))
                .flip();
        Path unfinished = folder.resolve(MANIFEST + ".tmp");
        try (FileChannel channel = FileChannel.open(
                unfinished,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            while (all.hasRemaining()) {
                channel.write(all);
            }
            channel.force(true);
        }
        Files.move(unfinished, folder.resolve(MANIFEST), StandardCopyOption.ATOMIC_MOVE);
        Utils.flushDir(folder);
        return manifest;
    }

    /** Deletes the manifest of a folder, so that the next start uses none of its files. */
    static void deleteManifest(Path folder) {
        try {
            Files.deleteIfExists(folder.resolve(MANIFEST));
        } catch (IOException e) {
            LOG.warn(
                    "a manifest that cannot be used could not be deleted; delete folder={} cause={}",
                    folder,
                    e.toString());
        }
    }

    Path segment(int number) {
        return folder.resolve(number + SEGMENT);
    }

    private static int number(Path segment) {
        String name = segment.getFileName().toString();
        return Integer.parseInt(name.substring(0, name.length() - SEGMENT.length()));
    }

    /** Deletes all files but the manifest and its segments; returns a number above those of the segments left. */
    int tidy(Optional<Manifest> manifest) throws IOException {
        Set<Path> used = new HashSet<>();
        int next = 0;
        if (manifest.isPresent()) {
            used.add(folder.resolve(MANIFEST));
            for (SegmentInUse segment : manifest.get().segments()) {
                used.add(segment(segment.number()));
                next = Math.max(next, segment.number() + 1);
            }
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                if (!used.contains(file)) {
                    Files.delete(file);
                }
            }
        }
        return next;
    }
}
