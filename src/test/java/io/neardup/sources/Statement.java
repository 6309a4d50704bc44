package io.neardup.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.lsh.Banding;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What a source says, or should have said.
 *
 * @param id a letter for the source, a number, and a part where one statement covers several cases
 * @param text in our own words
 * @param given inputs by name
 * @param expected results by name; numbers are {@link Figure}s, several with a space between
 * @param note why nothing executes it, or how the source errs or differs; else empty
 */
public record Statement(
        String id,
        String topic,
        Kind kind,
        String text,
        Map<String, String> given,
        Map<String, String> expected,
        String note) {

    /** What becomes of a statement. */
    public enum Kind {
        /** A test runs it against this code. */
        EXECUTED("executed"),
        /** A test works it out by itself: there is nothing in this code that it speaks of. */
        ARITHMETIC("arithmetic"),
        /** A test runs it against this code where texts lie beside the project that are not ours to carry. */
        EXECUTED_BESIDE_TEXTS("executed beside texts"),
        /** Nothing in it can be computed. */
        PROSE("prose"),
        /** It is about documents that only licensees have. */
        LICENSED_DATA("licensed data"),
        /** It is about documents that are not at hand. */
        OTHER_DATA("other data");

        private final String inTable;

        Kind(String inTable) {
            this.inTable = inTable;
        }

        static Kind of(String inTable) {
            return Arrays.stream(values())
                    .filter(kind -> kind.inTable.equals(inTable))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("No kind of statement: " + inTable));
        }

        boolean isTested() {
            return isAgainstCode() || this == ARITHMETIC;
        }

        boolean isAgainstCode() {
            return this == EXECUTED || this == EXECUTED_BESIDE_TEXTS;
        }
    }

    public String text(String name) {
        return value(given, name);
    }

    public int whole(String name) {
        return Integer.parseInt(text(name));
    }

    public double number(String name) {
        return Figure.of(text(name)).value();
    }

    public double[] numbers(String name) {
        return values(text(name));
    }

    public List<String> words(String name) {
        return List.of(text(name).split(" "));
    }

    /** Bands x rows, such as 20x5. */
    public Banding banding(String name) {
        return banded(text(name));
    }

    public List<Banding> bandings(String name) {
        return words(name).stream().map(Statement::banded).toList();
    }

    /** An expected result that is no number. */
    public String expectedText(String name) {
        return value(expected, name);
    }

    public List<String> expectedWords(String name) {
        return List.of(expectedText(name).split(" "));
    }

    public double expectedNumber(String name) {
        return Figure.of(expectedText(name)).value();
    }

    /** Asserts that numbers are those expected, to the last digit printed. */
    public void confirm(String name, double... actual) {
        List<String> printed = expectedWords(name);
        assertThat(actual).as("%s %s: %s", id, name, printed).hasSameSizeAs(printed);
        for (int i = 0; i < actual.length; i++) {
            Figure.of(printed.get(i)).confirm(id + " " + name, actual[i]);
        }
    }

    /** What a test report calls it. */
    @Override
    public String toString() {
        return id + ": " + text;
    }

    private static Banding banded(String printed) {
        String[] parts = printed.split("x", -1);
        return new Banding(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    }

    private static double[] values(String figures) {
        return Arrays.stream(figures.split(" "))
                .mapToDouble(figure -> Figure.of(figure).value())
                .toArray();
    }

    private String value(Map<String, String> from, String name) {
        String value = from.get(name);
        if (value == null) {
            throw new IllegalArgumentException("Statement " + id + " has no '" + name + "', only " + from.keySet());
        }
        return value;
    }
}
