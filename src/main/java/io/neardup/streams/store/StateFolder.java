package io.neardup.streams.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the originals of one coordinator lie, or the buckets of one index partition. It stands beside the folders in
 * which Kafka Streams keeps what its tasks have, as Streams deletes these when it closes a task after a failure. What
 * lies here is as good then as before.
 *
 * <p>It is deleted as a whole: where its content cannot be used, when it is opened; and when it has not been used for
 * long, by the service's own clean-up.
 */
public final class StateFolder {
    /**
     * The age up to which state on disk is used at a start. What a task left behind is deleted by then, and a restore
     * is expected to take no longer: together far below the time for which changelogs keep tombstones.
     */
    public static final Duration AGE_MAX = Duration.ofHours(12);

    private static final Logger LOG = LoggerFactory.getLogger(StateFolder.class);

    private static final String UNUSABLE = "unusable";

    /** Those in use in this process. Across processes the lock on the folder of the application holds. */
    private static final Set<Path> IN_USE = new HashSet<>();

    private final Path path;

    /** Also where the mark of that could not be made. */
    private boolean isFoundUnusable;

    StateFolder(Path path) {
        this.path = path.toAbsolutePath().normalize();
    }

    /** That of a task of Kafka Streams, for {@link NodeNames#ORIGINALS} or {@link NodeNames#BUCKETS}. */
    static Path besideTask(String kind, Path taskFolder) {
        return taskFolder.resolveSibling(kind).resolve(taskFolder.getFileName());
    }

    /** Those of an application, by its folder. */
    public static List<Path> all(Path application) throws IOException {
        List<Path> all = new ArrayList<>(all(NodeNames.ORIGINALS, application));
        all.addAll(all(NodeNames.BUCKETS, application));
        return all;
    }

    /** Those of a kind, {@link NodeNames#ORIGINALS} or {@link NodeNames#BUCKETS}. */
    public static List<Path> all(String kind, Path application) throws IOException {
        try (Stream<Path> all = Files.list(application.resolve(kind))) {
            return all.toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    Path path() {
        return path;
    }

    void claim() {
        synchronized (IN_USE) {
            if (!IN_USE.add(path)) {
                throw new IllegalStateException(path + ": expected nobody who has it open, found another");
            }
        }
    }

    void release() {
        synchronized (IN_USE) {
            IN_USE.remove(path);
        }
    }

    /**
     * Its content is to be deleted, not used, when it is opened the next time.
     *
     * @return false if it could not be marked
     */
    boolean markUnusable() {
        if (isUnusable()) {
            return true; // More than one may find it out.
        }
        isFoundUnusable = true;
        try {
            Files.createFile(Files.createDirectories(path).resolve(UNUSABLE));
            return true;
        } catch (IOException e) {
            LOG.warn("a folder that cannot be used could not be marked; delete folder={} cause={}", path, e.toString());
            return false;
        }
    }

    boolean isUnusable() {
        return isFoundUnusable || Files.exists(path.resolve(UNUSABLE));
    }

    /** Moves the time of a folder, by which {@link #deleteUnused} goes, and Kafka Streams. */
    static void touch(Path folder, long nowMillis) {
        try {
            Files.setLastModifiedTime(folder, FileTime.fromMillis(nowMillis));
        } catch (IOException e) {
            LOG.debug("the time of a folder could not be set folder={} cause={}", folder, e.toString());
        }
    }

    /** Whether something was written longer ago than that; a time that lies as far ahead is no better. */
    static boolean isOlderThan(long writtenMillis, Duration age, long nowMillis) {
        return Math.abs(nowMillis - writtenMillis) > age.toMillis();
    }

    void delete() throws IOException {
        deleteAll(path);
    }

    /**
     * Deletes a folder that nobody has open, if its last use ended before a time.
     *
     * @return whether it did
     */
    public static boolean deleteUnused(Path folder, long beforeMillis) throws IOException {
        synchronized (IN_USE) {
            if (IN_USE.contains(folder.toAbsolutePath().normalize())
                    || Files.getLastModifiedTime(folder).toMillis() >= beforeMillis) {
                return false;
            }
            deleteAll(folder);
            return true;
        }
    }

    private static void deleteAll(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        new StateFolder(folder).markUnusable();
        for (Path each : inOrderOfDeletion(folder)) {
            Files.deleteIfExists(each);
        }
    }

    /** A kill may leave a part of it. So the mark goes last: RocksDB may refuse to open what is left, or not. */
    static List<Path> inOrderOfDeletion(Path folder) throws IOException {
        Path mark = folder.resolve(UNUSABLE);
        try (Stream<Path> content = Files.walk(folder)) {
            return content.sorted(Comparator.comparing((Path each) -> each.equals(mark) || each.equals(folder))
                            .thenComparing(Comparator.reverseOrder()))
                    .toList();
        }
    }
}
