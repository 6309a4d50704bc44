package io.neardup.tools.local;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.neardup.engine.similarity.Similarity;
import io.neardup.tools.feed.PassedOverPart;
import io.neardup.tools.feed.UnusableFileException;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
 *       known, and the line as {@code value}, or {@code valueBase64} if it is not UTF-8, unless it was left out.
 *   <li>{@value #PASSED_OVER}: a {@link PassedOverFile}.
 *   <li>{@value #VERDICTS}, where the service writes verdicts: these, as they came.
 * </ul>
 *
 * <p>Here {@code source} is the place of the input line, {@code file:line}. Until {@link #complete} the names end in
 * {@value #PARTIAL}, and the results of an earlier run stay as they are. Not thread-safe.
 */
public final class ResultFiles implements Closeable {
    public static final String UNIQUE = "unique.jsonl";
    public static final String DUPLICATE_OF = "duplicate-of.jsonl";
    public static final String DEAD_LETTER = "dead-letter.jsonl";

    public static final String PASSED_OVER = "skipped.jsonl";
    public static final String VERDICTS = "verdicts.jsonl";

    static final String PARTIAL = ".part";

    /** Where a run that is tuned first leaves out boilerplate, it is in this file of the folder. */
    public static final String COMMON = "tuned.boilerplate.tsv";

    /** What a run may replace. */
    static final List<String> NAMES = List.of(UNIQUE, DUPLICATE_OF, DEAD_LETTER, PASSED_OVER, VERDICTS, COMMON);

    private static final JsonFactory JSON = new JsonFactory();
    private static final int BUFFER_LENGTH = 1 << 16;

    private final Path folder;
    private final OutputStream unique;
    private final JsonGenerator duplicateOf;
    private final JsonGenerator deadLetter;
    private final PassedOverFile passedOver;
    private final OutputStream verdicts;
    private final List<String> written;
    private boolean isComplete;

    private ResultFiles(Path folder, boolean withVerdicts) throws IOException {
        this.folder = folder;
        this.written = withVerdicts
                ? List.of(UNIQUE, DUPLICATE_OF, DEAD_LETTER, PASSED_OVER, VERDICTS)
                : List.of(UNIQUE, DUPLICATE_OF, DEAD_LETTER, PASSED_OVER);
        this.verdicts = withVerdicts ? open(folder, VERDICTS) : OutputStream.nullOutputStream();
        this.unique = open(folder, UNIQUE);
        this.duplicateOf = openJson(folder, DUPLICATE_OF);
        this.deadLetter = openJson(folder, DEAD_LETTER);
        this.passedOver = new PassedOverFile(folder.resolve(PASSED_OVER + PARTIAL));
    }

    /** Whether a run has begun to write into a folder, and has not ended. */
    static boolean hasPartial(Path folder) {
        return Files.exists(folder.resolve(UNIQUE + PARTIAL));
    }

    /**
     * Makes the folder if it is missing.
     *
     * @throws IOException if it cannot be written
     */
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

    /**
     * Makes the folder if it is missing, and empty files in it.
     *
     * @param withVerdicts whether there is one for verdicts
     * @throws IOException if it cannot be written
     */
    static ResultFiles create(Path folder, boolean withVerdicts) throws IOException {
        prepare(folder);
        try {
            return new ResultFiles(folder, withVerdicts);
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

    /** Writes a unique document's input line. */
    public void unique(byte[] line) throws IOException {
        unique.write(line);
        unique.write('\n');
    }

    /** Writes a verdict, as it came. */
    public void verdict(byte[] json) throws IOException {
        verdicts.write(json);
        verdicts.write('\n');
    }

    /** Writes which document {@code id} repeats, whether that is one of a seed, and how similar the two are. */
    public void duplicate(String id, String original, boolean isOfSeed, Similarity similarity, String source)
            throws IOException {
        duplicateOf.writeStartObject();
        duplicateOf.writeStringField("id", id);
        duplicateOf.writeStringField("duplicateOf", original);
        if (isOfSeed) {
            duplicateOf.writeBooleanField("originalIsOfSeed", true);
        }
        duplicateOf.writeNumberField("similarity", similarity.value());
        if (similarity.knowsWhole()) {
            duplicateOf.writeNumberField("similarityWhole", similarity.whole());
        }
        if (similarity.knowsShares()) {
            duplicateOf.writeNumberField("containmentOfDuplicate", similarity.ofFirst());
            duplicateOf.writeNumberField("containmentOfOriginal", similarity.ofSecond());
        }
        duplicateOf.writeStringField("source", source);
        endLine(duplicateOf);
    }

    /**
     * Writes a line that is no document.
     *
     * @param id its id, if it could be read
     * @param value the line; null leaves it out
     */
    public void deadLetter(String reason, String detail, String source, @Nullable String id, byte @Nullable [] value)
            throws IOException {
        deadLetter.writeStartObject();
        deadLetter.writeStringField("reason", reason);
        deadLetter.writeStringField("detail", detail);
        deadLetter.writeStringField("source", source);
        if (id != null) {
            deadLetter.writeStringField("id", id);
        }
        if (value != null) {
            writeValue(value);
        }
        endLine(deadLetter);
    }

    /** Writes a part of the input that is no record, as {@link PassedOverFile#add}. */
    public void passedOver(PassedOverPart part) throws IOException {
        passedOver.add(part);
    }

    /** Ends the files, and puts them in the place of those of an earlier run. */
    public void complete() throws IOException {
        end();
        isComplete = true;
        for (String name : written) {
            Files.move(folder.resolve(name + PARTIAL), folder.resolve(name), REPLACE_EXISTING);
        }
    }

    /** Ends the files. Those of a run that did not come to its end keep their names, or go if they are empty. */
    @Override
    public void close() throws IOException {
        end();
        if (!isComplete) {
            for (String name : written) {
                Path partial = folder.resolve(name + PARTIAL);
                if (Files.exists(partial) && Files.size(partial) == 0) {
                    Files.delete(partial);
                }
            }
        }
    }

    private void end() throws IOException {
        try (unique;
                duplicateOf;
                deadLetter;
                passedOver;
                verdicts) {
            unique.flush();
            duplicateOf.flush();
            deadLetter.flush();
            verdicts.flush();
        }
    }

    private void writeValue(byte[] value) throws IOException {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(value))
                    .toString();
            deadLetter.writeStringField("value", text);
        } catch (CharacterCodingException e) {
            deadLetter.writeFieldName("valueBase64");
            deadLetter.writeBinary(value);
        }
    }

    private static void endLine(JsonGenerator json) throws IOException {
        json.writeEndObject();
        json.writeRaw('\n');
    }

    private static OutputStream open(Path folder, String name) throws IOException {
        return new BufferedOutputStream(Files.newOutputStream(folder.resolve(name + PARTIAL)), BUFFER_LENGTH);
    }

    private static JsonGenerator openJson(Path folder, String name) throws IOException {
        return JSON.createGenerator(open(folder, name)).setRootValueSeparator(null);
    }
}
