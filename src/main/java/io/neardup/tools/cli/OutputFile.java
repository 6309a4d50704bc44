package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.tools.feed.Feed;
import io.neardup.tools.feed.UnusableFileException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file that a command is to draw or write into. */
final class OutputFile {
    private OutputFile() {}

    /** The file, if it can be written and is none that is read: before minutes are spent on what could not be kept. */
    static Path checked(String option, Path file, String... inputs) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        boolean isTaken = Files.exists(file)
                ? !Files.isDirectory(file) && Files.isWritable(file)
                : folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
        if (!isTaken) {
            throw new UnusableFileException(
                    option + " " + file + ": expected a file in a folder that exists and can be written to");
        }
        for (String input : inputs) {
            if (Feed.reads(input, List.of(file))) {
                throw new UnusableFileException(
                        option + " " + file + ": expected another file than the one that is read, and none in a folder"
                                + " that is read, found that " + input + " is read: take another place");
            }
        }
        return file;
    }

    /**
     * Replaces what is in a file by all of the content.
     *
     * @throws IOException that names the file
     */
    static void replace(Path file, Content content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        content.writeTo(bytes);
        write(file, bytes.toByteArray());
    }

    /** As {@link #replace}, with text, which is written in UTF-8. */
    static void replaceText(Path file, Text text) throws IOException {
        StringBuilder written = new StringBuilder();
        text.writeTo(written);
        write(file, written.toString().getBytes(UTF_8));
    }

    private static void write(Path file, byte[] content) throws IOException {
        try {
            Files.write(file, content);
        } catch (IOException e) {
            throw new IOException(file + " cannot be written: " + e.getMessage(), e);
        }
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
