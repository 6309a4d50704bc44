package io.neardup.tools.local;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.common.utils.Utils;

/** A folder of our own that is deleted with everything in it. Links are deleted, not followed. */
public final class TemporaryFolder implements Closeable {
    private final Path path;

    public TemporaryFolder(String prefix) throws IOException {
        try {
            this.path = Files.createTempDirectory(prefix);
        } catch (IOException e) {
            throw new IOException(
                    "cannot make a temporary folder (" + e + "): take another place with -Djava.io.tmpdir=...", e);
        }
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        Utils.delete(path.toFile());
    }
}
