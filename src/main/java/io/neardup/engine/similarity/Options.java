package io.neardup.engine.similarity;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/** The settings of a family, read one by one. {@link #check} tells all that is wrong with them at once. */
final class Options {
    private static final String PREFIX = "neardup.family.";

    private final Map<String, String> given;
    private final TreeSet<String> known = new TreeSet<>();
    private final List<String> problems = new ArrayList<>();

    Options(Map<String, String> given) {
        this.given = given;
    }

    /** An integer that must be set; 0 where it is missing or wrong. */
    int needed(String name, String expected, Predicate<Integer> accepts) {
        if (!given.containsKey(name)) {
            problems.add(PREFIX + name + " is not set: expected " + expected);
        }
        return read(name, Integer::valueOf, expected, accepts).orElse(0);
    }

    /** A number; the usual one where it is not set, or wrong. */
    double optional(String name, double usual, String expected, Predicate<Double> accepts) {
        return read(name, Double::valueOf, expected, accepts).orElse(usual);
    }

    private <N> Optional<N> read(String name, Function<String, N> parser, String expected, Predicate<N> accepts) {
        known.add(name);
        String value = given.get(name);
        if (value == null) {
            return Optional.empty();
        }
        try {
            N number = parser.apply(value.strip());
            if (accepts.test(number)) {
                return Optional.of(number);
            }
        } catch (NumberFormatException e) {
            // Reported below, like a number that is not accepted.
        }
        problems.add(PREFIX + name + "=" + value.strip() + ": expected " + expected);
        return Optional.empty();
    }

    /** @throws IllegalArgumentException when an option is missing or wrong, or was given and never asked for */
    void check() {
        TreeSet<String> unknown = new TreeSet<>(given.keySet());
        unknown.removeAll(known);
        for (String name : unknown) {
            problems.add(PREFIX + name + " is unknown: expected " + String.join(" or ", known));
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
    }
}
