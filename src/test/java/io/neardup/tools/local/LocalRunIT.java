package io.neardup.tools.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.config.Settings;
import io.neardup.engine.text.NaiveShingles;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.Records;
import io.neardup.testing.VerdictStories;
import io.neardup.tools.feed.Progress;
import io.neardup.tools.feed.UnusableFileException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sample feed against the sequential algorithm in its plainest form: every pair compared, as sets of strings. */
class LocalRunIT {
    /** With this seed none of the pairs that the S-curve may miss is missed. */
    private static final String SEED = "1";

    private static final double THRESHOLD = 0.7;
    private static final Map<String, Long> REASONS =
            Map.of("not-json", 1L, "no-text", 1L, "blank-text", 1L, "text-not-string", 1L, "repeated-key", 1L);
    private static final Progress SILENT = text -> {};

    private final ObjectMapper json = new ObjectMapper();

    private final Path out;

    LocalRunIT(@TempDir Path out) {
        this.out = out;
    }

    @Test
    void shouldDecideLikeTheSequentialAlgorithmOnOnePartition() throws Exception {
        LocalSummary summary = runSample(1);
        Map<String, String> originals = new TreeMap<>();
        duplicates()
                .forEach((id, duplicate) -> originals.put(
                        id,
                        duplicate.get("duplicateOf").asText() + " "
                                + duplicate.get("similarity").asDouble()));
        List<String> expectedUnique = new ArrayList<>();
        Map<String, String> expectedOriginals = sequential(documents(), expectedUnique);

        assertThat(originals).isEqualTo(expectedOriginals);
        assertThat(uniqueLines().stream().map(this::id)).containsExactlyElementsOf(expectedUnique);
        assertThat(summary.examples()).hasSize(3);
        checkConservation(summary);
    }

    @Test
    void shouldKeepItsPromisesOnSeveralPartitions() throws Exception {
        checkConservation(runSample(3));
        checkOrder(3);
    }

    @Test
    void shouldEndWithTheStoriesThatItsVerdictsTell() throws Exception {
        Settings settings =
                new Settings().pairs(List.of("neardup.outputs=records,verdicts,stories", "neardup.source=/source"));
        LocalSummary summary =
                run(options(settings, List.of(), InputStream.nullInputStream(), 2, Optional.of(out), List.of()));

        VerdictStories expected = new VerdictStories("first");
        Files.readAllLines(out.resolve(ResultFiles.VERDICTS)).forEach(line -> expected.add(line.getBytes(UTF_8)));
        Map<String, JsonNode> stories = new TreeMap<>();
        Files.readAllLines(out.resolve(ResultFiles.STORIES)).forEach(line -> {
            JsonNode story = VerdictStories.comparable(line.getBytes(UTF_8));
            assertThat(stories.put(story.get("story").asText(), story)).isNull();
        });
        assertThat(stories).isEqualTo(expected.stories()).hasSizeGreaterThan(50);
        assertThat(summary.stories()).isEqualTo(stories.size());
        long mostPublishers = stories.values().stream()
                .mapToLong(story -> story.get("publishers").asLong())
                .max()
                .orElseThrow();
        assertThat(summary.largestStories()).hasSize(3).first().satisfies(story -> assertThat(story.publishers())
                .isEqualTo(mostPublishers));
    }

    @Test
    @Timeout(120)
    void shouldEndWithWhateverEndsTheReadingOfTheFeed() {
        InputStream faulty = new InputStream() {
            @Override
            public int read() {
                throw new AssertionError("a fault");
            }

            @Override
            public int read(byte[] into, int from, int length) {
                return read();
            }
        };
        LocalRun.Options options = options(new Settings(), List.of("-"), faulty, 1, Optional.empty(), List.of());

        assertThatThrownBy(() -> run(options)).isInstanceOf(IOException.class).hasStackTraceContaining("a fault");
    }

    /** Lines of the standard input are too long, are none, have no id, and repeat one of what is there already. */
    @Test
    void shouldTakeVerdictsAndJudgeAnyLinesAgainstWhatIsThereAlready(@TempDir Path folder) throws Exception {
        String seed = "{\"id\":\"old\",\"text\":\"what was known for long before anybody wrote the feed\"}";
        Path corpus = Files.writeString(folder.resolve("corpus.jsonl"), seed + "\n" + seed + "\nnot json\n");
        String text = "{\"text\":\"a document without an id, long enough to have some shingles\"}";
        String copy = seed.replace("old", "copy").replace("the feed", "the feeds");
        String oversized = "x".repeat((16 << 20) + 1);
        String input = text + "\n" + text + "\r\n" + oversized + "\nnot json either\n" + copy + "\n";

        LocalSummary summary = run(options(
                new Settings().pairs(List.of("neardup.duplicates.value=verdict", "bootstrap.servers=elsewhere:1")),
                List.of("-"),
                new ByteArrayInputStream(input.getBytes(UTF_8)),
                1,
                Optional.of(out),
                List.of(corpus.toString())));

        assertThat(summary.seeds()).isEqualTo(3);
        assertThat(summary.seedsRefused()).isEqualTo(1);
        assertThat(summary.documents()).isEqualTo(5);
        assertThat(uniqueLines()).containsExactly(text);
        List<JsonNode> duplicates = read(ResultFiles.DUPLICATE_OF);
        assertThat(duplicates).hasSize(2);
        assertThat(duplicates.get(0))
                .isEqualTo(json.readTree("{\"id\":\"stdin:2\",\"duplicateOf\":\"stdin:1\",\"similarity\":1.0,"
                        + "\"containmentOfDuplicate\":1.0,\"containmentOfOriginal\":1.0,\"source\":\"stdin:2\"}"));
        assertThat(duplicates.get(1).get("duplicateOf").asText()).isEqualTo("old");
        assertThat(duplicates.get(1).get("originalIsOfSeed").asBoolean()).isTrue();
        assertThat(summary.reasons()).containsEntry("too-large", 1L).containsOnlyKeys("too-large", "not-json");
        assertThat(read(ResultFiles.DEAD_LETTER))
                .hasSize(3)
                .anySatisfy(letter -> {
                    assertThat(letter.get("source").asText()).isEqualTo("stdin:3");
                    assertThat(letter.get("detail").asText())
                            .isEqualTo("expected a value of at most 1000000 bytes (neardup.document.bytes.max), found"
                                    + " 16777217");
                    assertThat(letter.has("value")).isFalse();
                })
                .anySatisfy(letter -> {
                    assertThat(letter.get("source").asText()).isEqualTo("stdin:4");
                    assertThat(letter.get("value").asText()).isEqualTo("not json either");
                });
        assertThat(summary.examples()).singleElement().satisfies(example -> assertThat(example.duplicateText())
                .isEmpty());
    }

    /** Indexes are mapped, and where Linux reads far ahead the first record costs as much as each of them is long. */
    @Test
    void shouldKeepTheLogsOfItsBrokerToItselfAndTheirIndexesShort(@TempDir Path folder) throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder, 0, false)) {
            Records.createTopic(broker.bootstrapServers(), "numbers", 1);
            Records.commit(broker.bootstrapServers(), "numbers", List.of("one"));

            try (Stream<Path> files = Files.list(folder.resolve("numbers-0"))) {
                assertThat(files.filter(file -> file.toString().endsWith("index")))
                        .hasSizeGreaterThanOrEqualTo(2)
                        .allSatisfy(file -> assertThat(Files.size(file)).isLessThan(1 << 20));
            }
            assertThatThrownBy(() -> EmbeddedBroker.start(folder, 0, false))
                    .isInstanceOf(UnusableFileException.class)
                    .hasMessageContaining(folder + ": expected a folder that nobody uses");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "notes.txt, mine, 'expected an empty folder, or one of local --serve --data, found other files in it'",
        "neardup-local, layout 2, 'expected layout 1, found layout 2: start the release that made it'"
    })
    void shouldRefuseAFolderThatItHasNotMade(String file, String content, String message) throws IOException {
        Path other = Files.writeString(out.resolve(file), content);

        assertThatThrownBy(() -> LocalRun.claim(out))
                .isInstanceOf(UnusableFileException.class)
                .hasMessageStartingWith(out + ": ")
                .hasMessageContaining(message)
                .hasMessageEndingWith("take another folder");
        assertThat(other).hasContent(content);
    }

    private static LocalRun.Options options(
            Settings settings,
            List<String> files,
            InputStream standardInput,
            int partitions,
            Optional<Path> out,
            List<String> seeds) {
        return new LocalRun.Options(
                settings, files, standardInput, Optional.of(partitions), out, seeds, 0, Optional.empty());
    }

    private static LocalSummary run(LocalRun.Options options) throws IOException, InterruptedException {
        try (LocalRun run = new LocalRun(options, SILENT)) {
            return run.run();
        }
    }

    private LocalSummary runSample(int partitions) throws IOException, InterruptedException {
        Set<Path> before = temporaryFolders();
        Settings settings = new Settings().set("neardup.hash.seed", SEED, "test");
        LocalRun.Options options =
                options(settings, List.of(), InputStream.nullInputStream(), partitions, Optional.of(out), List.of());
        LocalSummary summary = run(options);
        assertThat(temporaryFolders()).isSubsetOf(before);
        return summary;
    }

    private static Set<Path> temporaryFolders() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return new HashSet<>(files.filter(file -> file.getFileName()
                            .toString()
                            .startsWith(
                                    "neardup-local-" + ProcessHandle.current().pid() + "-"))
                    .toList());
        }
    }

    /** Conservation, what the summary counts, and the reasons of the dead letters. */
    private void checkConservation(LocalSummary summary) throws IOException {
        Map<String, String> documents = documents();
        List<String> lines = NewsFeed.sample();
        List<String> unique = uniqueLines();
        Map<String, JsonNode> duplicates = duplicates();
        List<JsonNode> letters = read(ResultFiles.DEAD_LETTER);

        assertThat(lines).containsAll(unique);
        assertThat(unique).doesNotHaveDuplicates();
        List<String> ids = new ArrayList<>(unique.stream().map(this::id).toList());
        ids.addAll(duplicates.keySet());
        assertThat(ids).containsExactlyInAnyOrderElementsOf(documents.keySet());
        assertThat(summary.documents()).isEqualTo(lines.size());
        assertThat(summary.unique()).isEqualTo(unique.size());
        assertThat(summary.duplicates()).isEqualTo(duplicates.size());
        assertThat(summary.deadLetters()).isEqualTo(letters.size());
        // A duplicate leaves the buckets a commit after its record.
        assertThat(summary.cost().indexedDocuments()).isBetween((long) unique.size(), (long) lines.size());
        assertThat(summary.memoryBytesPerOriginal()).isGreaterThan(100.0);
        assertThat(summary.cpuMicrosPerDocument()).isPositive();
        Map<String, Set<String>> shingles = new LinkedHashMap<>();
        documents.forEach((id, text) -> shingles.put(id, shingles(text)));
        List<String> uniqueIds = unique.stream().map(this::id).toList();
        checkValidReference(duplicates, uniqueIds, shingles);
        checkNoRemainingDuplicates(uniqueIds, shingles);
        checkDeadLetters(summary, letters, lines);
    }

    private static void checkValidReference(
            Map<String, JsonNode> duplicates, List<String> unique, Map<String, Set<String>> shingles) {
        duplicates.forEach((id, duplicate) -> {
            String original = duplicate.get("duplicateOf").asText();
            double exact = jaccard(shingles, id, original);
            assertThat(unique).contains(original);
            assertThat(exact).isGreaterThanOrEqualTo(THRESHOLD);
            assertThat(duplicate.get("similarity").asDouble()).isEqualTo(exact);
        });
    }

    private static void checkNoRemainingDuplicates(List<String> unique, Map<String, Set<String>> shingles) {
        for (int i = 0; i < unique.size(); i++) {
            for (int j = 0; j < i; j++) {
                assertThat(jaccard(shingles, unique.get(i), unique.get(j)))
                        .as("%s and %s", unique.get(i), unique.get(j))
                        .isLessThan(THRESHOLD);
            }
        }
    }

    private static void checkDeadLetters(LocalSummary summary, List<JsonNode> letters, List<String> lines) {
        assertThat(summary.reasons()).isEqualTo(REASONS);
        for (JsonNode letter : letters) {
            assertThat(letter.get("source").asText()).startsWith("sample-feed:");
            assertThat(letter.get("value").asText()).isEqualTo(lines.get(number(letter) - 1));
            assertThat(letter.get("detail").asText()).isNotEmpty();
        }
    }

    /** Each output keeps the order of each input partition; line i went to partition i mod the number of them. */
    private void checkOrder(int partitions) throws IOException {
        List<String> lines = NewsFeed.sample();
        List<Integer> unique = uniqueLines().stream().map(lines::indexOf).toList();
        List<Integer> duplicates = read(ResultFiles.DUPLICATE_OF).stream()
                .map(duplicate -> number(duplicate) - 1)
                .toList();
        for (int i = 0; i < partitions; i++) {
            int partition = i;
            assertThat(unique.stream().filter(line -> line % partitions == partition))
                    .isSorted();
            assertThat(duplicates.stream().filter(line -> line % partitions == partition))
                    .isSorted();
        }
    }

    /**
     * Each document in order: unique if no earlier unique one reaches the threshold, else the duplicate of the most
     * similar, which is told with how similar it is.
     */
    private static Map<String, String> sequential(Map<String, String> documents, List<String> unique) {
        Map<String, Set<String>> shingles = new LinkedHashMap<>();
        Map<String, String> originals = new TreeMap<>();
        documents.forEach((id, text) -> {
            shingles.put(id, shingles(text));
            String best = null;
            double bestSimilarity = 0;
            for (String earlier : unique) {
                double similarity = jaccard(shingles, id, earlier);
                if (similarity >= THRESHOLD && similarity > bestSimilarity) {
                    best = earlier;
                    bestSimilarity = similarity;
                }
            }
            if (best == null) {
                unique.add(id);
            } else {
                originals.put(id, best + " " + bestSimilarity);
            }
        });
        return originals;
    }

    private static Set<String> shingles(String text) {
        String normalized = Normalizer.normalize(text, Normalizer.Form.NFC)
                .toLowerCase(Locale.ROOT)
                .replaceAll("(?U)\\s+", " ")
                .strip();
        return NaiveShingles.of("char:9", normalized).stream()
                .map(shingle -> String.join("", shingle))
                .collect(Collectors.toSet());
    }

    private static double jaccard(Map<String, Set<String>> shingles, String a, String b) {
        Set<String> first = Objects.requireNonNull(shingles.get(a));
        Set<String> second = Objects.requireNonNull(shingles.get(b));
        long common = first.stream().filter(second::contains).count();
        return common / (double) (first.size() + second.size() - common);
    }

    /** Texts by id, in order, without the lines that are none. */
    private Map<String, String> documents() throws IOException {
        Map<String, String> documents = new LinkedHashMap<>();
        Set<Integer> bad = new HashSet<>();
        for (JsonNode letter : read(ResultFiles.DEAD_LETTER)) {
            bad.add(number(letter));
        }
        List<String> lines = NewsFeed.sample();
        for (int number = 1; number <= lines.size(); number++) {
            if (!bad.contains(number)) {
                JsonNode document = json.readTree(lines.get(number - 1));
                documents.put(document.get("id").asText(), document.get("text").asText());
            }
        }
        return documents;
    }

    /** Of the line that it came from. */
    private static int number(JsonNode result) {
        String source = result.get("source").asText();
        return Integer.parseInt(source.substring(source.indexOf(':') + 1));
    }

    private List<String> uniqueLines() throws IOException {
        return Files.readAllLines(out.resolve(ResultFiles.UNIQUE));
    }

    private Map<String, JsonNode> duplicates() throws IOException {
        Map<String, JsonNode> duplicates = new LinkedHashMap<>();
        for (JsonNode duplicate : read(ResultFiles.DUPLICATE_OF)) {
            assertThat(duplicates.put(duplicate.get("id").asText(), duplicate)).isNull();
        }
        return duplicates;
    }

    private List<JsonNode> read(String file) throws IOException {
        return json.readerFor(JsonNode.class)
                .<JsonNode>readValues(out.resolve(file).toFile())
                .readAll();
    }

    private String id(String line) {
        try {
            return json.readTree(line).get("id").asText();
        } catch (IOException e) {
            throw new IllegalArgumentException(line, e);
        }
    }
}
