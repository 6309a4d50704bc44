package io.neardup.tools.local;

import io.neardup.tools.feed.Feed;
import io.neardup.tools.feed.UnusableFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Finds what is wrong with the input, and with the folder of the results, before anything is started. */
public final class InputFiles {
    private InputFiles() {}

    /**
     * Checks both; makes the folder if it is missing.
     *
     * @param files as for a {@link Feed}
     * @param out folder of the results, which must not replace the input
     * @param kind what the files are taken for
     * @throws IOException that says which file or folder cannot be taken
     */
    public static void check(List<String> files, Optional<Path> out, Feed.Kind kind) throws IOException {
        for (String file : files) {
            if (!file.equals("-")) {
                checkReadable(file);
                if (kind == Feed.Kind.ANY) {
                    Feed.check(file);
                }
                if (out.isPresent()) {
                    checkNotReplaced(Path.of(file), out.get());
                }
            }
        }
        if (out.isPresent()) {
            ResultFiles.prepare(out.get());
        }
    }

    private static void checkReadable(String file) throws IOException {
        Path path = Path.of(file);
        if (!Files.exists(path)) {
            throw UnusableFileException.missing(file);
        }
        if (!Files.isReadable(path)) {
            throw new UnusableFileException(file + " cannot be read: check that you may read it");
        }
        if (Files.isDirectory(path) && !Feed.hasFiles(file)) {
            throw new UnusableFileException(
                    file + ": expected a folder with files to read, found none that is not hidden: check the path");
        }
    }

    private static void checkNotReplaced(Path file, Path out) throws IOException {
        for (String name : ResultFiles.NAMES) {
            Path result = out.resolve(name);
            if (Files.exists(result) && Files.isSameFile(file, result)) {
                throw new UnusableFileException(
                        file + " would be replaced by the results: take another folder than " + out);
            }
        }
    }
}
