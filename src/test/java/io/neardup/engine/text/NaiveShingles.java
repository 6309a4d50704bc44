package io.neardup.engine.text;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The oracle of the shinglers: shingles as strings, cut in the plainest way. */
public final class NaiveShingles {
    private static final Pattern TOKEN = Pattern.compile("[\\p{IsIdeographic}\\p{IsHiragana}\\p{IsKatakana}\\p{IsThai}]"
            + "|[[\\p{L}\\p{Nd}\\p{M}]&&[^\\p{IsIdeographic}\\p{IsHiragana}\\p{IsKatakana}\\p{IsThai}]]+");

    private NaiveShingles() {}

    public static List<List<String>> of(String spec, String text) {
        return of(spec, text, StopWords.all());
    }

    public static List<List<String>> of(String spec, String text, StopWords stopWords) {
        String[] parts = spec.split(":|\\.\\.", -1);
        int min = Integer.parseInt(parts[1]);
        int max = Integer.parseInt(parts[parts.length - 1]);
        List<String> units = parts[0].equals("char") ? codePoints(text) : tokens(text);
        List<List<String>> shingles = new ArrayList<>();
        for (int length = min; length <= max; length++) {
            for (int i = 0; i + length <= units.size(); i++) {
                shingles.add(units.subList(i, i + length));
            }
        }
        if (parts[0].equals("stopword")) {
            Set<String> words = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
            words.addAll(stopWords.words());
            shingles.removeIf(shingle -> !words.contains(shingle.get(0)));
        }
        return shingles.isEmpty() ? whole(units, text) : shingles;
    }

    private static List<List<String>> whole(List<String> units, String text) {
        if (text.isEmpty()) {
            return List.of();
        }
        return List.of(units.isEmpty() ? List.of(text) : units);
    }

    public static double jaccard(String spec, String a, String b) {
        Set<List<String>> union = new HashSet<>(of(spec, a));
        union.addAll(of(spec, b));
        return union.isEmpty() ? 0 : common(spec, a, b) / (double) union.size();
    }

    private static int common(String spec, String a, String b) {
        Set<List<String>> common = new HashSet<>(of(spec, a));
        common.retainAll(new HashSet<>(of(spec, b)));
        return common.size();
    }

    /** The share of the first text's shingles that the second has too; 0 of an empty text. */
    public static double containment(String spec, String a, String b) {
        int first = new HashSet<>(of(spec, a)).size();
        return first == 0 ? 0 : common(spec, a, b) / (double) first;
    }

    private static List<String> codePoints(String text) {
        return text.codePoints().mapToObj(Character::toString).toList();
    }

    private static List<String> tokens(String text) {
        List<String> tokens = new ArrayList<>();
        for (Matcher matcher = TOKEN.matcher(text); matcher.find(); ) {
            tokens.add(matcher.group());
        }
        return tokens;
    }
}
