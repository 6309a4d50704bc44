package io.neardup.local;

import io.neardup.config.Settings;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a local run does.
 *
 * @param settings of the user; where the broker is, the application id and the state folder are set by the run
 * @param files paths, or {@code -} for the standard input; none for the sample feed
 * @param standardInput what {@code -} stands for; not closed
 * @param partitions of the input topic and of the outputs, at least 1
 * @param out folder of the result files, if there are to be any
 */
public record LocalOptions(
        Settings settings, List<String> files, InputStream standardInput, int partitions, Optional<Path> out) {
    public LocalOptions {
        files = List.copyOf(files);
        if (partitions < 1) {
            throw new IllegalArgumentException("partitions " + partitions + ": expected at least 1");
        }
    }
}
