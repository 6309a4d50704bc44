package io.neardup.service.lifecycle;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Whether there is room where the state is kept, and leave to write. A service that finds none has to stop. */
final class StateDisk {
    private static final long MEGABYTE = 1 << 20;
    private static final long BYTES_FEW = 256 * MEGABYTE;
    private static final double SHARE_SMALL = 0.05;
    /** With so much, a small share is enough. */
    private static final long BYTES_ENOUGH = 10_240 * MEGABYTE;

    private final Path folder;

    StateDisk(Path folder) {
        this.folder = folder;
    }

    /** That little is left, or nothing may be written; empty where all is well, or nobody can tell. */
    Optional<String> note() {
        try {
            FileStore store = Files.getFileStore(folder);
            return Files.isWritable(folder)
                    ? note(folder, store.getUsableSpace(), store.getTotalSpace())
                    : Optional.of(
                            "the folder of state.dir, " + folder + ", cannot be written any more: when the service"
                                    + " has to write there, it stops; look whether its disk is mounted read-only,"
                                    + " and at its rights");
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    static Optional<String> note(Path folder, long usable, long total) {
        boolean isLittle = usable < BYTES_FEW || (usable < SHARE_SMALL * total && usable < BYTES_ENOUGH);
        if (!isLittle) {
            return Optional.empty();
        }
        String what = usable < MEGABYTE
                ? String.format(Locale.ROOT, "is full, all %,d MB of it: what it writes fails, and", total / MEGABYTE)
                : String.format(
                        Locale.ROOT, "has %,d MB left of %,d: when it is full", usable / MEGABYTE, total / MEGABYTE);
        return Optional.of("the disk of state.dir, " + folder + ", " + what + " the service stops; make room");
    }
}
