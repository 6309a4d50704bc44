package io.neardup.engine.text;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What boilerplate shingles were counted with. Others cannot be used: their texts would be other ones.
 *
 * @param spec what texts were cut into
 * @param letterCase of the texts
 * @param stopWords fingerprint of the stop words; null where the shingles do not depend on them
 * @param documents that were looked at, at least 1
 * @param clusters of similar documents among them, 1 to the number of documents
 * @param sources that were counted by themselves, 0 where none was
 * @param share of the clusters that more than hold a boilerplate shingle, above 0, below 1
 */
public record BoilerplateHeader(
        ShingleSpec spec,
        LetterCase letterCase,
        @Nullable String stopWords,
        int documents,
        int clusters,
        int sources,
        double share) {
    private static final Map<String, LetterCase> CASES = Map.of("lower", LetterCase.LOWER, "keep", LetterCase.KEEP);

    public BoilerplateHeader {
        if (documents < 1 || clusters < 1 || clusters > documents || sources < 0 || !(share > 0 && share < 1)) {
            throw new IllegalArgumentException("Boilerplate shingles of " + clusters + " clusters of " + documents
                    + " documents of " + sources + " sources, in more than " + share
                    + ": expected 1 or more documents, 1 to as many clusters, 0 or more sources and a share above 0"
                    + " and below 1");
        }
    }

    /** The header of shingles that were cut so. */
    public static BoilerplateHeader of(Shingling shingling, int documents, int clusters, int sources, double share) {
        ShingleSpec spec = ShingleSpec.of(shingling.spec());
        return new BoilerplateHeader(
                spec,
                shingling.letterCase(),
                stopWordsOf(spec, shingling.stopWords()),
                documents,
                clusters,
                sources,
                share);
    }

    /** What shingles depend on, in words: {@code char:9, case lower}. */
    String cut() {
        return cut(spec, letterCase, stopWords);
    }

    /** The same of texts that are cut so. */
    static String cut(ShingleSpec spec, LetterCase letterCase, StopWords stopWords) {
        return cut(spec, letterCase, stopWordsOf(spec, stopWords));
    }

    private static String cut(ShingleSpec spec, LetterCase letterCase, @Nullable String stopWords) {
        return spec + ", case " + written(letterCase) + (stopWords == null ? "" : ", stop words " + stopWords);
    }

    private static @Nullable String stopWordsOf(ShingleSpec spec, StopWords stopWords) {
        return spec.usesStopWords() ? stopWords.fingerprint() : null;
    }

    void write(Appendable to) throws IOException {
        line(to, "version", BoilerplateShingles.VERSION);
        line(to, "shingle", spec);
        line(to, "case", written(letterCase));
        if (stopWords != null) {
            line(to, "stopwords", stopWords);
        }
        line(to, "documents", documents);
        line(to, "clusters", clusters);
        if (sources > 0) {
            line(to, "sources", sources);
        }
        line(to, "share", share);
    }

    private static void line(Appendable to, String key, Object value) throws IOException {
        to.append("# ").append(key).append('=').append(String.valueOf(value)).append('\n');
    }

    private static String written(LetterCase letterCase) {
        return letterCase.name().toLowerCase(Locale.ROOT);
    }

    /** Reads what {@link #write} wrote; the line behind it is the one that was read last then. */
    static BoilerplateHeader read(TableLines lines) throws IOException {
        lines.next();
        String version = String.valueOf(BoilerplateShingles.VERSION);
        required(
                lines, "version", version + ", as tune boilerplate writes", value -> value.equals(version) ? "" : null);
        ShingleSpec spec = required(lines, "shingle", ShingleSpec.EXPECTED, ShingleSpec::of);
        LetterCase letterCase = required(lines, "case", "lower or keep", CASES::get);
        String stopWords = spec.usesStopWords()
                ? required(lines, "stopwords", "their fingerprint", value -> value.isBlank() ? null : value)
                : null;
        int documents = number(lines, "documents", Integer.MAX_VALUE);
        int clusters = number(lines, "clusters", documents);
        String line = lines.line();
        int sources = line != null && line.startsWith("# sources=") ? number(lines, "sources", Integer.MAX_VALUE) : 0;
        double share = required(lines, "share", "a number above 0 and below 1", BoilerplateHeader::share);
        return new BoilerplateHeader(spec, letterCase, stopWords, documents, clusters, sources, share);
    }

    private static int number(TableLines lines, String key, int max) throws IOException {
        return required(lines, key, "a number from 1 to " + max, value -> {
            int count = TableLines.count(value, max);
            return count > 0 ? count : null;
        });
    }

    private static @Nullable Double share(String value) {
        double share = Double.parseDouble(value);
        return share > 0 && share < 1 ? share : null;
    }

    /** Parses the value of a line that must have this key, and goes on to the next line. */
    private static <T> T required(TableLines lines, String key, String expected, Function<String, @Nullable T> parser)
            throws IOException {
        String start = "# " + key + "=";
        String line = lines.line();
        T found = null;
        try {
            found = line != null && line.startsWith(start) ? parser.apply(line.substring(start.length())) : null;
        } catch (IllegalArgumentException e) {
            // Said below, as of any other value.
        }
        if (found == null) {
            throw lines.wrong("'" + start + "' and " + expected);
        }
        lines.next();
        return found;
    }
}
