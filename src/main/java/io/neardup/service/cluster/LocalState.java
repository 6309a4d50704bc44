package io.neardup.service.cluster;

import io.neardup.streams.store.NodeNames;
import io.neardup.streams.store.StateFolder;
import io.neardup.streams.topology.InternalTopics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an index has on this machine. What may still be used of it, each store finds out when it is opened, by the time
 * at which it was written: as long as the changelogs have kept the marker of every removal that came after, see
 * {@link InternalTopics#DELETE_RETENTION}. Here is deleted what no store may use, or will.
 *
 * @param tasks the folder of the application, which Kafka Streams makes in that of the index
 * @param kept how long Kafka Streams keeps what a task left behind
 */
public record LocalState(Path tasks, Duration kept) {
    private static final Logger LOG = LoggerFactory.getLogger(LocalState.class);
    /** By which Kafka Streams keeps other processes away. */
    private static final String LOCK = ".lock";

    private static final Pattern TASK_FOLDER = Pattern.compile("\\d+_\\d+");

    /**
     * Checks what Kafka Streams would refuse as it starts, and makes nothing. Not to be called in a process that runs
     * on this folder: that would give up its lock.
     *
     * @throws StartupException if nothing can be written there, or another process uses it
     */
    public void requireFree() {
        Path there = existing();
        if (!Files.isDirectory(there) || !Files.isWritable(there)) {
            throw StartupException.stateFolderUnwritable(
                    tasks.getParent(), new AccessDeniedException(there.toString()));
        }
        Path lock = tasks.resolve(LOCK);
        if (!Files.exists(lock)) {
            return;
        }
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE);
                FileLock taken = channel.tryLock()) {
            if (taken == null) {
                throw StartupException.stateFolderInUse(tasks.getParent(), null);
            }
        } catch (IOException e) {
            throw StartupException.stateFolderUnwritable(tasks.getParent(), e);
        }
    }

    /** The folder, or the nearest one above it that is there. */
    private Path existing() {
        Path there = tasks.toAbsolutePath();
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        return there;
    }

    /**
     * Deletes what may not be used. To be called when Kafka Streams has locked the folder, and before it starts.
     *
     * @param markersKept whether the changelogs are known to have kept the markers of removals for long enough
     * @throws StartupException if the disk does not let it
     */
    public void begin(boolean markersKept, long nowMillis) {
        try {
            if (!markersKept) {
                List<Path> all = new ArrayList<>(StateFolder.all(tasks));
                all.addAll(taskFolders());
                delete(all);
            }
            deleteOldStories(nowMillis);
        } catch (IOException | UncheckedIOException e) {
            throw new StartupException(
                    "state.dir: expected to delete there what is too old, found " + e
                            + "; set right what it says, or delete " + tasks,
                    e);
        }
    }

    /**
     * Deletes the state of tasks that are elsewhere by now: those whose task has no folder any more. Kafka Streams
     * deletes that when it was not used for some time; after a failure at once, but then the task comes back soon.
     */
    public void tidyUp(long nowMillis) throws IOException {
        for (Path folder : StateFolder.all(tasks)) {
            if (!Files.exists(tasks.resolve(folder.getFileName()))
                    && StateFolder.deleteUnused(folder, nowMillis - kept.toMillis())) {
                LOG.info("deleted state of a task that is elsewhere by now folder={}", folder);
            }
        }
    }

    /** Their store is that of Kafka Streams, which uses it however old it is, and is all that its task has. */
    private void deleteOldStories(long nowMillis) throws IOException {
        for (Path task : taskFolders()) {
            Path stories = task.resolve(Path.of("rocksdb", NodeNames.STORIES));
            if (Files.exists(stories) && flushedMillis(stories) < nowMillis - StateFolder.AGE_MAX.toMillis()) {
                LOG.info("restoring stories, as no file of them here is young enough folder={}", task);
                Utils.delete(task.toFile());
            }
        }
    }

    /**
     * When RocksDB last wrote a table; 0 where there is none. The times of the folder and of other files say less: a
     * start that fails renews them, and a deletion that is broken off renews that of the folder.
     */
    private static long flushedMillis(Path store) throws IOException {
        long newest = 0;
        try (Stream<Path> files = Files.list(store)) {
            for (Path table :
                    files.filter(file -> file.toString().endsWith(".sst")).toList()) {
                newest = Math.max(newest, Files.getLastModifiedTime(table).toMillis());
            }
        }
        return newest;
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

    private void delete(List<Path> folders) throws IOException {
        if (!folders.isEmpty()) {
            List<Path> names =
                    folders.stream().map(Path::getFileName).distinct().sorted().toList();
            LOG.info(
                    "restoring tasks={} from their changelogs, as the changelogs may have lost markers of removals"
                            + " folder={}",
                    names,
                    tasks);
        }
        for (Path folder : folders) {
            Utils.delete(folder.toFile());
        }
    }
}
