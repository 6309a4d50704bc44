package io.neardup.config;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Which document stands for a story.
 *
 * @param sources of {@link Rule#SOURCE}, the preferred first: sources as documents have them, or publishers; else none
 */
public record Representative(Rule rule, List<String> sources) {
    private static final String SOURCE = "source:";

    /** By what documents of a story are preferred; what they do not tell apart, the first has. */
    public enum Rule {
        FIRST,
        LONGEST,
        NEWEST,
        SOURCE
    }

    public Representative {
        sources = List.copyOf(sources);
        if ((rule == Rule.SOURCE) == sources.isEmpty()) {
            throw new IllegalArgumentException(rule + ": expected sources with SOURCE alone, found " + sources);
        }
    }

    /** The one that is written so; empty where none is. */
    static Optional<Representative> of(String written) {
        if (!written.startsWith(SOURCE)) {
            return Arrays.stream(Rule.values())
                    .filter(rule ->
                            rule != Rule.SOURCE && SettingType.written(rule).equals(written))
                    .findFirst()
                    .map(rule -> new Representative(rule, List.of()));
        }
        List<String> sources = Arrays.stream(written.substring(SOURCE.length()).split(",", -1))
                .map(String::strip)
                .toList();
        return sources.stream().anyMatch(String::isEmpty)
                ? Optional.empty()
                : Optional.of(new Representative(Rule.SOURCE, sources));
    }
}
