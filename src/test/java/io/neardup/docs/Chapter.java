package io.neardup.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The README or a chapter, as far as tests read Markdown.
 *
 * @param path from the top of the repository, where tests run
 * @param lines all of it
 * @param blocks what stands between fences, in order
 */
public record Chapter(Path path, List<String> lines, List<Block> blocks) {
    public static final Path README = Path.of("README.md");
    public static final Path FOLDER = Path.of("src/docs");

    private static final Pattern FENCE = Pattern.compile(" *```(?<info>.*)");
    private static final Pattern HEADING = Pattern.compile("#+ (?<title>.*)");
    private static final Pattern LINK = Pattern.compile("\\[[^]]*]\\((?<target>[^)]+)\\)");

    /**
     * What stands between two fences.
     *
     * @param at file and line of the first fence, for messages
     * @param info what follows the first fence, such as {@code sh}
     * @param lines without the indentation of the fence
     */
    public record Block(String at, String info, List<String> lines) {
        public String text() {
            return String.join("\n", lines);
        }

        @Override
        public String toString() {
            return at;
        }
    }

    private static boolean isText(Path file) {
        return file.toString().endsWith(".md");
    }

    /** The README and all chapters. */
    public static List<Chapter> all() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return Stream.concat(
                            Stream.of(README), files.filter(Chapter::isText).sorted())
                    .map(Chapter::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Chapter read(Path path) {
        try {
            List<String> lines = Files.readAllLines(path);
            return new Chapter(path, lines, blocks(path, lines));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Block> blocks(Path path, List<String> lines) {
        int[] fences = fences(lines);
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i + 1 < fences.length; i += 2) {
            String fence = lines.get(fences[i]);
            int indentation = fence.indexOf('`');
            blocks.add(new Block(
                    path + ":" + (fences[i] + 1),
                    fence.substring(indentation + 3),
                    lines.subList(fences[i] + 1, fences[i + 1]).stream()
                            .map(line -> line.substring(Math.min(indentation, line.length())))
                            .toList()));
        }
        return blocks;
    }

    private static int[] fences(List<String> lines) {
        return IntStream.range(0, lines.size())
                .filter(i -> FENCE.matcher(lines.get(i)).matches())
                .toArray();
    }

    /** All but the blocks. */
    public String prose() {
        int[] fences = fences(lines);
        return IntStream.range(0, lines.size())
                .filter(line ->
                        Arrays.stream(fences).filter(fence -> fence <= line).count() % 2 == 0
                                && Arrays.binarySearch(fences, line) < 0)
                .mapToObj(lines::get)
                .collect(Collectors.joining("\n"));
    }

    /** The targets of links within the repository. */
    public List<String> links() {
        return found(LINK, prose())
                .map(match -> match.group(1))
                .filter(target -> !target.contains("://"))
                .toList();
    }

    /** What follows a {@code #} in links to headings, as GitHub makes it of their titles. */
    public List<String> anchors() {
        return prose().lines()
                .map(HEADING::matcher)
                .filter(Matcher::matches)
                .map(heading -> heading.group("title")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }

    /** The rows of the table between two comments, {@code <!-- name:begin -->} and {@code end}, each as its cells. */
    public List<List<String>> table(String name) {
        return tableLines(name).stream()
                .filter(line -> line.startsWith("|"))
                .skip(2)
                .map(line -> Stream.of(line.substring(1).split("\\|", -1))
                        .map(String::strip)
                        .toList())
                .toList();
    }

    /** As part of {@link #lines}. */
    private List<String> tableLines(String name) {
        int begin = lines.indexOf("<!-- " + name + ":begin -->");
        int end = lines.indexOf("<!-- " + name + ":end -->");
        if (begin < 0 || end < begin) {
            throw new IllegalStateException(path + ": expected a table between comments " + name + ", found none");
        }
        return lines.subList(begin + 1, end);
    }

    /**
     * Checks that a table is as it is generated. With {@code -Dsettings.write=true} it is renewed and nothing checked.
     *
     * @param test renews it
     */
    public void requireTable(String name, String table, Class<?> test) throws IOException {
        List<String> found = tableLines(name);
        if (Boolean.getBoolean("settings.write")) {
            found.clear();
            found.addAll(table.lines().toList());
            Files.write(path, lines);
            return;
        }
        assertThat(found)
                .as("the table in %s; mvn test -Dtest=%s -Dsettings.write=true renews it", path, test.getSimpleName())
                .containsExactlyElementsOf(table.lines().toList());
    }

    @Override
    public String toString() {
        return path.toString();
    }

    static Stream<MatchResult> found(Pattern pattern, String text) {
        return pattern.matcher(text).results();
    }
}
