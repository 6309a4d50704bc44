package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.config.NeardupConfig;
import io.neardup.config.NeardupConfig.DocumentFormat;
import io.neardup.tools.feed.SourceFiles.SourceFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
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
    public static final String STANDARD_INPUT = "-";
    /**
     * Bytes that are read first to detect a format, doubled up to the maximum while it is unknown. A slow stream waits
     * for them.
     */
    private static final int FIRST_LENGTH = 1 << 4;

    private static final int FIRST_LENGTH_MAX = 1 << 20;
    /** As many tell the encoding of lines. */
    private static final int MARK_LENGTH = 4;

    private final Skipped skipped = new Skipped();
    private final SourceFiles waiting;
    private final InputStream standardInput;
    private final Kind kind;
    private final int recordBytesMax;

    private String standardInputName = "stdin";
    private @Nullable SentPositions selection;
    private String source = "";
    private @Nullable InputStream input;
    private @Nullable FormatReader reader;

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
     * @param files paths of files and folders, or {@code -} for the standard input
     * @param standardInput what {@code -} stands for; not closed
     * @param recordBytesMax a longer record comes without its bytes: {@link FeedRecord#isOversized()}
     */
    public Feed(List<String> files, InputStream standardInput, Kind kind, int recordBytesMax) {
        this.waiting = new SourceFiles(files, skipped);
        this.standardInput = standardInput;
        this.kind = kind;
        this.recordBytesMax = recordBytesMax;
    }

    /**
     * A feed of the lines of one stream that is no file.
     *
     * @param source what its records name as their source
     */
    public static Feed ofStream(String source, InputStream in, int recordBytesMax) {
        Feed feed = new Feed(List.of(STANDARD_INPUT), in, Kind.LINES, recordBytesMax);
        feed.standardInputName = source;
        return feed;
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

    /** The standard input, or a pipe, which is another each time it is opened. */
    public static boolean isStream(String file) {
        Path path = Path.of(file);
        return file.equals(STANDARD_INPUT)
                || (!Files.isRegularFile(path) && !Files.isDirectory(path) && Files.exists(path));
    }

    /** Whether one of these, there or to be written, is read where a file or a folder is given. */
    public static boolean reads(String file, List<Path> places) throws IOException {
        boolean isFolder = SourceFiles.isFolder(file);
        Set<Path> read = isFolder ? SourceFiles.realPaths(file) : Set.of();
        for (Path place : places) {
            if (isFolder ? liesIn(read, place) : isSame(file, place)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSame(String file, Path place) throws IOException {
        return !file.equals(STANDARD_INPUT)
                && Files.exists(place)
                && Files.exists(Path.of(file))
                && Files.isSameFile(place, Path.of(file));
    }

    private static boolean liesIn(Set<Path> read, Path place) throws IOException {
        if (Files.exists(place) && !Files.isRegularFile(place)) {
            // A pipe or a terminal, as /dev/stderr: it is not read, and may have no real path.
            return false;
        }
        Path real = real(place.toAbsolutePath().normalize());
        // What is hidden is not read.
        return read.stream().anyMatch(path -> real.startsWith(path) && !("/" + path.relativize(real)).contains("/."));
    }

    private static Path real(Path place) throws IOException {
        Path parent = place.getParent();
        return parent == null || Files.exists(place)
                ? place.toRealPath()
                : real(parent).resolve(parent.relativize(place));
    }

    private static void checkReadable(String file) throws IOException {
        Path path = Path.of(file);
        if (!Files.exists(path)) {
            throw UnusableFileException.missing(file);
        }
        if (!Files.isReadable(path)) {
            throw new UnusableFileException(file + " cannot be read: check that you may read it");
        }
        if (Files.isDirectory(path) && new SourceFiles(List.of(file), new Skipped()).next() == null) {
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

    /** Reports each part that is skipped from now on, on the thread that reads; returns this. */
    public Feed reportingSkipped(Consumer<Skipped.Part> reported) {
        skipped.report(reported);
        return this;
    }

    /** Lists all files, those in folders too, and reads the wanted ones alone; to be called before the first record. */
    void select(SentPositions chosen) throws IOException {
        selection = chosen;
        waiting.select(chosen);
    }

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
            FeedRecord next = current.next();
            DamagedException trailing = next == null && input instanceof PackedInput packed ? packed.trailing() : null;
            if (trailing != null) {
                String found = String.valueOf(trailing.getMessage());
                skipped.add(trailing.skip(), source, current.number, trailing.offset(), found);
            }
            return next;
        } catch (DamagedException e) {
            if (current instanceof JsonLinesReader) {
                throw new IOException(
                        source + " is damaged at line " + current.number + ", byte " + e.offset() + " ("
                                + e.getMessage() + "): fetch the file again",
                        e);
            }
            String rest = e.skip() == Skip.TRUNCATED ? "" : ", so nothing after it is read";
            skipped.add(e.skip(), source, current.number, e.offset(), e.getMessage() + rest);
            return null;
        } catch (IOException | RuntimeException e) {
            throw explained(e, current.number);
        }
    }

    /** Opens the next file that is in a known format; null if there is none. */
    private @Nullable FormatReader open() throws IOException {
        for (SourceFile file = waiting.next(); file != null; file = waiting.next()) {
            FormatReader opened = open(file);
            if (opened != null) {
                return opened;
            }
        }
        return null;
    }

    private @Nullable FormatReader open(SourceFile file) throws IOException {
        source = file.name().equals(STANDARD_INPUT) ? standardInputName : file.name();
        if (file.inFolder() && Files.notExists(Path.of(file.name()))) {
            // Renamed since the folder was listed, as crawlers do with a file that is complete.
            return null;
        }
        try {
            if (selection != null) {
                selection.startFile(file.name());
            }
            InputStream raw = openRaw(file.name());
            input = raw;
            reader = detectReader(raw, file);
            if (reader == null) {
                close();
            }
            return reader;
        } catch (NoSuchFileException missing) {
            throw UnusableFileException.missing(file.name());
        } catch (IOException | RuntimeException e) {
            close();
            throw explained(e, 1);
        }
    }

    private @Nullable FormatReader detectReader(InputStream raw, SourceFile file) throws IOException {
        ByteArrayOutputStream first = new ByteArrayOutputStream();
        byte[] head = {};
        FeedFormat format = null;
        boolean isAll = false;
        // Twice as many each time: of packed bytes nobody knows how many are needed.
        for (int length = kind == Kind.LINES ? MARK_LENGTH : FIRST_LENGTH; format == null && !isAll; length *= 2) {
            first.writeBytes(raw.readNBytes(length - first.size()));
            head = PackedInput.head(first.toByteArray(), FeedFormat.HEAD_BYTES);
            isAll = first.size() < length || length >= FIRST_LENGTH_MAX || head.length >= FeedFormat.HEAD_BYTES;
            format = kind == Kind.ANY
                    ? FeedFormat.detect(ascii(head), isAll, file.name(), file.inFolder())
                    : isAll || head.length >= MARK_LENGTH ? FeedFormat.LINES : null;
        }
        if (first.size() == 0) {
            skipped.add(Skip.EMPTY, source, 0, 0, "nothing is in it");
            return null;
        }
        if (format == null && !file.inFolder()) {
            throw UnusableFileException.unknownFormat(head.length);
        }
        if (format == null) {
            skipped.add(Skip.UNKNOWN_FORMAT, source, 0, 0, "it begins like none that is known");
            return null;
        }
        PackedInput opened =
                new PackedInput(new SequenceInputStream(new ByteArrayInputStream(first.toByteArray()), raw));
        input = opened;
        return reader(format, opened, head);
    }

    /** Readers do not read before their first record, so that damage is met there. */
    private FormatReader reader(FeedFormat format, PackedInput opened, byte[] head) throws IOException {
        Charset utf16 = Charsets.utf16(head);
        if (Set.of(FeedFormat.LINES, FeedFormat.ARRAY, FeedFormat.OBJECTS, FeedFormat.TABLE)
                .contains(format)) {
            byte[] unused = opened.readNBytes(Charsets.markLength(head));
        }
        InputStream in = utf16 == null ? opened : Charsets.utf8(opened, utf16);
        return switch (format) {
            case LINES -> new JsonLinesReader(source, in, skipped, recordBytesMax);
            case ARRAY, OBJECTS -> new ArrayReader(source, in, format == FeedFormat.ARRAY, skipped, recordBytesMax);
            case TABLE -> new TableReader(source, in, ascii(head), skipped, recordBytesMax);
            case CRAWL -> new CrawlReader(source, opened, skipped, recordBytesMax);
            case NEWS -> new NewsReader(source, in, ascii(head), utf16 != null, skipped, recordBytesMax);
            case HTML, TEXT -> new WholeFileReader(source, opened, format == FeedFormat.HTML, skipped, recordBytesMax);
        };
    }

    private static byte[] ascii(byte[] head) {
        Charset utf16 = Charsets.utf16(head);
        return utf16 == null ? head : new String(head, utf16).getBytes(UTF_8);
    }

    private InputStream openRaw(String file) throws IOException {
        if (!file.equals(STANDARD_INPUT)) {
            return Files.newInputStream(Path.of(file));
        }
        return new FilterInputStream(standardInput) {
            @Override
            public void close() {}
        };
    }

    /** What ends the reading of a file, with its name and the record. */
    private IOException explained(Exception failure, long number) {
        if (failure instanceof UnusableFileException) {
            return new UnusableFileException(source + ": " + failure.getMessage());
        }
        // What a library met that nobody thought of may have content in its message.
        String found = failure instanceof IOException
                ? String.valueOf(failure.getMessage())
                : failure.getClass().getName();
        return new IOException(
                source + " cannot be read at record " + number + " (" + found
                        + "): check that it is a file and that you may read it, or leave it out",
                failure);
    }
}
