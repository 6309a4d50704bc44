package io.neardup.engine.similarity;

import io.neardup.engine.text.Hash128;
import io.neardup.engine.text.ShingleSpec;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.TableLines;
import java.io.IOException;
import java.io.Reader;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * In how many documents of a corpus each term occurs. A term of k of N documents weighs its inverse document frequency
 * (idf), ln((1 + N) / (1 + k)) + 1. That is 1 for a term of all documents, and most for a term of none. Immutable.
 *
 * <p>Written as lines of text in UTF-8. The first is {@code # neardup document frequencies: N documents}. Each further
 * line is the number of documents that have a term, a tab and the term. The most frequent comes first, terms of one
 * frequency in the order of their chars; lines in any order can be read.
 */
public final class DocumentFrequencies {
    /** Version of the weights; an index built with another cannot be compared with. */
    public static final int VERSION = 1;

    /** The weight of an idf of 1. Weights are whole numbers, at most 22.5 times this. */
    private static final int WEIGHT_ONE = 1 << 12;

    private static final Pattern HEADER = Pattern.compile("# neardup document frequencies: ([0-9]+) documents");

    private final int documents;
    private final Map<String, Integer> frequencies;

    private DocumentFrequencies(int documents, Map<String, Integer> frequencies) {
        this.documents = documents;
        this.frequencies = Collections.unmodifiableMap(frequencies);
    }

    /**
     * Frequencies that were counted.
     *
     * @param documents in the corpus, at least 1
     * @param frequencies of each term of them, 1 to the number of documents; terms have no control characters
     */
    public static DocumentFrequencies of(int documents, Map<String, Integer> frequencies) {
        if (documents < 1) {
            throw new IllegalArgumentException(
                    "Document frequencies of " + documents + " documents: expected at least 1");
        }
        frequencies.forEach((term, frequency) -> {
            if (frequency < 1 || frequency > documents || !isTerm(term)) {
                throw new IllegalArgumentException("Document frequency " + frequency + " of a term of "
                        + term.length() + " chars: expected 1 to " + documents
                        + " of a term without control characters");
            }
        });
        return new DocumentFrequencies(documents, new LinkedHashMap<>(frequencies));
    }

    /**
     * Reads the lines that {@link #write} writes.
     *
     * @throws IllegalArgumentException when they are others; the message names the line, what is expected there and
     *     what was found
     */
    public static DocumentFrequencies read(Reader reader) throws IOException {
        TableLines lines = new TableLines("Document frequencies", reader, Integer.MAX_VALUE);
        String first = lines.next();
        Matcher header = HEADER.matcher(first == null ? "" : first);
        int documents = header.matches() ? TableLines.count(header.group(1), Integer.MAX_VALUE) : 0;
        if (documents == 0) {
            throw lines.wrong("'# neardup document frequencies: N documents' with N from 1 to 2147483647");
        }
        Map<String, Integer> frequencies = new LinkedHashMap<>();
        for (String line = lines.next(); line != null; line = lines.next()) {
            int tab = line.indexOf('\t');
            int frequency = TableLines.count(line.substring(0, Math.max(tab, 0)), documents);
            String term = line.substring(tab + 1);
            if (frequency == 0 || !isTerm(term)) {
                throw lines.wrong("a number of documents from 1 to " + documents + ", a tab and a term");
            }
            if (frequencies.put(term, frequency) != null) {
                throw lines.wrong("a term that no line before has");
            }
        }
        return new DocumentFrequencies(documents, frequencies);
    }

    /** Writes the lines, each with a line feed behind it. */
    public void write(Appendable to) throws IOException {
        to.append(header());
        for (Map.Entry<String, Integer> entry : sorted()) {
            to.append(line(entry));
        }
    }

    public int documents() {
        return documents;
    }

    public int terms() {
        return frequencies.size();
    }

    /** The inverse document frequency of a term that so many documents have: 1 to 22.5. */
    public double idf(int frequency) {
        return StrictMath.log((1.0 + documents) / (1.0 + frequency)) + 1;
    }

    /**
     * The weights of shingles under a seed: their idf in steps of 1/4096, rounded to the nearest. Each term is shingled
     * as a text by itself.
     *
     * @param spec of {@code word:k}
     * @throws IllegalArgumentException when a term is not k words
     */
    public ShingleWeights weights(String spec, long seed) {
        ShingleSpec words = ShingleSpec.of(spec);
        Shingler shingler = Shingler.of(spec, seed);
        ShingleWeights weights = new ShingleWeights(frequencies.size(), weight(0));
        Shingles shingles = new Shingles();
        int line = 1;
        for (Map.Entry<String, Integer> entry : frequencies.entrySet()) {
            line++;
            // Written twice, only a term of k words gives k + 1 shingles. Written once, a shorter one would be a whole
            // text, and so one shingle too.
            shingler.shingle(entry.getKey() + " " + entry.getKey(), shingles);
            if (shingles.size() != words.min() + 1) {
                throw new IllegalArgumentException("Document frequencies, line " + line
                        + ": expected a term of as many words as a shingle of " + words + " has, found '"
                        + TableLines.shown(entry.getKey()) + "'");
            }
            weights.put(shingles.hash(0), weight(entry.getValue()));
        }
        return weights;
    }

    /** 16 hexadecimal digits that tell these frequencies from others: the first of the SHA-256 of the lines. */
    public String fingerprint() {
        Hash128 hash = new Hash128();
        hash.add(header());
        sorted().forEach(entry -> hash.add(line(entry)));
        return hash.fingerprint();
    }

    private int weight(int frequency) {
        return (int) Math.round(WEIGHT_ONE * idf(frequency));
    }

    private List<Map.Entry<String, Integer>> sorted() {
        return frequencies.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .toList();
    }

    private String header() {
        return "# neardup document frequencies: " + documents + " documents\n";
    }

    private static String line(Map.Entry<String, Integer> entry) {
        return entry.getValue() + "\t" + entry.getKey() + "\n";
    }

    private static boolean isTerm(String term) {
        return !term.isBlank() && term.chars().noneMatch(Character::isISOControl);
    }
}
