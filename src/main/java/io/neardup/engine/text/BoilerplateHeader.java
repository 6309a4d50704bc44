package io.neardup.engine.text;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What boilerplate shingles were counted with, as lines {@code # key=value}. Others than those of how texts are cut
 * cannot be used, as their texts would be other ones. The counts tell people where the shingles come from.
 *
 * @param spec what texts were cut into
 * @param lines by their keys, in the order of the file
 */
public record BoilerplateHeader(ShingleSpec spec, Map<String, String> lines) {
    private static final String VERSION = "version";
    private static final String SHINGLE = "shingle";
    private static final String CASE = "case";
    private static final String STOP_WORDS = "stopwords";
    private static final List<String> KEYS =
            List.of(VERSION, SHINGLE, CASE, STOP_WORDS, "documents", "clusters", "sources", "share");

    private static final String EXPECTED = "'# version=" + BoilerplateShingles.VERSION
            + "', '# shingle=' with what neardup.shingle takes, and '# case=lower' or '# case=keep', as tune"
            + " boilerplate writes";

    /**
     * The header of shingles that were cut so.
     *
     * @param documents that were looked at
     * @param clusters of similar documents among them
     * @param sources that were counted by themselves, 0 where none was
     * @param share of the clusters that more than hold a boilerplate shingle
     */
    public static BoilerplateHeader of(Shingling shingling, int documents, int clusters, int sources, double share) {
        ShingleSpec spec = ShingleSpec.of(shingling.spec());
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put(VERSION, String.valueOf(BoilerplateShingles.VERSION));
        lines.put(SHINGLE, spec.toString());
        lines.put(CASE, written(shingling.letterCase()));
        if (spec.usesStopWords()) {
            lines.put(STOP_WORDS, shingling.stopWords().fingerprint());
        }
        lines.put("documents", String.valueOf(documents));
        lines.put("clusters", String.valueOf(clusters));
        if (sources > 0) {
            lines.put("sources", String.valueOf(sources));
        }
        lines.put("share", String.valueOf(share));
        return new BoilerplateHeader(spec, lines);
    }

    /** What shingles depend on, in words: {@code char:9, case lower}. */
    String cut() {
        return cut(spec, String.valueOf(lines.get(CASE)), lines.getOrDefault(STOP_WORDS, ""));
    }

    /** The same of texts that are cut so. */
    static String cut(ShingleSpec spec, LetterCase letterCase, StopWords stopWords) {
        return cut(spec, written(letterCase), spec.usesStopWords() ? stopWords.fingerprint() : "");
    }

    private static String cut(ShingleSpec spec, String letterCase, String stopWords) {
        return spec + ", case " + letterCase + (stopWords.isEmpty() ? "" : ", stop words " + stopWords);
    }

    private static String written(LetterCase letterCase) {
        return letterCase.name().toLowerCase(Locale.ROOT);
    }

    void write(Appendable to) throws IOException {
        for (Map.Entry<String, String> line : lines.entrySet()) {
            to.append("# " + line.getKey() + "=" + line.getValue() + "\n");
        }
    }

    /** Reads what {@link #write} wrote; the line behind it is the one that was read last then. */
    static BoilerplateHeader read(TableLines table) throws IOException {
        Map<String, String> lines = new LinkedHashMap<>();
        for (String line = table.next(); line != null && line.startsWith("# "); line = table.next()) {
            int equals = Math.max(1, line.indexOf('='));
            String key = line.substring(2, Math.max(2, equals));
            if (!isExpected(key, line.substring(equals + 1)) || lines.put(key, line.substring(equals + 1)) != null) {
                throw table.wrong(EXPECTED);
            }
        }
        if (!lines.keySet().containsAll(List.of(VERSION, SHINGLE, CASE))) {
            throw table.wrong(EXPECTED);
        }
        return new BoilerplateHeader(ShingleSpec.of(String.valueOf(lines.get(SHINGLE))), lines);
    }

    private static boolean isExpected(String key, String value) {
        return switch (key) {
            case VERSION -> value.equals(String.valueOf(BoilerplateShingles.VERSION));
            case SHINGLE -> ShingleSpec.isValid(value);
            case CASE -> List.of("lower", "keep").contains(value);
            default -> KEYS.contains(key);
        };
    }
}
