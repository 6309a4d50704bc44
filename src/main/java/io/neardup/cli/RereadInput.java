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

/** Files that are read more than once. The standard input can be read once only, so it is copied to a file. */
final class RereadInput implements Closeable {
    private static final String STANDARD_INPUT = "-";

    private final List<String> files;
    private final @Nullable Path copy;
    private final List<InputStream> opened = new ArrayList<>();

    RereadInput(List<String> files, InputStream standardInput) throws IOException {
        this.files = List.copyOf(files);
        if (files.contains(STANDARD_INPUT)) {
            copy = Files.createTempFile("neardup-", ".jsonl");
            Files.copy(standardInput, copy, StandardCopyOption.REPLACE_EXISTING);
        } else {
            copy = null;
        }
    }

    /** The documents from the start. */
    DocumentLines open(NeardupConfig config) throws IOException {
        return new DocumentLines(files, standardInput(), config);
    }

    /** What the standard input was, from the start. */
    InputStream standardInput() throws IOException {
        if (copy == null) {
            return InputStream.nullInputStream();
        }
        InputStream stream = Files.newInputStream(copy);
        opened.add(stream);
        return stream;
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
