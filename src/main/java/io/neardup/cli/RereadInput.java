package io.neardup.cli;

import io.neardup.analysis.DocumentLines;
import io.neardup.config.NeardupConfig;
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
    private static final String STANDARD_INPUT = "-";

    private final List<String> files;
    private final InputStream original;
    private @Nullable Path copy;
    private final List<InputStream> opened = new ArrayList<>();

    /** Nothing is read yet. */
    RereadInput(List<String> files, InputStream standardInput) {
        this.files = List.copyOf(files);
        this.original = standardInput;
    }

    /** The documents from the start. */
    DocumentLines open(NeardupConfig config) throws IOException {
        return new DocumentLines(files, standardInput(), config);
    }

    /** What the standard input was, from the start. */
    InputStream standardInput() throws IOException {
        if (!files.contains(STANDARD_INPUT)) {
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
            copy = made;
            Files.copy(original, made, StandardCopyOption.REPLACE_EXISTING);
        }
        return made;
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
