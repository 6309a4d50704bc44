package io.neardup.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How sources look that a reader finds his way in: short lines, and no stray white space. */
class HouseTest {
    private static final int COLUMNS_MAX = 120;

    /** The ends of lines are kept, so that white space before them is seen. */
    private static final Pattern LINE_FEED = Pattern.compile("\n");

    private static final List<Source> SOURCES = sources();

    @Test
    void shouldKeepLinesShort() {
        assertThat(linesWhere(line -> line.codePointCount(0, line.length()) > COLUMNS_MAX))
                .describedAs(
                        "lines over %d columns: break them (the formatter leaves Javadoc and strings)", COLUMNS_MAX)
                .isEmpty();
    }

    @Test
    void shouldHaveNoTabsAndNoWhiteSpaceBeforeTheEndOfALine() {
        assertThat(linesWhere(line -> line.indexOf('\t') >= 0 || !line.equals(line.stripTrailing())))
                .describedAs("lines with a tab, or with white space at the end: remove it")
                .isEmpty();
    }

    /** The places of such lines in all sources. */
    private static List<String> linesWhere(Predicate<String> matches) {
        return SOURCES.stream()
                .flatMap(source -> IntStream.range(0, source.lines.size())
                        .filter(i -> matches.test(source.lines.get(i)))
                        .mapToObj(i -> source.file + ":" + (i + 1)))
                .toList();
    }

    private static List<Source> sources() {
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .map(HouseTest::source)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Source source(Path file) {
        try {
            return new Source(file.toString(), List.of(LINE_FEED.split(Files.readString(file))));
        } catch (IOException e) {
            throw new UncheckedIOException("Reading " + file, e);
        }
    }

    private record Source(String file, List<String> lines) {}
}
