package io.neardup.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateDiskTest {
    private static final long MEGABYTE = 1 << 20;
    private static final Path STATE = Path.of("state");

    @Test
    void shouldTellThatLittleIsLeft() {
        assertThat(StateDisk.note(STATE, 180 * MEGABYTE, 220 * MEGABYTE))
                .contains(
                        "the disk of state.dir, state, has 180 MB left of 220: when it is full the service stops; make"
                                + " room");
        assertThat(StateDisk.note(STATE, MEGABYTE - 1, 220 * MEGABYTE))
                .contains(
                        "the disk of state.dir, state, is full, all 220 MB of it: what it writes fails, and the service"
                                + " stops; make room");
        assertThat(StateDisk.note(STATE, 256 * MEGABYTE, 5_000 * MEGABYTE)).isEmpty();
        assertThat(StateDisk.note(STATE, 256 * MEGABYTE, 5_200 * MEGABYTE)).isPresent();
        assertThat(StateDisk.note(STATE, 10_240 * MEGABYTE, 4_000_000 * MEGABYTE))
                .isEmpty();
    }

    /** As by a disk that failed, and was mounted read-only. */
    @Test
    void shouldTellThatAFolderCannotBeWrittenAnyMore(@TempDir Path folder) throws Exception {
        StateDisk disk = new StateDisk(folder);
        assumeTrue(isDone("chattr", "+i", folder.toString()), "no way to forbid root to write");
        try {
            assertThat(disk.note().orElse("")).startsWith("the folder of state.dir, " + folder + ", cannot be written");
        } finally {
            isDone("chattr", "-i", folder.toString());
        }
    }

    /** Whether a command is there, and goes well. */
    static boolean isDone(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void shouldLookAtTheDiskOfAFolder(@TempDir Path folder) throws Exception {
        long usable = Files.getFileStore(folder).getUsableSpace();

        assertThat(new StateDisk(folder).note().isPresent())
                .isEqualTo(
                        StateDisk.note(STATE, usable, Files.getFileStore(folder).getTotalSpace())
                                .isPresent());
        assertThat(new StateDisk(folder.resolve("none")).note()).isEmpty();
    }
}
