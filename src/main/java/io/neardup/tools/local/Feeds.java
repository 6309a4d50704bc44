package io.neardup.tools.local;

import io.neardup.config.NeardupConfig;
import io.neardup.config.NeardupConfig.DocumentFormat;
import io.neardup.tools.feed.Feed;
import io.neardup.tools.feed.UnusableFileException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Feeds as the settings want them: where documents are plain text, every line is one, whatever is in it. */
public final class Feeds {
    private Feeds() {}

    /** A feed of which nothing is open yet; the parameters are those of {@link Feed}. */
    public static Feed of(List<String> files, InputStream standardInput, NeardupConfig config, int recordBytesMax) {
        return new Feed(files, standardInput, kind(config), recordBytesMax);
    }

    /** What files are taken for. */
    public static Feed.Kind kind(NeardupConfig config) {
        return config.documentFormat() == DocumentFormat.TEXT ? Feed.Kind.LINES : Feed.Kind.ANY;
    }

    /**
     * Finds what is wrong with files, and with the folder of the results, before anything is started; makes the folder
     * if it is missing.
     *
     * @param files as for a {@link Feed}
     * @param out folder of the results, which must not replace the input
     * @throws IOException that says which file or folder cannot be taken
     */
    public static void check(List<String> files, Optional<Path> out, NeardupConfig config) throws IOException {
        for (String file : files) {
            if (!file.equals("-")) {
                checkReadable(file);
                if (kind(config) == Feed.Kind.ANY) {
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
