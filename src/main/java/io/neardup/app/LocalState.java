package io.neardup.app;

import io.neardup.streams.InternalTopics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an index has on this machine, and whether a start may go on from it. It may as long as the changelogs have kept
 * the marker of every removal that came after, see {@link InternalTopics#DELETE_RETENTION}.
 *
 * <p>A file tells when the service stopped the last time. It is there only while nothing runs, and only after a stop in
 * which all stores were closed in order: the time of a folder does not move with what RocksDB writes below it, and a
 * process that is killed while Kafka Streams drops a task leaves in RocksDB what was aborted, with a checkpoint that
 * says otherwise. Without the file, or where it is old, the stores that Streams keeps are deleted, and restored from
 * the changelogs. The snapshots of buckets stay: they have their own time, and are written of what is committed.
 *
 * <p>Layout of the file: a line with its version, and one with the time in milliseconds.
 */
final class LocalState {
    /**
     * How old what is kept may be at a start. As old again may be what a task left behind that ran elsewhere since, and
     * as long again a restoring may take: below {@link InternalTopics#DELETE_RETENTION}.
     */
    static final Duration AGE_MAX = Duration.ofHours(12);

    private static final Logger LOG = LoggerFactory.getLogger(LocalState.class);
    private static final String VERSION = "1";
    private static final Pattern TASK_FOLDER = Pattern.compile("\\d+_\\d+");
    /** Where the key-value stores of Kafka Streams keep their files, in the folder of a task. */
    private static final String STREAMS_STORES = "rocksdb";

    private final Path tasks;
    private final Path stopped;
    private boolean begun;

    /** @param stateFolder that of the index, in which Kafka Streams makes one for the application */
    LocalState(Path stateFolder, String applicationId) {
        this.tasks = stateFolder.resolve(applicationId);
        this.stopped = stateFolder.resolve("stopped");
    }

    /**
     * Deletes what may not be used. To be called when Kafka Streams has locked the folder, and before it starts.
     *
     * @param markersKept whether the changelogs are known to have kept the markers of removals for long enough
     * @throws StartupException if the disk does not let it
     */
    synchronized void begin(boolean markersKept, long nowMillis) {
        try {
            if (!markersKept) {
                delete(taskFolders(), "the changelogs may have lost markers of removals");
            } else if (!isYoung(nowMillis)) {
                delete(
                        taskFolders().stream()
                                .filter(folder -> Files.isDirectory(folder.resolve(STREAMS_STORES)))
                                .toList(),
                        "the last stop was not in order or is more than " + AGE_MAX.toHours() + " hours ago");
            }
            Files.deleteIfExists(stopped);
        } catch (IOException | UncheckedIOException e) {
            throw new StartupException(
                    "state.dir: expected to delete there what is too old, found " + e
                            + "; set right what it says, or delete " + tasks,
                    e);
        }
        begun = true;
    }

    /** Notes that all was closed in order; once, and not where there was no beginning. Any thread may close. */
    synchronized void end(long nowMillis) {
        if (!begun) {
            return;
        }
        begun = false;
        Path unfinished = stopped.resolveSibling(stopped.getFileName() + ".tmp");
        try {
            Files.write(unfinished, List.of(VERSION, String.valueOf(nowMillis)));
            Files.move(unfinished, stopped, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LOG.warn("the next start restores all, as the end of this one could not be noted file={}", stopped, e);
        }
    }

    /** A time that lies ahead is no better than an old one. */
    private boolean isYoung(long nowMillis) throws IOException {
        return stoppedMillis()
                .filter(then -> Math.abs(nowMillis - then) <= AGE_MAX.toMillis())
                .isPresent();
    }

    private Optional<Long> stoppedMillis() throws IOException {
        try {
            List<String> lines = Files.readAllLines(stopped);
            boolean isWhole = lines.size() == 2
                    && lines.get(0).equals(VERSION)
                    && lines.get(1).matches("\\d{1,18}");
            return isWhole ? Optional.of(Long.valueOf(lines.get(1))) : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private List<Path> taskFolders() throws IOException {
        try (Stream<Path> all = Files.list(tasks)) {
            return all.filter(path ->
                            TASK_FOLDER.matcher(path.getFileName().toString()).matches())
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    private void delete(List<Path> folders, String reason) throws IOException {
        if (!folders.isEmpty()) {
            List<Path> names = folders.stream().map(Path::getFileName).sorted().toList();
            LOG.info("restoring tasks={} from their changelogs, as {} folder={}", names, reason, tasks);
        }
        for (Path folder : folders) {
            try (Stream<Path> content = Files.walk(folder)) {
                for (Path path : content.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
