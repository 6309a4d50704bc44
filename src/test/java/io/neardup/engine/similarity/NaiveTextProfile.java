package io.neardup.engine.similarity;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The oracle of {@link TextProfile}: the words found by patterns, step after step over whole maps and lists. */
public final class NaiveTextProfile {
    private static final Pattern BEYOND_BASIC_PLANE = Pattern.compile("[\\x{10000}-\\x{10FFFF}]");
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{Nd}]+");

    private NaiveTextProfile() {}

    public static String of(String text) {
        Map<String, Integer> counts = new TreeMap<>();
        String basic = BEYOND_BASIC_PLANE.matcher(text).replaceAll(" ");
        for (Matcher words = WORD.matcher(basic); words.find(); ) {
            String word = words.group();
            if (word.length() > 2) {
                counts.put(lowered(word), counts.getOrDefault(lowered(word), 0) + 1);
            }
        }
        int highest = counts.values().stream().max(Comparator.naturalOrder()).orElse(0);
        int rounded = Math.round(highest * 0.01f);
        int quantum = rounded >= 2 ? rounded : Math.min(2, Math.max(1, highest));
        List<Map.Entry<String, Integer>> entries = new ArrayList<>(counts.entrySet());
        entries.removeIf(entry -> entry.getValue() < quantum);
        entries.sort(Comparator.comparingInt(entry -> -(entry.getValue() / quantum)));
        return entries.stream()
                .map(entry -> entry.getKey() + " " + entry.getValue() / quantum * quantum)
                .collect(Collectors.joining("\n"));
    }

    private static String lowered(String word) {
        return word.chars()
                .map(Character::toLowerCase)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }
}
