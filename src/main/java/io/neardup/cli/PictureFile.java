package io.neardup.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that a command is to draw or write into. */
final class PictureFile {
    private PictureFile() {}

    /**
     * The file, if it can be written: to be asked before minutes are spent on what could not be kept.
     *
     * @param option that named it
     */
    static Path checked(String option, Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || folder == null || !Files.isWritable(folder)) {
            throw new IOException(
                    option + " " + file + ": expected a file in a folder that exists and can be written to");
        }
        return file;
    }
}
