package io.neardup.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The clock of a machine, as far as processes with its environment see it, by libfaketime. The clock that measures time
 * alone goes on when it is set, as on any machine.
 */
final class FakeClock {
    private final String library;
    private final Path step;

    private FakeClock(String library, Path step) throws IOException {
        this.library = library;
        this.step = step;
        set(0);
    }

    /**
     * One that is right at first; none where there is no command {@code faketime}, of Debian's package of this name.
     *
     * @param step a file of its own
     */
    static Optional<FakeClock> of(Path step) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder("faketime", "-m", "-f", "+0", "env").start();
        } catch (IOException e) {
            return Optional.empty();
        }
        List<String> environment = process.inputReader(UTF_8).lines().toList();
        process.waitFor();
        String name = "LD_PRELOAD=";
        for (String line : environment) {
            if (line.startsWith(name)) {
                return Optional.of(new FakeClock(line.substring(name.length()), step));
            }
        }
        return Optional.empty();
    }

    /** The file is looked at once a second. Waits go by the clock that measures time, as without the library. */
    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library,
                "FAKETIME_TIMESTAMP_FILE", step.toString(),
                "FAKETIME_CACHE_DURATION", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }

    /** Sets it so far from what is right. */
    void set(long seconds) throws IOException {
        Files.writeString(step, String.format("%+d%n", seconds), UTF_8);
    }
}
