package io.neardup.tools.local;

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
 * @param seeds paths of documents that are there before the first of the files
 */
public record LocalOptions(
        Settings settings,
        List<String> files,
        InputStream standardInput,
        int partitions,
        Optional<Path> out,
        List<String> seeds) {
    public LocalOptions {
        files = List.copyOf(files);
        seeds = List.copyOf(seeds);
        if (partitions < 1) {
            throw new IllegalArgumentException("partitions " + partitions + ": expected at least 1");
        }
    }

    /** Without seeds. */
    public LocalOptions(
            Settings settings, List<String> files, InputStream standardInput, int partitions, Optional<Path> out) {
        this(settings, files, standardInput, partitions, out, List.of());
    }
}
