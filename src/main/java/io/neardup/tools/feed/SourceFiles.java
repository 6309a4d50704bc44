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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The files of a feed in turn; of a folder all that are in it, in the order of their names. What links of a folder lead
 * to is read once: what lies in the folder under its own name, all else under the first link's.
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
            addFilesOf(file.name);
            file = waiting.poll();
        }
        return file;
    }

    static boolean isFolder(String name) {
        return !name.equals(Feed.STANDARD_INPUT) && Files.isDirectory(Path.of(name));
    }

    private void addFilesOf(String folder) throws IOException {
        NavigableSet<String> found = new TreeSet<>(new Walk(folder, skipped).files.values());
        found.descendingSet().forEach(file -> waiting.addFirst(new SourceFile(file, true)));
    }

    /** Of all folders and files that are read where a folder is given. */
    static Set<Path> realPaths(String folder) throws IOException {
        Walk walk = new Walk(folder, new Skipped());
        walk.folders.addAll(walk.files.keySet());
        return walk.folders;
    }

    /** First what lies in the folder, then what each link leads to: so names do not depend on the order of listings. */
    private static final class Walk extends SimpleFileVisitor<Path> {
        private final Skipped skipped;
        private final Path root;
        private final Path realRoot;
        /** Their real paths; a folder is walked once. */
        private final Set<Path> folders = new HashSet<>();
        /** By their real paths. */
        private final Map<Path, String> files = new HashMap<>();
        /** Not followed yet. */
        private final NavigableSet<Path> links = new TreeSet<>();

        private Path start;

        Walk(String folder, Skipped skipped) throws IOException {
            this.skipped = skipped;
            this.root = Path.of(folder);
            this.realRoot = root.toRealPath();
            this.start = root;
            links.add(root);
            for (Path next = links.pollFirst(); next != null; next = links.pollFirst()) {
                start = next;
                Files.walkFileTree(start, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, this);
            }
        }

        @Override
        public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) throws IOException {
            if (isHidden(path) || isLeftForLater(path)) {
                return FileVisitResult.SKIP_SUBTREE;
            }
            Path real = real(path);
            boolean isNew = real != null && folders.add(real);
            checkCount(folders.size(), "folders");
            return isNew ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
        }

        @Override
        public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
            if (attributes.isSymbolicLink() && !isHidden(path)) {
                skipped.add(Skip.LINK, path.toString(), 0, 0, "it leads to nothing that can be read");
            } else if (attributes.isRegularFile() && !isHidden(path) && !isLeftForLater(path)) {
                Path real = real(path);
                if (real != null) {
                    Path place = real.startsWith(realRoot) ? root.resolve(realRoot.relativize(real)) : path;
                    files.putIfAbsent(real, place.toString());
                }
                checkCount(files.size(), "files");
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path path, IOException e) throws IOException {
            if (e instanceof FileSystemLoopException) {
                skipped.add(Skip.LINK, path.toString(), 0, 0, "it leads to a folder that it lies in");
            } else if (!(e instanceof NoSuchFileException)) {
                if (start.equals(root) && !isLink(path)) {
                    throw new UnusableFileException(
                            path + " cannot be read: check that you may read it, or leave it out", e);
                }
                skipped.add(Skip.LINK, path.toString(), 0, 0, "a link leads to it, and it cannot be read");
            }
            return FileVisitResult.CONTINUE;
        }

        private boolean isLeftForLater(Path path) throws IOException {
            boolean isLink = isLink(path);
            if (isLink) {
                links.add(path);
                checkCount(links.size(), "links");
            }
            return isLink;
        }

        private boolean isLink(Path path) {
            return !path.equals(start) && Files.isSymbolicLink(path);
        }

        /** Null where it is gone since its folder was listed. */
        private static @Nullable Path real(Path path) throws IOException {
            try {
                return path.toRealPath();
            } catch (NoSuchFileException e) {
                return null;
            }
        }

        private void checkCount(int count, String what) throws IOException {
            if (count > FOLDER_FILES_MAX) {
                throw new IOException(root + ": expected at most " + FOLDER_FILES_MAX + " " + what
                        + " in a folder, found more: give its folders one by one");
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
    }
}
