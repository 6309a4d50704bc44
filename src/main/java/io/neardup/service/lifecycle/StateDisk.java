package io.neardup.service.lifecycle;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** The disk of the folder of the state, and the memory in which buckets are read. */
record StateDisk(Path folder, boolean isWritable, long usableBytes, long totalBytes) {
    private static final long BYTES_FEW = 256L << 20;
    private static final double SHARE_SMALL = 0.05;
    /** With so much, a small share is enough. */
    private static final long BYTES_ENOUGH = 10L << 30;

    /**
     * 600 MB of the JVM itself and of Kafka's clients, 320 of buckets that are not on disk yet, and 64 of stories: as
     * in Sizes of the chapter Deploy.
     */
    private static final long BYTES_OF_REST = (600L + 320 + 64) << 20;

    /** Sets the time of the folder, to see whether it can be written; empty where that is not known. */
    static Optional<StateDisk> of(Path folder) {
        try {
            FileStore store = Files.getFileStore(folder);
            return Optional.of(new StateDisk(folder, takesTime(folder), store.getUsableSpace(), store.getTotalSpace()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Where Linux has made a disk read-only after an error, its rights may still say that it can be written. */
    private static boolean takesTime(Path folder) {
        try {
            Files.setLastModifiedTime(folder, FileTime.from(Instant.now()));
        } catch (IOException e) { // Also where the folder is another user's, and may be written.
            if (String.valueOf(e.getMessage()).contains("Read-only file system")) {
                return false;
            }
        }
        return Files.isWritable(folder);
    }

    /** That little is left, or nothing may be written there; empty where all is well. */
    Optional<String> alert() {
        if (!isWritable) {
            return Optional.of("the folder of state.dir, " + folder + ", cannot be written any more: when the"
                    + " service has to write there, it stops; look whether its disk is mounted read-only,"
                    + " and at its rights");
        }
        return usableBytes >= Math.min(BYTES_ENOUGH, Math.max(BYTES_FEW, SHARE_SMALL * totalBytes))
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "the disk of state.dir, %s, has %,d MB left of %,d: when it is full the service stops; make"
                                + " room",
                        folder,
                        usableBytes >> 20,
                        totalBytes >> 20));
    }

    /** That what each lookup of buckets reads does not fit into memory. */
    static Optional<String> memoryAlert(long hotBytes, long bytesForThem) {
        return hotBytes <= bytesForThem
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "lookups need %,d MB of buckets in memory, and there are %,d MB for them: they read the"
                                + " disk, and get slower as the index grows; give this instance more memory or a"
                                + " smaller heap, or start another one",
                        hotBytes >> 20,
                        bytesForThem >> 20));
    }

    /** @param originalsBytes as neardup.originals.memory.bytes */
    static long memoryForBuckets(long originalsBytes) {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? memoryForBuckets(
                        system.getTotalMemorySize(), Runtime.getRuntime().maxMemory(), originalsBytes)
                : Long.MAX_VALUE;
    }

    /** @param totalBytes of the machine, or of the container */
    static long memoryForBuckets(long totalBytes, long heapBytes, long originalsBytes) {
        return Math.max(0, totalBytes - heapBytes - originalsBytes - BYTES_OF_REST);
    }
}
