package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.tools.analysis.DocumentLines;
import io.neardup.tools.feed.Feed;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Files that are read more than once, one reading after the other. The standard input can be read once only, so it is
 * copied to a file, when it is first asked for.
 */
final class RereadInput implements Closeable {
    private final List<String> files;
    private final InputStream original;
    private @Nullable FileChannel copy;

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
        FileChannel made = copy;
        if (made == null) {
            made = FileChannel.open(
                    Files.createTempFile("neardup-", ".jsonl"),
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE);
            copy = made;
            original.transferTo(Channels.newOutputStream(made));
        }
        return Channels.newInputStream(made.position(0));
    }

    String names() {
        return String.join(", ", files);
    }

    @Override
    public void close() throws IOException {
        if (copy != null) {
            copy.close();
        }
    }
}
