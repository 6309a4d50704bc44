package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.tools.analysis.DocumentLines;
import io.neardup.tools.feed.Feed;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Files that are read more than once. The standard input can be read once only, so it is copied to a file, when it is
 * first asked for.
 */
final class RereadInput implements Closeable {
    private final List<String> files;
    private final InputStream original;
    private @Nullable Path copy;
    private final List<InputStream> opened = new ArrayList<>();

    RereadInput(List<String> files, InputStream standardInput) {
        this.files = files;
        this.original = standardInput;
    }

    /**
     * The documents from the start.
     *
     * @throws IOException also for a pipe, as the shell makes one of {@code <(command)}: it is empty the second time
     */
    DocumentLines open(NeardupConfig config) throws IOException {
        for (String file : files) {
            // What is missing is found missing later.
            if (!file.equals(Feed.STANDARD_INPUT) && Feed.isStream(file)) {
                throw new IOException(file + ": expected a file that can be read more than once, found a pipe; take -"
                        + " and pipe into the standard input, or write a file first");
            }
        }
        return new DocumentLines(files, standardInput(), config);
    }

    /** What the standard input was, from the start. */
    InputStream standardInput() throws IOException {
        if (!files.contains(Feed.STANDARD_INPUT)) {
            return InputStream.nullInputStream();
        }
        InputStream stream = Files.newInputStream(copy());
        opened.add(stream);
        return stream;
    }

    private Path copy() throws IOException {
        Path made = copy;
        if (made == null) {
            made = Files.createTempFile("neardup-", ".jsonl");
            made.toFile().deleteOnExit();
            copy = made;
            Files.copy(original, made, StandardCopyOption.REPLACE_EXISTING);
        }
        return made;
    }

    String names() {
        return String.join(", ", files);
    }

    @Override
    public void close() throws IOException {
        for (InputStream stream : opened) {
            stream.close();
        }
        if (copy != null) {
            Files.deleteIfExists(copy);
        }
    }
}
