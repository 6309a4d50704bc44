package io.neardup.local;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A folder of our own that is deleted with everything in it. */
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
        Files.walkFileTree(path, new Deletion());
    }

    /** Links are deleted, not followed; files that vanish meanwhile are no failure. */
    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw e;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) throws IOException {
            if (e != null) {
                throw e;
            }
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
