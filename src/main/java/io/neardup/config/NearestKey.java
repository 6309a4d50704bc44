package io.neardup.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the key that somebody may have meant, by the distance of Levenshtein. */
final class NearestKey {
    private NearestKey() {}

    /** Returns the nearest key that differs in a third of its characters at most. */
    static Optional<String> to(String found, Collection<String> keys) {
        return keys.stream()
                .min(Comparator.comparingInt((String key) -> distance(found, key))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(key -> distance(found, key) <= (key.length() - Keys.PREFIX.length() + 2) / 3);
    }

    private static int distance(String a, String b) {
        int[] above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[b.length()];
    }
}
