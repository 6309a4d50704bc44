package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.neardup.record.Document;
import io.neardup.tools.feed.UnusableFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What people say of pairs of documents: a line a pair, two ids with a tab or a comma between, and after another one an
 * {@link Answer}. Blank lines and lines that begin with {@code #} are skipped.
 *
 * <p>Two ids alone are duplicates. In a file of such lines only, all pairs that it does not name are taken to be
 * different. As soon as one line has an answer, the pairs that are not named are not judged: nobody has looked at them.
 *
 * <p>Of several lines on a pair the last counts, except one that is open.
 */
// Else the JVM chooses the order, and not the same in each run.
@JsonPropertyOrder({"unknownIds", "unknown", "open", "others", "judged", "pairs", "unclear"})
public final class Labels {
    private static final int NAMED_MAX = 3;

    /** @param second above the first */
    record DocumentPair(int first, int second) {}

    private final Map<String, Integer> numbers = new HashMap<>();
    /** Documents whose id an earlier one has: no line can name them. */
    private final BitSet repeatedIds = new BitSet();

    private final Map<DocumentPair, Answer> answers = new LinkedHashMap<>();
    /** The first that are not among the documents. */
    private final Set<String> unknownIds = new LinkedHashSet<>();

    private boolean isPartial;
    private long lines;
    private long unknown;

    private Labels(List<Document> documents) {
        for (int number = 0; number < documents.size(); number++) {
            if (numbers.putIfAbsent(documents.get(number).id(), number) != null) {
                repeatedIds.set(number);
            }
        }
    }

    /**
     * Reads what there is, which may be nothing.
     *
     * @param documents that the ids name; of several with one id the first, and the others are not judged
     * @throws IOException that says where the file is not as it should be
     */
    public static Labels of(Path file, List<Document> documents) throws IOException {
        Labels labels = new Labels(documents);
        int number = 1;
        for (String line : TextFile.read(file).lines().toList()) {
            if (!line.isBlank() && !line.startsWith("#")) {
                labels.add(line, file + ":" + number);
            }
            number++;
        }
        return labels;
    }

    /**
     * As {@link #of}, for those who need pairs that are judged.
     *
     * @throws IOException also where none of the documents is judged
     */
    public static Labels read(Path file, List<Document> documents) throws IOException {
        Labels labels = of(file, documents);
        if (labels.answers.values().stream().noneMatch(Answer::isJudged)) {
            throw new UnusableFileException(
                    file + ": expected " + (labels.isPartial ? "answers on " : "") + "pairs of ids of the"
                            + " documents, found "
                            + (labels.lines == 0 ? "no line" : "none in " + labels.lines + " lines")
                            + "; check that they are the ids that neardup.document.id points to");
        }
        return labels;
    }

    private void add(String line, String position) throws IOException {
        String[] fields = line.split(line.indexOf('\t') >= 0 ? "\t" : ",", -1);
        if (fields.length < 2 || fields.length > 3 || fields[0].isBlank() || fields[1].isBlank()) {
            throw new UnusableFileException(position
                    + ": expected two ids with a tab or a comma between, and after another one"
                    + " an answer or nothing, found " + fields.length + " fields; ids that have commas need tabs");
        }
        lines++;
        isPartial |= fields.length == 3;
        Answer answer = fields.length == 2 ? Answer.SAME : answer(fields[2], position);
        Integer first = number(fields[0].strip());
        Integer second = number(fields[1].strip());
        if (first == null || second == null || first.equals(second)) {
            unknown++;
        } else {
            DocumentPair pair = new DocumentPair(Math.min(first, second), Math.max(first, second));
            answers.merge(pair, answer, (before, now) -> now == Answer.OPEN ? before : now);
        }
    }

    private static Answer answer(String word, String position) throws IOException {
        return Answer.of(word)
                .orElseThrow(() -> new UnusableFileException(
                        position + ": expected one of " + Answer.words() + " after two ids, found " + word.strip()));
    }

    private @Nullable Integer number(String id) {
        Integer number = numbers.get(id);
        if (number == null && unknownIds.size() < NAMED_MAX) {
            unknownIds.add(id);
        }
        return number;
    }

    /** Whether people call two documents duplicates, the earlier one first. */
    boolean areDuplicates(int first, int second) {
        return answers.get(new DocumentPair(first, second)) == Answer.SAME;
    }

    /** Whether it is known what people call two documents, the earlier one first. */
    boolean isJudged(int first, int second) {
        return isPartial
                ? answers.getOrDefault(new DocumentPair(first, second), Answer.OPEN)
                        .isJudged()
                : !repeatedIds.get(first) && !repeatedIds.get(second);
    }

    /** Whether there are lines, and all name documents that are not there. */
    public boolean hasOnlyUnknownIds() {
        return lines > 0 && unknown == lines;
    }

    /** The pairs that lines name, in their order, with what is said of them. */
    Map<DocumentPair, Answer> answers() {
        return Collections.unmodifiableMap(answers);
    }

    /** Whether only pairs that are named are judged. */
    public boolean isPartial() {
        return isPartial;
    }

    /** Which pairs are judged: {@code named}, or {@code all}. */
    @JsonProperty
    String judged() {
        return isPartial ? "named" : "all";
    }

    /** Different pairs of different documents that people call duplicates. */
    @JsonProperty
    public long pairs() {
        return count(Answer.SAME);
    }

    /** The same that people call different documents. */
    @JsonProperty
    public long others() {
        return count(Answer.OTHER);
    }

    @JsonProperty
    public long unclear() {
        return count(Answer.UNCLEAR);
    }

    @JsonProperty
    public long open() {
        return count(Answer.OPEN);
    }

    private long count(Answer answer) {
        return answers.values().stream().filter(answer::equals).count();
    }

    /** Lines that name no two documents that are there. */
    @JsonProperty
    public long unknown() {
        return unknown;
    }

    /** The first ids of documents that are not there, a few. */
    @JsonProperty
    public List<String> unknownIds() {
        return List.copyOf(unknownIds);
    }
}
