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
 * @param files paths, or {@code -} for the standard input; none for the sample feed, or for nothing where an earlier
 *     start has begun the folder of the data
 * @param standardInput what {@code -} stands for; not closed
 * @param partitions of the input topic and of the outputs, at least 1; empty for those that are there, or one
 * @param out folder of the result files, if there are to be any
 * @param seeds paths of documents that are there before the first of the files
 * @param port of the broker; 0 for any that is free
 * @param data folder of the broker's log and the service's state, which stays; empty for a temporary one
 */
public record LocalOptions(
        Settings settings,
        List<String> files,
        InputStream standardInput,
        Optional<Integer> partitions,
        Optional<Path> out,
        List<String> seeds,
        int port,
        Optional<Path> data) {
    public LocalOptions {
        files = List.copyOf(files);
        seeds = List.copyOf(seeds);
    }
}
