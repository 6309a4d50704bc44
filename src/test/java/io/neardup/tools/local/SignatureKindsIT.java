package io.neardup.tools.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.config.Settings;
import io.neardup.engine.similarity.NaiveTextProfile;
import io.neardup.engine.text.NaiveShingles;
import io.neardup.engine.text.NormalizedText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of signature through the whole service, on a real broker, beside an oracle of its similarity. */
class SignatureKindsIT {
    private static final LocalProgress SILENT = new SilentProgress();

    private final ObjectMapper json = new ObjectMapper();
    private final Path out;

    SignatureKindsIT(@TempDir Path out) {
        this.out = out;
    }

    static List<Arguments> kinds() {
        return List.of(
                Arguments.of(List.of("neardup.signature=simhash"), 0.9, oracle(SignatureKindsIT::cosine)),
                Arguments.of(List.of("neardup.signature=textprofile"), 1, oracle(SignatureKindsIT::sameProfile)),
                Arguments.of(List.of("neardup.signature=exact"), 1, oracle(SignatureKindsIT::sameNormalized)),
                Arguments.of(List.of("neardup.shingle=stopword:3"), 0.7, oracle(jaccard("stopword:3"))),
                Arguments.of(
                        List.of("neardup.shingle=word:1..3", "neardup.similarity.measure=containment"),
                        0.7,
                        oracle(containment("word:1..3"))));
    }

    private static ToDoubleBiFunction<String, String> oracle(ToDoubleBiFunction<String, String> similarity) {
        return similarity;
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldJudgeByItsSimilarityAndLoseNothing(
            List<String> settings, double threshold, ToDoubleBiFunction<String, String> oracle) throws Exception {
        LocalSummary summary = run(settings, List.of(), "");

        Map<String, String> texts = texts(feed());
        List<String> unique = read(ResultFiles.UNIQUE).stream()
                .map(document -> document.get("id").asText())
                .toList();
        List<JsonNode> duplicates = read(ResultFiles.DUPLICATE_OF);
        List<String> ids = new ArrayList<>(unique);
        duplicates.forEach(duplicate -> ids.add(duplicate.get("id").asText()));
        assertThat(ids).doesNotHaveDuplicates().hasSize(texts.size()).allSatisfy(id -> assertThat(texts)
                .containsKey(id));
        assertThat(summary.deadLetters() + ids.size()).isEqualTo(feed().size());
        assertThat(duplicates).hasSizeGreaterThan(30).allSatisfy(duplicate -> {
            String original = duplicate.get("duplicateOf").asText();
            double similarity =
                    oracle.applyAsDouble(text(texts, duplicate.get("id").asText()), text(texts, original));
            assertThat(unique).contains(original);
            assertThat(similarity).isGreaterThanOrEqualTo(threshold - 1e-12);
            assertThat(duplicate.get("similarity").asDouble()).isEqualTo(similarity, within(1e-9));
        });
    }

    @Test
    void shouldFindVectorsByAFamilyThatIsNamedByItsClass() throws Exception {
        String vectors = """
                {"id":"a","text":[1,2,3]}
                {"id":"far","text":[40,2,3]}
                {"id":"b","text":[1.1, 2, 3]}
                {"id":"short","text":[1,2]}
                {"id":"none","text":"1 2 3"}
                """;

        run(
                List.of(
                        "neardup.signature=io.neardup.engine.similarity.RandomProjectionFamily",
                        "neardup.family.dimensions=3",
                        "neardup.similarity.threshold=0.8"),
                List.of("-"),
                vectors);

        assertThat(read(ResultFiles.UNIQUE).stream()
                        .map(document -> document.get("id").asText()))
                .containsExactly("a", "far");
        assertThat(read(ResultFiles.DUPLICATE_OF)).singleElement().satisfies(duplicate -> {
            assertThat(duplicate.get("duplicateOf").asText()).isEqualTo("a");
            assertThat(duplicate.get("similarity").asDouble()).isEqualTo(1 / 1.1, within(1e-12));
            assertThat(duplicate.has("containmentOfOriginal")).isFalse();
        });
        assertThat(read(ResultFiles.DEAD_LETTER).stream()
                        .map(letter -> letter.get("id").asText() + ": "
                                + letter.get("reason").asText()))
                .containsExactlyInAnyOrder("short: unsignable", "none: text-not-string");
    }

    private LocalSummary run(List<String> settings, List<String> files, String input) throws Exception {
        Settings all = new Settings().set("neardup.hash.seed", "7", "test").pairs(settings);
        LocalOptions options =
                new LocalOptions(all, files, new ByteArrayInputStream(input.getBytes(UTF_8)), 1, Optional.of(out));
        return new LocalRun(options, SILENT).run();
    }

    // ---- oracles, each from the definition

    private static ToDoubleBiFunction<String, String> jaccard(String spec) {
        return (a, b) -> NaiveShingles.jaccard(spec, NormalizedText.of(a), NormalizedText.of(b));
    }

    private static ToDoubleBiFunction<String, String> containment(String spec) {
        return (first, second) -> {
            String a = NormalizedText.of(first);
            String b = NormalizedText.of(second);
            return Math.max(NaiveShingles.containment(spec, a, b), NaiveShingles.containment(spec, b, a));
        };
    }

    private static double cosine(String a, String b) {
        Map<List<String>, Long> first = counts(a);
        Map<List<String>, Long> second = counts(b);
        return product(first, second) / Math.sqrt(product(first, first) * product(second, second));
    }

    private static Map<List<String>, Long> counts(String text) {
        return NaiveShingles.of("char:9", NormalizedText.of(text)).stream()
                .collect(Collectors.groupingBy(shingle -> shingle, Collectors.counting()));
    }

    private static double product(Map<List<String>, Long> a, Map<List<String>, Long> b) {
        return a.entrySet().stream()
                .mapToDouble(entry -> (double) entry.getValue() * b.getOrDefault(entry.getKey(), 0L))
                .sum();
    }

    private static double sameProfile(String a, String b) {
        return profile(a).equals(profile(b)) ? 1 : 0;
    }

    private static String profile(String text) {
        return NaiveTextProfile.of(text);
    }

    private static double sameNormalized(String a, String b) {
        return NormalizedText.of(a).equals(NormalizedText.of(b)) ? 1 : 0;
    }

    // ---- files

    private Map<String, String> texts(List<String> lines) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        List<String> bad = read(ResultFiles.DEAD_LETTER).stream()
                .map(letter -> letter.get("value").asText())
                .toList();
        for (String line : lines) {
            if (!bad.contains(line)) {
                JsonNode document = json.readTree(line);
                texts.put(document.get("id").asText(), document.get("text").asText());
            }
        }
        return texts;
    }

    private static String text(Map<String, String> texts, String id) {
        return Objects.requireNonNull(texts.get(id), id);
    }

    private static List<String> feed() throws IOException {
        try (InputStream in = Objects.requireNonNull(LocalRun.class.getResourceAsStream("sample-feed.jsonl"))) {
            return new String(in.readAllBytes(), UTF_8).lines().toList();
        }
    }

    private List<JsonNode> read(String file) throws IOException {
        List<JsonNode> nodes = new ArrayList<>();
        try (Stream<String> lines = Files.lines(out.resolve(file))) {
            for (String line : lines.toList()) {
                nodes.add(json.readTree(line));
            }
        }
        return nodes;
    }
}
