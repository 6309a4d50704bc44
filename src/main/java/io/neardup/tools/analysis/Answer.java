package io.neardup.tools.analysis;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a person says of two documents. */
public enum Answer {
    /** Duplicates of each other. */
    SAME("same", "s"),
    /** Different documents, however alike. */
    OTHER("other", "o"),
    /** The person cannot say. */
    UNCLEAR("unclear", "u"),
    /** Not answered yet; an empty word too. */
    OPEN("?", "");

    private final String word;
    private final String abbreviation;

    Answer(String word, String abbreviation) {
        this.word = word;
        this.abbreviation = abbreviation;
    }

    /** How it stands in a file. */
    public String word() {
        return word;
    }

    public boolean isJudged() {
        return this == SAME || this == OTHER;
    }

    /** The answer that a word or its first letter stands for; empty if none. */
    public static Optional<Answer> of(String text) {
        String stripped = text.strip().toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(answer -> stripped.equals(answer.word) || stripped.equals(answer.abbreviation))
                .findAny();
    }

    static String words() {
        return Arrays.stream(values()).map(Answer::word).collect(Collectors.joining(", "));
    }
}
