package io.neardup.topology;

import static io.neardup.topology.TopologyHarness.record;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.engine.similarity.NaiveTextProfile;
import io.neardup.engine.text.NaiveShingles;
import io.neardup.engine.text.NormalizedText;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.testing.NewsFeed;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Collectors;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The sample feed by kinds of signatures, each beside an oracle of its similarity, from the definition. */
class SignatureKindsTest extends TopologyTests {
    private static final ObjectMapper JSON = new ObjectMapper();

    static List<Arguments> kinds() {
        return List.of(
                kind(SignatureKindsTest::cosine, 0.9, "neardup.signature=simhash"),
                kind(SignatureKindsTest::sameProfile, 1, "neardup.signature=textprofile"),
                kind(SignatureKindsTest::sameNormalized, 1, "neardup.signature=exact"),
                kind(jaccard("stopword:3"), 0.7, "neardup.shingle=stopword:3"),
                kind(
                        containment("word:1..3"),
                        0.7,
                        "neardup.shingle=word:1..3",
                        "neardup.similarity.measure=containment"));
    }

    private static Arguments kind(ToDoubleBiFunction<String, String> oracle, double threshold, String... settings) {
        return Arguments.of(settings, threshold, oracle);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldJudgeByItsSimilarityAndLoseNothing(
            String[] settings, double threshold, ToDoubleBiFunction<String, String> oracle) throws IOException {
        List<String> feed = NewsFeed.sample();
        TopologyHarness running = start(settings);
        feed.forEach(line -> {
            running.arrive(record(null, line));
        });
        Map<String, String> unique = texts(running.unique());
        List<TestRecord<byte[], byte[]>> duplicates = running.duplicates();
        assertThat(unique.size()
                        + texts(duplicates).size()
                        + running.deadLetters().size())
                .isEqualTo(feed.size());
        assertThat(duplicates).hasSizeGreaterThan(30).allSatisfy(duplicate -> {
            String original = header(duplicate, OutputRecords.DUPLICATE_OF);
            assertThat(unique).containsKey(original);
            String text = texts(List.of(duplicate)).values().iterator().next();
            double similarity = oracle.applyAsDouble(text, Objects.requireNonNull(unique.get(original)));
            assertThat(similarity).isGreaterThanOrEqualTo(threshold - 1e-12);
            assertThat(number(duplicate, OutputRecords.SIMILARITY)).isEqualTo(similarity, within(1e-9));
        });
    }

    /** By id; none may be there twice. */
    private static Map<String, String> texts(List<TestRecord<byte[], byte[]>> records) {
        return records.stream()
                .map(record -> new String(record.value(), UTF_8))
                .collect(Collectors.toMap(value -> field(value, "id"), value -> field(value, "text")));
    }

    private static String field(String document, String name) {
        try {
            return JSON.readTree(document).get(name).asText();
        } catch (IOException e) {
            throw new IllegalArgumentException(document, e);
        }
    }

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
        return NaiveTextProfile.of(a).equals(NaiveTextProfile.of(b)) ? 1 : 0;
    }

    private static double sameNormalized(String a, String b) {
        return NormalizedText.of(a).equals(NormalizedText.of(b)) ? 1 : 0;
    }
}
