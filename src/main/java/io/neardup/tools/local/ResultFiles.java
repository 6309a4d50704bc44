package io.neardup.tools.local;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.neardup.engine.similarity.Similarity;
import io.neardup.record.RawText;
import io.neardup.tools.feed.Feed;
import io.neardup.tools.feed.Skipped;
import io.neardup.tools.feed.UnusableFileException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * The result of a local run, files of a folder with one document or part a line:
 *
 * <ul>
 *   <li>{@value #UNIQUE}: the input lines, byte for byte.
 *   <li>{@value #DUPLICATE_OF}: JSON objects with {@code id}, {@code duplicateOf}, {@code similarity} (0 to 1),
 *       {@code similarityWhole}, that of the whole texts where boilerplate does not count, how much of each is in the
 *       other where that is known, {@code containmentOfDuplicate} and {@code containmentOfOriginal}, and
 *       {@code source}; and
 *       {@code originalIsOfSeed} where that is so.
 *   <li>{@value #DEAD_LETTER}: JSON objects with {@code reason}, {@code detail}, {@code source}, {@code id} if it is
 *       known, and the line as {@code value}, or {@code valueBase64} if it is not UTF-8, unless it was too large.
 *   <li>{@value #SKIPPED}: what is no record, as {@link LineFile#skipped} writes it.
 *   <li>{@value #VERDICTS}, where the service writes verdicts: these, as they came.
 *   <li>{@value #STORIES}, where it writes stories: the last state of each that got a copy, as it came.
 * </ul>
 *
 * <p>Here {@code source} is the place of the input line, {@code file:line}. Until {@link #complete} the names end in
 * {@value #PARTIAL}, and the results of an earlier run stay as they are. Not thread-safe.
 */
public final class ResultFiles implements Closeable {
    public static final String UNIQUE = "unique.jsonl";
    public static final String DUPLICATE_OF = "duplicate-of.jsonl";
    public static final String DEAD_LETTER = "dead-letter.jsonl";
    public static final String SKIPPED = "skipped.jsonl";
    public static final String VERDICTS = "verdicts.jsonl";
    public static final String STORIES = "stories.jsonl";

    static final String PARTIAL = ".part";

    /** What a run may replace. */
    static final List<String> NAMES = List.of(UNIQUE, DUPLICATE_OF, DEAD_LETTER, SKIPPED, VERDICTS, STORIES);

    private final Path folder;
    private final Map<String, LineFile> files = new TreeMap<>();

    private ResultFiles(Path folder) {
        this.folder = folder;
    }

    /** Of a run that writes none. */
    static ResultFiles none() {
        return new ResultFiles(Path.of(""));
    }

    private Path partial(String name) {
        return folder.resolve(name + PARTIAL);
    }

    /** Writes a line as it came into one of the files, if that is written. */
    void write(String name, byte[] line) throws IOException {
        LineFile file = files.get(name);
        if (file != null) {
            file.bytes(line);
        }
    }

    private void write(String name, Record line) throws IOException {
        LineFile file = files.get(name);
        if (file != null) {
            file.json(line);
        }
    }

    /**
     * Makes the folder if it is missing.
     *
     * @param inputs paths of what is read, none of which the results may replace, or lie in
     * @throws UnusableFileException if they would, or the folder cannot be written
     */
    public static void prepare(Path folder, List<String> inputs) throws IOException {
        List<Path> results = NAMES.stream()
                .flatMap(name -> Stream.of(name, name + PARTIAL))
                .map(folder::resolve)
                .toList();
        for (String input : inputs) {
            if (Feed.reads(input, results)) {
                throw new UnusableFileException(
                        Files.isDirectory(Path.of(input))
                                ? folder + ": expected a folder for the results outside of those that are read,"
                                        + " found it in " + input + ": take another"
                                : input + " would be replaced by the results: take another folder than " + folder);
            }
        }
        prepare(folder);
    }

    static void prepare(Path folder) throws IOException {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw cannotWrite(folder, e);
        }
        if (!Files.isWritable(folder)) {
            throw cannotWrite(folder, null);
        }
    }

    /** Makes empty files in the folder, also those that a run does not always write where they are named. */
    static ResultFiles create(Path folder, String... more) throws IOException {
        prepare(folder);
        ResultFiles made = new ResultFiles(folder);
        try {
            List<String> names = new ArrayList<>(List.of(UNIQUE, DUPLICATE_OF, DEAD_LETTER, SKIPPED));
            names.addAll(List.of(more));
            for (String name : names) {
                made.files.put(name, new LineFile(made.partial(name), false));
            }
            return made;
        } catch (IOException e) {
            throw cannotWrite(folder, e);
        }
    }

    private static UnusableFileException cannotWrite(Path folder, @Nullable IOException cause) {
        return new UnusableFileException(
                "cannot write to the folder " + folder
                        + ": check that it is a folder and that you may write to it, or take another",
                cause);
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record DuplicateLine(
            String id,
            String duplicateOf,
            @Nullable Boolean originalIsOfSeed,
            double similarity,
            @Nullable Double similarityWhole,
            @Nullable Double containmentOfDuplicate,
            @Nullable Double containmentOfOriginal,
            String source) {}

    /** Writes which document {@code id} repeats, whether that is one of a seed, and how similar the two are. */
    void duplicate(String id, String original, boolean isOfSeed, Similarity similarity, String source)
            throws IOException {
        boolean shares = similarity.knowsShares();
        DuplicateLine line = new DuplicateLine(
                id,
                original,
                isOfSeed ? true : null,
                similarity.value(),
                similarity.knowsWhole() ? (Double) similarity.whole() : null,
                shares ? (Double) similarity.ofFirst() : null,
                shares ? (Double) similarity.ofSecond() : null,
                source);
        write(DUPLICATE_OF, line);
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record DeadLetterLine(
            String reason,
            String detail,
            String source,
            @Nullable String id,
            @Nullable String value,
            @Nullable String valueBase64) {}

    /** Writes a line that is no document, as far as its id and the line itself are known. */
    void deadLetter(String reason, String detail, String source, @Nullable String id, byte @Nullable [] value)
            throws IOException {
        String text =
                value != null && RawText.firstMalformed(value) < 0 ? new String(value, StandardCharsets.UTF_8) : null;
        String base64 =
                value == null || text != null ? null : Base64.getEncoder().encodeToString(value);
        write(DEAD_LETTER, new DeadLetterLine(reason, detail, source, id, text, base64));
    }

    void skipped(Skipped.Part part) {
        LineFile file = files.get(SKIPPED);
        if (file != null) {
            file.skipped(part);
        }
    }

    /** Ends the files, and puts them in the place of those of an earlier run; what only that one wrote is deleted. */
    void complete() throws IOException {
        close();
        for (String name : files.isEmpty() ? List.<String>of() : NAMES) {
            if (files.containsKey(name)) {
                Files.move(partial(name), folder.resolve(name), REPLACE_EXISTING);
            } else {
                Files.deleteIfExists(folder.resolve(name));
            }
        }
    }

    /** Ends the files. Those of a run that did not come to its end keep their names. */
    @Override
    public void close() throws IOException {
        Utils.closeAll(files.values().toArray(LineFile[]::new));
    }
}
