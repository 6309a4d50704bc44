package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.tools.feed.Feed;
import io.neardup.tools.feed.UnusableFileException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** A file that a command is to draw or write into. */
final class OutputFile {
    private OutputFile() {}

    /** The file, if it can be written and is none that is read: before minutes are spent on what could not be kept. */
    static Path checked(String option, Path file, String... inputs) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || folder == null || !Files.isWritable(folder)) {
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
     * Replaces a file at once, so that it is never half written; beside it {@code .part} is written until then.
     *
     * @throws IOException that names the file
     */
    static void replace(Path file, Content content) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        part.toFile().deleteOnExit();
        try {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part))) {
                content.writeTo(out);
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
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
