package io.neardup.analysis;

import io.neardup.document.Document;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Pairs of documents that people call duplicates: a line a pair, two ids with a tab or a comma between. Blank lines and
 * lines that begin with {@code #} are skipped.
 */
public final class Labels {
    private final Map<String, Integer> numbers = new HashMap<>();
    /** The number of the earlier document in the upper half, of the later one in the lower. */
    private final Set<Long> pairs = new HashSet<>();

    private long lines;
    private long unknown;
    private long selfPairs;

    private Labels(List<Document> documents) {
        for (int number = 0; number < documents.size(); number++) {
            numbers.putIfAbsent(documents.get(number).id(), number);
        }
    }

    /**
     * Reads pairs.
     *
     * @param documents that the ids name; of several with one id the first
     * @throws IOException that says where the file is not as it should be, or that none of its pairs is among the
     *     documents
     */
    public static Labels read(Path file, List<Document> documents) throws IOException {
        Labels labels = new Labels(documents);
        int number = 1;
        for (String line : TextFile.read(file).lines().toList()) {
            if (!line.isBlank() && !line.startsWith("#")) {
                labels.add(line, file + ":" + number);
            }
            number++;
        }
        if (labels.pairs.isEmpty()) {
            throw new IOException(file + ": expected pairs of ids of the documents, found "
                    + (labels.lines == 0 ? "no line" : "none in " + labels.lines + " lines")
                    + "; check that they are the ids that neardup.document.id points to");
        }
        return labels;
    }

    private void add(String line, String position) throws IOException {
        String[] ids = line.split(line.indexOf('\t') >= 0 ? "\t" : ",", -1);
        if (ids.length != 2 || ids[0].isBlank() || ids[1].isBlank()) {
            throw new IOException(position + ": expected two ids with a tab or a comma between, found " + ids.length
                    + " fields; ids that have commas need a tab");
        }
        lines++;
        Integer first = numbers.get(ids[0].strip());
        Integer second = numbers.get(ids[1].strip());
        if (first == null || second == null) {
            unknown++;
        } else if (first.equals(second)) {
            selfPairs++;
        } else {
            pairs.add(key(Math.min(first, second), Math.max(first, second)));
        }
    }

    private static long key(int first, int second) {
        return (long) first << Integer.SIZE | second;
    }

    /** Whether people call two documents duplicates, the earlier one first. */
    boolean contain(int first, int second) {
        return pairs.contains(key(first, second));
    }

    /** Different pairs of different documents. */
    long pairs() {
        return pairs.size();
    }

    /** Lines that name a document that is not there. */
    long unknown() {
        return unknown;
    }

    /** Lines that name one document twice. */
    long selfPairs() {
        return selfPairs;
    }
}
