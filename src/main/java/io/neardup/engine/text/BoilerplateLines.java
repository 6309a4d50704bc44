package io.neardup.engine.text;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads common shingles, line by line. No line is longer than what the longest shingle takes. */
final class BoilerplateLines {
    private static final int LINE_LENGTH_MAX = BoilerplateShingles.TEXT_LENGTH_MAX + 16;
    private static final int SHOWN_CHARS = 40;
    private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,9}");
    private static final String CASES =
            Arrays.stream(LetterCase.values()).map(BoilerplateHeader::written).collect(Collectors.joining(" or "));

    private final BufferedReader lines;
    private int number;
    private @Nullable String line;

    BoilerplateLines(Reader lines) {
        this.lines = new BufferedReader(lines);
    }

    BoilerplateShingles read() throws IOException {
        next();
        BoilerplateHeader header = header();
        try (BoilerplateShingles.Builder builder = new BoilerplateShingles.Builder(header)) {
            for (String text = line; text != null; text = line) {
                add(text, builder);
                next();
            }
            return builder.build();
        }
    }

    private void add(String text, BoilerplateShingles.Builder builder) {
        int tab = text.indexOf('\t');
        try {
            builder.add(count(text.substring(0, Math.max(tab, 0))), text.substring(tab + 1));
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private BoilerplateHeader header() throws IOException {
        String version = String.valueOf(BoilerplateShingles.VERSION);
        required("version", version + ", as tune FILE --common writes", value -> Optional.of(value)
                .filter(version::equals));
        ShingleSpec spec = required("shingle", ShingleSpec.EXPECTED, value -> Optional.of(value)
                .filter(ShingleSpec::isValid)
                .map(ShingleSpec::of));
        LetterCase letterCase = required("case", CASES, BoilerplateLines::letterCase);
        String stopWords = spec.usesStopWords()
                ? required("stopwords", "their fingerprint", value -> Optional.of(value)
                        .filter(text -> !text.isBlank()))
                : null;
        int documents = number("documents", Integer.MAX_VALUE);
        int clusters = number("clusters", documents);
        int sources = line != null && line.startsWith("# sources=") ? number("sources", Integer.MAX_VALUE) : 0;
        double share = required("share", "a number above 0 and below 1", BoilerplateLines::share);
        return new BoilerplateHeader(spec, letterCase, stopWords, documents, clusters, sources, share);
    }

    private int number(String key, int max) throws IOException {
        return required(key, "a number from 1 to " + max, value -> Optional.of(count(value))
                .filter(count -> count > 0 && count <= max));
    }

    /** Reads the value of a line that must have this key, and goes on to the next line. */
    private <T> T required(String key, String expected, Parser<T> parser) throws IOException {
        String start = "# " + key + "=";
        Optional<T> value = line != null && line.startsWith(start)
                ? parser.parse(line.substring(start.length()))
                : Optional.empty();
        if (value.isEmpty()) {
            throw wrong("'" + start + "' and " + expected);
        }
        next();
        return value.get();
    }

    private interface Parser<T> {
        /** The value, or none if it is not as expected. */
        Optional<T> parse(String value);
    }

    private static Optional<LetterCase> letterCase(String value) {
        return Arrays.stream(LetterCase.values())
                .filter(letterCase -> value.equals(BoilerplateHeader.written(letterCase)))
                .findFirst();
    }

    private static Optional<Double> share(String value) {
        try {
            return Optional.of(Double.valueOf(value)).filter(share -> share > 0 && share < 1);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** The number, or 0 if it is none. */
    private static int count(String digits) {
        if (!COUNT.matcher(digits).matches()) {
            return 0;
        }
        long count = Long.parseLong(digits);
        return count <= Integer.MAX_VALUE ? (int) count : 0;
    }

    /** Ends at a line feed alone: a normalized text may hold no other end of a line, so another is a wrong char. */
    private void next() throws IOException {
        number++;
        StringBuilder read = new StringBuilder();
        int c = lines.read();
        if (c < 0) {
            line = null;
            return;
        }
        for (; c >= 0 && c != '\n'; c = lines.read()) {
            if (read.length() == LINE_LENGTH_MAX) {
                line = read.toString();
                throw wrong("a line of at most " + LINE_LENGTH_MAX + " chars");
            }
            read.append((char) c);
        }
        line = read.toString();
    }

    private IllegalArgumentException wrong(String expected) {
        return new IllegalArgumentException("Common shingles, line " + number + ": expected " + expected + ", found "
                + (line == null ? "the end" : "'" + shown(line) + "'"));
    }

    private static String shown(String line) {
        String visible = line.replace("\t", "<TAB>").replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}]", "?");
        return visible.length() <= SHOWN_CHARS
                ? visible
                : String.format(Locale.ROOT, "%s...", visible.substring(0, SHOWN_CHARS));
    }
}
