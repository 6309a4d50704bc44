package io.neardup.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.architecture.LayersTest;
import io.neardup.config.ConfigDocumentationTest;
import io.neardup.record.Reason;
import io.neardup.streams.topology.DedupTopology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What can be said wrong in the README and the chapters without running anything. */
class DocumentationTest {
    private static final int README_LINES_MAX = 100;

    /** Shorter parts of a message are found anywhere. */
    private static final int PART_MIN = 12;

    private static final Pattern CODE = Pattern.compile("`(?<code>[^`\n]+)`");
    private static final Pattern LITERALS_JOINED = Pattern.compile("\"\\s*\\+\\s*\"");

    /** A class, or a method of one. */
    private static final Pattern TEST = Pattern.compile("\\b([A-Z]\\w+(?:Test|IT))\\b(?:#(\\w+))?");

    static List<Chapter> chapters() {
        return Chapter.all();
    }

    @Test
    void shouldKeepTheReadmeShort() {
        assertThat(Chapter.read(Chapter.README).lines())
                .as("lines of the README; what only some readers need goes to a chapter")
                .hasSizeLessThanOrEqualTo(README_LINES_MAX);
    }

    @ParameterizedTest
    @MethodSource("chapters")
    void shouldLinkToWhatIsThere(Chapter chapter) {
        assertThat(chapter.links())
                .as("links of %s", chapter.path())
                .isNotEmpty()
                .allSatisfy(link -> assertThat(isThere(chapter, link)).as(link).isTrue());
    }

    private static boolean isThere(Chapter from, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty()
                ? from.path()
                : from.path().resolveSibling(parts[0]).normalize();
        return Files.exists(target)
                && (parts.length == 1 || Chapter.read(target).anchors().contains(parts[1]));
    }

    @Test
    void shouldLeadFromTheReadmeToEveryChapter() throws IOException {
        try (Stream<Path> files = Files.list(Chapter.FOLDER)) {
            assertThat(Chapter.read(Chapter.README).links())
                    .containsAll(files.map(file -> file.toString().replace('\\', '/'))
                            .toList());
        }
    }

    @ParameterizedTest
    @MethodSource("chapters")
    void shouldNameSettingsAndHeadersThatThereAre(Chapter chapter) throws IOException {
        Set<String> known = new TreeSet<>(named(ConfigDocumentationTest.table()));
        known.addAll(Chapter.found(Pattern.compile("\"(neardup\\.[a-z.-]+)\""), sources("src/main/java"))
                .map(match -> match.group(1))
                .toList());

        assertThat(named(String.join("\n", chapter.lines())))
                .as("keys and headers in %s", chapter.path())
                .allMatch(name -> known.contains(name) || name.startsWith("neardup.family"));
    }

    /** Names of files and beginnings of names are none of them. */
    private static Set<String> named(String text) {
        return Chapter.found(
                        Pattern.compile("(?<![\\w/.])neardup\\.(?!jar\\b|properties\\b)[a-z.-]*[a-z](?![\\w*])"), text)
                .map(match -> match.group())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @MethodSource("chapters")
    void shouldNameTestsThatThereAre(Chapter chapter) throws IOException {
        Map<String, Path> files = javaFiles("src/test/java")
                .collect(Collectors.toMap(
                        file -> file.getFileName().toString().replace(".java", ""), file -> file, (one, other) -> one));

        assertThat(Chapter.found(TEST, String.join("\n", chapter.lines())))
                .as("tests in %s", chapter.path())
                .allSatisfy(test ->
                        assertThat(isThere(files, test)).as(test.group()).isTrue());
    }

    private static boolean isThere(Map<String, Path> files, MatchResult test) {
        Path file = files.get(test.group(1));
        return file != null && (test.group(2) == null || read(file).contains(" void " + test.group(2) + "("));
    }

    @Test
    void shouldNameATestOfEveryPromise() {
        assertThat(Chapter.read(Chapter.FOLDER.resolve("guarantees.md")).table("promises"))
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.get(1)).as(row.get(0)).containsPattern(TEST));
    }

    /** But for how far lines are indented. */
    @Test
    void shouldShowExamplesAsTheyRun() throws IOException {
        String examples =
                sources("src/test/java/io/neardup/examples") + Files.readString(Path.of("src/examples/pom.xml"));

        assertThat(Chapter.all().stream()
                        .flatMap(chapter -> chapter.blocks().stream())
                        .filter(block -> block.info().matches("java|xml")))
                .isNotEmpty()
                .allSatisfy(
                        block -> assertThat(stripped(examples)).as(block.at()).contains(stripped(block.text())));
    }

    private static String stripped(String text) {
        return text.lines().map(String::strip).collect(Collectors.joining("\n"));
    }

    @Test
    void shouldTellEveryReasonForDeadLetters() {
        assertThat(Chapter.read(Chapter.FOLDER.resolve("input-output.md")).table("reasons"))
                .extracting(row -> code(row.get(0)))
                .containsExactlyElementsOf(
                        Reason.ofDeadLetters().stream().map(Reason::code).toList());
    }

    /** A message of the table stands in the code, but for what is filled in: dots, numbers, and names in examples. */
    @Test
    void shouldTellMessagesAsTheyAre() throws IOException {
        String code = LITERALS_JOINED.matcher(sources("src/main/java")).replaceAll("");

        assertThat(runbook().table("messages")).isNotEmpty().allSatisfy(row -> {
            List<String> parts = Stream.of(code(row.get(0)).split("\\.\\.\\.|\\b\\d+\\b|[()]|documents(-0)?"))
                    .map(String::strip)
                    .filter(part -> part.length() >= PART_MIN)
                    .toList();
            assertThat(parts).as(row.get(0)).isNotEmpty().allMatch(code::contains);
        });
    }

    @Test
    void shouldTellThePackagesInTheirOrder() throws IOException {
        List<String> told = Chapter.read(Chapter.FOLDER.resolve("development.md")).table("packages").stream()
                .map(row -> code(row.get(0)))
                .toList();

        assertThat(told).isEqualTo(LayersTest.packageNames());
    }

    private static Chapter runbook() {
        return Chapter.read(Chapter.FOLDER.resolve("runbook.md"));
    }

    private static String code(String cell) {
        return Chapter.found(CODE, cell)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("expected `code` in the cell, found " + cell))
                .group(1);
    }

    private static Stream<Path> javaFiles(String folder) throws IOException {
        try (Stream<Path> files = Files.walk(Path.of(folder))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        }
    }

    private static String sources(String folder) throws IOException {
        return javaFiles(folder).map(DocumentationTest::read).collect(Collectors.joining("\n"));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- releases

    private static final Chapter PAGE = Chapter.read(Chapter.FOLDER.resolve("changes.md"));

    private static List<String> releases() {
        return PAGE.lines().stream()
                .filter(line -> line.matches("## \\d+\\.\\d+\\.\\d+"))
                .map(line -> line.substring(3))
                .toList();
    }

    @Test
    void shouldTellOfThisReleaseFirst() throws Exception {
        String pom = Files.readString(Path.of("pom.xml"));

        assertThat(pom)
                .containsPattern("<artifactId>neardup</artifactId>\\s+<version>"
                        + releases().get(0) + "</");
    }

    @Test
    void shouldTellWhatThisReleaseReads() {
        List<List<String>> rows = PAGE.table("layouts");
        Map<String, String> read = new HashMap<>();
        DedupTopology.layouts().forEach((kind, version) -> read.put("`" + kind + "`", String.valueOf(version)));

        assertThat(rows).extracting(row -> row.get(0)).isEqualTo(releases());
        List<String> heads = List.of("`state`", "`messages`", "`band-log`");
        for (int i = 0; i < heads.size(); i++) {
            assertThat(rows.get(0).get(i + 1)).as(heads.get(i)).isEqualTo(read.get(heads.get(i)));
        }
        assertThat(read).containsOnlyKeys(heads);
    }
}
