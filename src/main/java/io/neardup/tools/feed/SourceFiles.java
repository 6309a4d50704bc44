package io.neardup.tools.feed;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The files of a feed in turn; of a folder all that are in it, in the order of their names. What a link
 * leads to has its own name, so that it is read once.
 */
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

    static boolean isFolder(String name) {
        return !name.equals(Feed.STANDARD_INPUT) && Files.isDirectory(Path.of(name));
    }

    private void inFolder(String folder) throws IOException {
        NavigableSet<String> found = new TreeSet<>();
        Path root = Path.of(folder);
        Path realRoot = root.toRealPath();
        Set<FileVisitOption> options = EnumSet.of(FileVisitOption.FOLLOW_LINKS);
        Files.walkFileTree(root, options, Integer.MAX_VALUE, new SimpleFileVisitor<>() {
            private int folders;

            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) throws IOException {
                folders++;
                checkCount(folders);
                return isHidden(path) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile() && !isHidden(path)) {
                    addFile(path);
                    checkCount(found.size());
                } else if (attributes.isSymbolicLink() && !isHidden(path)) {
                    skipped.add(Skip.LINK, path.toString(), 0, 0, "it leads to nothing that can be read");
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path path, IOException e) throws IOException {
                if (e instanceof FileSystemLoopException) {
                    skipped.add(Skip.LINK, path.toString(), 0, 0, "it leads to a folder that it lies in");
                } else if (!(e instanceof NoSuchFileException)) {
                    throw e;
                }
                return FileVisitResult.CONTINUE;
            }

            private void addFile(Path path) throws IOException {
                try {
                    Path real = path.toRealPath();
                    found.add((real.startsWith(realRoot) ? root.resolve(realRoot.relativize(real)) : real).toString());
                } catch (NoSuchFileException e) {
                    // Gone since its folder was listed.
                }
            }

            private void checkCount(int count) throws IOException {
                if (count > FOLDER_FILES_MAX) {
                    throw new IOException(folder + ": expected at most " + FOLDER_FILES_MAX
                            + " files in a folder, found more: give its folders one by one");
                }
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
        found.descendingSet().forEach(file -> waiting.addFirst(new SourceFile(file, true)));
    }
}
