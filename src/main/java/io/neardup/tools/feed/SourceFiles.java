package io.neardup.tools.feed;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files of a feed in turn; of a folder all that are in it, in the order of their names. Links are not followed. */
final class SourceFiles {
    static final int FOLDER_FILES_MAX = 1_000_000;

    private final Deque<SourceFile> waiting = new ArrayDeque<>();
    private final Skipped skipped;

    /** Its name as it was given, or the folder's name and the place in it. */
    record SourceFile(String name, boolean inFolder) {}

    SourceFiles(List<String> files, Skipped skipped) {
        this.skipped = skipped;
        files.forEach(file -> waiting.add(new SourceFile(file, false)));
    }

    /** Lists them all, and keeps those that are wanted, and the standard input. */
    void select(SentPositions selection) throws IOException {
        Deque<SourceFile> wanted = new ArrayDeque<>();
        for (SourceFile file = next(); file != null; file = next()) {
            if (file.name.equals(Feed.STANDARD_INPUT) || selection.wants(file.name)) {
                wanted.add(file);
            }
        }
        waiting.addAll(wanted);
    }

    @Nullable
    SourceFile next() throws IOException {
        SourceFile file = waiting.poll();
        while (file != null && !file.inFolder && isFolder(file.name)) {
            inFolder(file.name);
            file = waiting.poll();
        }
        return file;
    }

    private static boolean isFolder(String name) {
        return !name.equals(Feed.STANDARD_INPUT) && Files.isDirectory(Path.of(name));
    }

    private void inFolder(String folder) throws IOException {
        List<String> found = new ArrayList<>();
        Path root = Path.of(folder);
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
                return isHidden(path) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile() && !isHidden(path)) {
                    found.add(path.toString());
                }
                if (found.size() > FOLDER_FILES_MAX) {
                    throw new IOException(folder + ": expected at most " + FOLDER_FILES_MAX
                            + " files in a folder, found more: give its folders one by one");
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path path, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    // Gone since its folder was listed.
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }

            private boolean isHidden(Path path) {
                Path name = path.getFileName();
                boolean hidden =
                        !path.equals(root) && name != null && name.toString().startsWith(".");
                if (hidden) {
                    skipped.add(Skip.HIDDEN, path.toString(), 0, 0, "");
                }
                return hidden;
            }
        });
        Collections.sort(found);
        for (int i = found.size() - 1; i >= 0; i--) {
            waiting.addFirst(new SourceFile(found.get(i), true));
        }
    }
}
