package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import io.neardup.tools.feed.Feed;
import io.neardup.tools.feed.UnusableFileException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** A file that a command is to draw or write into. */
final class OutputFile {
    /** What a process has open, by names that may lead to a file; that is continued. */
    private static final List<String> OPEN_ALREADY = List.of("/dev/stdout", "/dev/stderr", "/dev/fd", "/proc");

    private OutputFile() {}

    /** The file, if it can be written and is none that is read: before minutes are spent on what could not be kept. */
    static Path checked(String option, Path file, String... inputs) throws IOException {
        Path folder = isReplaced(file) ? target(file).toAbsolutePath().getParent() : null;
        boolean isPassedOn =
                !isReplaced(file) && !Files.isDirectory(file) && (Files.isWritable(file) || Files.notExists(file));
        if (!isPassedOn && (folder == null || !Files.isWritable(folder))) {
            throw new UnusableFileException(
                    option + " " + file + ": expected a file in a folder that exists and can be written to");
        }
        for (String input : inputs) {
            if (Feed.reads(input, List.of(file, part(file)))) {
                throw new UnusableFileException(
                        option + " " + file + ": expected a file that is not read and not in a folder that is read,"
                                + " found that " + input + " is read: choose another path");
            }
        }
        return file;
    }

    /** Whether a file is there, or nothing; else it is a device, a pipe, or a link that leads to no file. */
    private static boolean isReplaced(Path file) {
        return OPEN_ALREADY.stream().noneMatch(file::startsWith)
                && (Files.isRegularFile(file) || Files.notExists(file, LinkOption.NOFOLLOW_LINKS));
    }

    private static Path part(Path file) {
        return file.resolveSibling(file.getFileName() + ".part");
    }

    /** Where a symbolic link leads. */
    private static Path target(Path file) throws IOException {
        return Files.isSymbolicLink(file) ? file.toRealPath() : file;
    }

    /**
     * Replaces a file at once, so that it is never half written; beside it {@code .part} is written until then. Devices
     * and pipes are written to as they stand.
     *
     * @throws IOException that names the file
     */
    static void replace(Path file, Content content) throws IOException {
        if (!isReplaced(file)) {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file, CREATE, APPEND))) {
                content.writeTo(out);
            } catch (IOException e) {
                throw new IOException(file + " cannot be written: " + e.getMessage(), e);
            }
            return;
        }
        Path target = target(file);
        Path part = part(target);
        part.toFile().deleteOnExit();
        try {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part))) {
                content.writeTo(out);
            }
            Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new IOException(file + " cannot be written: " + e.getMessage() + "; what was there is unchanged", e);
        }
    }

    /** As {@link #replace}, with text, which is written in UTF-8. */
    static void replaceText(Path file, Text text) throws IOException {
        replace(file, out -> {
            Writer writer = new OutputStreamWriter(out, UTF_8);
            text.writeTo(writer);
            writer.flush();
        });
    }

    @FunctionalInterface
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    @FunctionalInterface
    interface Text {
        void writeTo(Appendable out) throws IOException;
    }
}
