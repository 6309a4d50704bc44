package io.neardup.engine.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Words so common that prose cannot do without them: the words that shingles begin with. At least one, in small letters
 * and NFC. Immutable.
 *
 * <p>A stop word of one language may be a plain noun in another: the German "war" is a form of "sein". So with several
 * languages a text has somewhat more shingles than it has true stop words.
 */
public final class StopWords {
    private static final Map<String, List<String>> LISTS = lists();
    private static final StopWords ALL = new StopWords(wordsOf(languages()));

    private final SortedSet<String> words;

    private StopWords(SortedSet<String> words) {
        this.words = Collections.unmodifiableSortedSet(words);
    }

    /** The languages whose words come with the program, as codes of ISO 639-1. */
    public static List<String> languages() {
        return List.copyOf(LISTS.keySet());
    }

    /** The words of all languages that come with the program. */
    public static StopWords all() {
        return ALL;
    }

    /**
     * The words of some languages, all of them together.
     *
     * @param languages codes of ISO 639-1, at least one of {@link #languages()}
     * @throws IllegalArgumentException when there are no words of one, or none is given
     */
    public static StopWords of(String... languages) {
        if (languages.length == 0) {
            throw new IllegalArgumentException("Languages of stop words: expected at least one, found none");
        }
        return new StopWords(wordsOf(Arrays.asList(languages)));
    }

    /**
     * The caller's own words, brought into normalized form.
     *
     * @param words one token each, as word shingles count them; at least one
     * @throws IllegalArgumentException when a word is not a token, with the number of the word from 1 on, or none is
     *     given
     */
    public static StopWords of(Collection<String> words) {
        TreeSet<String> checked = new TreeSet<>();
        List<String> found = new ArrayList<>(words);
        for (int i = 0; i < found.size(); i++) {
            checked.add(checked(found.get(i), i + 1));
        }
        if (checked.isEmpty()) {
            throw new IllegalArgumentException("Stop words: expected at least one, found none");
        }
        return new StopWords(checked);
    }

    public SortedSet<String> words() {
        return words;
    }

    /** 16 hexadecimal digits: the same for the same words, and in practice for no others (the start of a SHA-256). */
    public String fingerprint() {
        Hash128 hash = new Hash128();
        hash.add(String.join("\n", words));
        return hash.fingerprint();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StopWords that && words.equals(that.words);
    }

    @Override
    public int hashCode() {
        return words.hashCode();
    }

    @Override
    public String toString() {
        return words.size() + " stop words " + fingerprint();
    }

    private static SortedSet<String> wordsOf(List<String> languages) {
        SortedSet<String> words = new TreeSet<>();
        for (String language : languages) {
            words.addAll(listed(language));
        }
        return words;
    }

    static List<String> listed(String language) {
        List<String> list = LISTS.get(language);
        if (list == null) {
            throw new IllegalArgumentException(
                    "Language of stop words '" + language + "': expected one of " + String.join(", ", LISTS.keySet()));
        }
        return list;
    }

    private static Map<String, List<String>> lists() {
        Map<String, List<String>> lists = new LinkedHashMap<>();
        List<String> words = new ArrayList<>();
        for (String line : file().split("\n", -1)) {
            if (line.startsWith("[")) {
                words = new ArrayList<>();
                lists.put(line.substring(1, line.length() - 1), words);
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                words.addAll(List.of(line.split(" ", -1)));
            }
        }
        return lists;
    }

    private static String file() {
        try (InputStream file = Objects.requireNonNull(StopWords.class.getResourceAsStream("stopwords.txt"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String checked(String word, int number) {
        String normalized = NormalizedText.of(word);
        if (!isToken(normalized)) {
            throw new IllegalArgumentException("Stop word " + number + ", '" + normalized
                    + "': expected a single token, letters, digits and marks alone");
        }
        return normalized;
    }

    private static boolean isToken(String word) {
        boolean ofParts = !word.isEmpty() && word.codePoints().allMatch(c -> TokenChars.typeOf(c) == TokenChars.PART);
        boolean isAlone = word.codePoints().count() == 1 && TokenChars.typeOf(word.codePointAt(0)) == TokenChars.ALONE;
        return ofParts || isAlone;
    }
}
