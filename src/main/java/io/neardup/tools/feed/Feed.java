package io.neardup.tools.feed;

import io.neardup.config.NeardupConfig;
import io.neardup.config.NeardupConfig.DocumentFormat;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of several files in turn. What format a file is in, and whether it is packed by gzip or zstd, is
 * told by its content; its name counts only where that leaves several. A folder stands for the files in it. {@code -}
 * is the standard input.
 *
 * <p>What is broken inside a file is skipped and counted. What makes a file unreadable as a whole is an
 * {@link IOException} that names the file, the place and what to do: so are lines whose packing breaks off. In a
 * folder, a file of no known format is skipped, too. Not thread-safe, but for {@link #skippedTotals}.
 */
public final class Feed implements Closeable {
    static final String STANDARD_INPUT = "-";
    private static final int FOLDER_FILES_MAX = 1_000_000;
    /** As many bytes are looked at first, to tell a format. */
    private static final int FIRST_LENGTH = 1 << 10;
    /** And as many bytes of the file, as they are packed. */
    private static final int HEAD_PACKED_BYTES_MAX = 8 << 20;

    private final Skipped skipped = new Skipped();
    private final Deque<SourceFile> waiting = new ArrayDeque<>();
    private final InputStream standardInput;
    private final String standardInputName;
    private final Kind kind;
    private final int recordBytesMax;

    private @Nullable Selection selection;
    private String source = "";
    private @Nullable InputStream input;
    private @Nullable FormatReader reader;

    /** Its name as it was given, or the folder's name and the place in it. */
    private record SourceFile(String name, boolean inFolder) {}

    /** Which files are read, for who knows more of them than a feed does. */
    public interface Selection {
        /** Whether a file is read at all. The standard input is. */
        boolean wants(String file) throws IOException;

        /** Is told, on the thread that reads, what is read from now on. */
        void opens(String file) throws IOException;
    }

    /** What files are taken for. */
    public enum Kind {
        /** Each for what it begins like. */
        ANY,
        /** Lines, one record each, whatever is in them. */
        LINES;

        /** As the settings want it: where documents are plain text, every line is one. */
        public static Kind of(NeardupConfig config) {
            return config.documentFormat() == DocumentFormat.TEXT ? LINES : ANY;
        }
    }

    /**
     * A feed of which nothing is open yet.
     *
     * @param files paths of files and folders, or {@code -} for the standard input
     * @param standardInput what {@code -} stands for; not closed
     * @param recordBytesMax a longer record comes without its bytes: {@link FeedRecord#isOversized()}
     */
    public Feed(List<String> files, InputStream standardInput, Kind kind, int recordBytesMax) {
        this(files, standardInput, "stdin", kind, recordBytesMax);
    }

    private Feed(
            List<String> files, InputStream standardInput, String standardInputName, Kind kind, int recordBytesMax) {
        files.forEach(file -> waiting.add(new SourceFile(file, false)));
        this.standardInput = standardInput;
        this.standardInputName = standardInputName;
        this.kind = kind;
        this.recordBytesMax = recordBytesMax;
    }

    /**
     * A feed of the lines of one stream that is no file.
     *
     * @param source what its records name as their source
     */
    public static Feed ofStream(String source, InputStream in, int recordBytesMax) {
        return new Feed(List.of(STANDARD_INPUT), in, source, Kind.LINES, recordBytesMax);
    }

    /**
     * Finds what is wrong with files before anything depends on them: those that are missing, that may not be read or
     * are in no known format, and folders without files. Nothing is said of what is in pipes and folders.
     *
     * @throws UnusableFileException that says which cannot be taken
     */
    public static void check(List<String> files, Kind kind) throws IOException {
        for (String file : files) {
            if (!file.equals(STANDARD_INPUT)) {
                checkReadable(file);
                if (kind == Kind.ANY && Files.isRegularFile(Path.of(file))) {
                    try (Feed feed = new Feed(List.of(file), InputStream.nullInputStream(), kind, 1)) {
                        FormatReader unused = feed.open();
                    }
                }
            }
        }
    }

    private static void checkReadable(String file) throws IOException {
        Path path = Path.of(file);
        if (!Files.exists(path)) {
            throw UnusableFileException.missing(file);
        }
        if (!Files.isReadable(path)) {
            throw new UnusableFileException(file + " cannot be read: check that you may read it");
        }
        if (Files.isDirectory(path)
                && new Feed(List.of(file), InputStream.nullInputStream(), Kind.LINES, 1).nextFile() == null) {
            throw new UnusableFileException(
                    file + ": expected a folder with files to read, found none that is not hidden: check the path");
        }
    }

    /** The next record, or null after the last one of the last file. */
    public @Nullable FeedRecord next() throws IOException {
        FormatReader current = reader != null ? reader : open();
        while (current != null) {
            FeedRecord record = record(current);
            if (record != null) {
                return record;
            }
            close();
            current = open();
        }
        return null;
    }

    /**
     * Reports each part that is skipped from now on, on the thread that reads.
     *
     * @return this
     */
    public Feed reportingSkipped(Consumer<Skipped.Part> reported) {
        skipped.report(reported);
        return this;
    }

    /** Lists all files, those in folders too, and reads the wanted ones alone; to be called before the first record. */
    public void select(Selection chosen) throws IOException {
        selection = chosen;
        Deque<SourceFile> wanted = new ArrayDeque<>();
        for (SourceFile file = nextFile(); file != null; file = nextFile()) {
            if (file.name.equals(STANDARD_INPUT) || chosen.wants(file.name)) {
                wanted.add(file);
            }
        }
        waiting.addAll(wanted);
    }

    /** What was skipped so far; may be called by another thread. */
    public Skipped.Totals skippedTotals() {
        return skipped.snapshot();
    }

    /** Closes the file that is being read; the standard input stays open. */
    @Override
    public void close() throws IOException {
        InputStream current = input;
        input = null;
        reader = null;
        if (current != null) {
            current.close();
        }
    }

    private @Nullable FeedRecord record(FormatReader current) throws IOException {
        try {
            return current.next();
        } catch (DamagedException e) {
            if (current instanceof JsonLinesReader) {
                throw new IOException(
                        source + " is damaged at line " + current.number + ", byte " + e.offset() + " ("
                                + e.getMessage() + "): fetch the file again",
                        e);
            }
            String rest = e.skip() == Skip.TRUNCATED ? "" : ", so that nothing behind it is read";
            skipped.add(e.skip(), source, current.number, e.offset(), e.getMessage() + rest);
            return null;
        } catch (IOException | RuntimeException e) {
            throw explained(e, current.number);
        }
    }

    // ---- files

    /** The next one; of a folder all that are in it, in the order of their names. Links are not followed. */
    private @Nullable SourceFile nextFile() throws IOException {
        SourceFile file = waiting.poll();
        while (file != null && !file.inFolder && isFolder(file.name)) {
            inFolder(file.name);
            file = waiting.poll();
        }
        return file;
    }

    private static boolean isFolder(String name) {
        return !name.equals(STANDARD_INPUT) && Files.isDirectory(Path.of(name));
    }

    private void inFolder(String folder) throws IOException {
        List<String> found = new ArrayList<>();
        list(Path.of(folder), found);
        Collections.sort(found);
        for (int i = found.size() - 1; i >= 0; i--) {
            waiting.addFirst(new SourceFile(found.get(i), true));
        }
    }

    private void list(Path folder, List<String> found) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (folder.relativize(entry).toString().startsWith(".")) {
                    skipped.add(Skip.HIDDEN, entry.toString(), 0, 0, "");
                } else if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    list(entry, found);
                } else if (Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) {
                    found.add(entry.toString());
                }
                if (found.size() > FOLDER_FILES_MAX) {
                    throw new IOException(folder + ": expected at most " + FOLDER_FILES_MAX
                            + " files in a folder, found more: give its folders one by one");
                }
            }
        }
    }

    /** Opens the next file that is in a known format; null if there is none. */
    private @Nullable FormatReader open() throws IOException {
        FormatReader opened = null;
        SourceFile file = nextFile();
        while (opened == null && file != null) {
            opened = open(file);
            file = opened == null ? nextFile() : null;
        }
        return opened;
    }

    private @Nullable FormatReader open(SourceFile file) throws IOException {
        source = file.name.equals(STANDARD_INPUT) ? standardInputName : file.name;
        if (file.inFolder && Files.notExists(Path.of(file.name))) {
            // Renamed since the folder was listed, as crawlers do with a file that is complete.
            return null;
        }
        if (selection != null) {
            selection.opens(file.name);
        }
        InputStream raw = new BufferedInputStream(new FilterInputStream(openRaw(file.name)) {
            /** A pipe cannot tell, and fails where it is asked. */
            @Override
            public int available() {
                return 0;
            }
        });
        input = raw;
        try {
            reader = told(raw, file);
            if (reader == null) {
                close();
            }
            return reader;
        } catch (IOException | RuntimeException e) {
            raw.close();
            throw explained(e, 1);
        }
    }

    /** Readers do not read before their first record, so that damage is met there. */
    private @Nullable FormatReader told(InputStream raw, SourceFile file) throws IOException {
        if (kind == Kind.LINES) {
            return new JsonLinesReader(source, packed(raw), skipped, recordBytesMax);
        }
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        FeedFormat format = null;
        boolean isAll = false;
        boolean isDamaged = false;
        raw.mark(HEAD_PACKED_BYTES_MAX);
        try (PackedInput peeked = new PackedInput(unclosed(raw))) {
            byte[] buffer = new byte[FIRST_LENGTH];
            int enough = FIRST_LENGTH;
            while (format == null && !isAll) {
                int count = -1;
                try {
                    count = peeked.read(buffer, 0, FIRST_LENGTH);
                } catch (DamagedException e) {
                    isDamaged = true;
                }
                read.write(buffer, 0, Math.max(0, count));
                isAll = count < 0 || read.size() >= FeedFormat.HEAD_BYTES;
                if (isAll || read.size() >= enough) {
                    // Twice as many the next time: a gzip member may have one byte.
                    enough = 2 * read.size();
                    format = FeedFormat.tell(Charsets.ascii(read.toByteArray()), isAll, file.name, file.inFolder);
                }
            }
        }
        raw.reset();
        raw.mark(0);
        if (read.size() == 0 && !isDamaged) {
            skipped.add(Skip.EMPTY, source, 0, 0, "nothing is in it");
            return null;
        }
        if (format != null) {
            return reader(format, packed(raw), read.toByteArray());
        }
        if (!file.inFolder) {
            throw UnusableFileException.unknownFormat(read.size());
        }
        skipped.add(Skip.UNKNOWN_FORMAT, source, 0, 0, "it begins like none that is known");
        return null;
    }

    private PackedInput packed(InputStream raw) throws IOException {
        PackedInput opened = new PackedInput(raw);
        input = opened;
        return opened;
    }

    private FormatReader reader(FeedFormat format, PackedInput opened, byte[] head) throws IOException {
        if (Charsets.hasMark(head)) {
            opened.skipNBytes(Charsets.MARK_LENGTH);
        }
        InputStream in = Charsets.hasMark16(head) ? Charsets.utf8(opened) : opened;
        return switch (format) {
            case LINES -> new JsonLinesReader(source, in, skipped, recordBytesMax);
            case ARRAY -> new ArrayReader(source, in, skipped, recordBytesMax);
            case TABLE -> new TableReader(source, in, Charsets.ascii(head), skipped, recordBytesMax);
            case CRAWL -> new CrawlReader(source, opened, skipped, recordBytesMax);
            case NEWS -> new NewsReader(source, in, Charsets.ascii(head), skipped, recordBytesMax);
            case HTML, TEXT -> new WholeFileReader(source, in, format == FeedFormat.HTML, skipped, recordBytesMax);
        };
    }

    private static InputStream unclosed(InputStream in) {
        return new FilterInputStream(in) {
            @Override
            public void close() {}
        };
    }

    private InputStream openRaw(String file) throws IOException {
        if (file.equals(STANDARD_INPUT)) {
            return unclosed(standardInput);
        }
        try {
            return Files.newInputStream(Path.of(file));
        } catch (NoSuchFileException missing) {
            throw UnusableFileException.missing(file);
        } catch (IOException e) {
            throw explained(e, 1);
        }
    }

    /** What ends the reading of a file, with its name and the record. */
    private IOException explained(Exception failure, long number) {
        if (failure instanceof UnusableFileException) {
            return new UnusableFileException(source + ": " + failure.getMessage());
        }
        if (failure instanceof IOException) {
            return new IOException(
                    source + " cannot be read at line " + number + " (" + failure.getMessage()
                            + "): check that it is a file and that you may read it",
                    failure);
        }
        // A library met what nobody thought of.
        return new IOException(
                source + " cannot be read at record " + number + " ("
                        + failure.getClass().getName()
                        + "): leave the file out, and report this as an error of neardup",
                failure);
    }
}
