package io.neardup.tools.cli;

import io.neardup.record.Document;
import io.neardup.tools.analysis.Answer;
import io.neardup.tools.analysis.Labels;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file that answers are kept in, each as soon as it is given: a line a pair, two ids and the answer with tabs
 * between, as {@link Labels} reads them. Nothing that stands in it is changed.
 */
final class AnswersFile {
    private static final String HEADER = "# What people say of two documents: same, other, unclear, or ? for not"
            + " answered yet.\n# Fill in the answers behind the ids, with tabs between.\n";

    private final Path path;

    AnswersFile(Path path) {
        this.path = path;
    }

    /**
     * The file that is named, or the one beside the documents.
     *
     * @throws IOException if it cannot be written
     */
    static AnswersFile checked(String documents, @Nullable Path named) throws IOException {
        Path path = named == null ? Path.of(documents + ".answers.tsv") : named;
        return new AnswersFile(OutputFile.checked("--answers", path, documents));
    }

    Path path() {
        return path;
    }

    /**
     * What stands in it.
     *
     * @return null if it is not there yet
     * @throws IOException that names a line that is not as it should be
     */
    @Nullable
    Labels read(List<Document> documents) throws IOException {
        return Files.exists(path) ? Labels.of(path, documents) : null;
    }

    /** Adds a line. */
    void add(Document first, Document second, Answer answer) throws IOException {
        String line = first.id() + "\t" + second.id() + "\t" + answer.word() + "\n";
        String before = !Files.exists(path) ? HEADER : isEndOfLine() ? "" : "\n";
        Files.writeString(path, before + line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private boolean isEndOfLine() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
            if (file.length() == 0) {
                return true;
            }
            file.seek(file.length() - 1);
            return file.read() == '\n';
        }
    }

    /** The documents that a line can name: the first of each id, if it can stand between tabs as it is. */
    static List<Document> nameable(List<Document> documents) {
        Set<String> ids = new HashSet<>();
        List<Document> nameable = new ArrayList<>();
        for (Document document : documents) {
            String id = document.id();
            boolean isPlain = !id.isEmpty()
                    && id.equals(id.strip())
                    && !id.startsWith("#")
                    && id.chars().noneMatch(Character::isISOControl)
                    && StandardCharsets.UTF_8.newEncoder().canEncode(id);
            if (isPlain && ids.add(id)) {
                nameable.add(document);
            }
        }
        return nameable;
    }
}
