package io.neardup.tools.cli;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.FastSimilaritySketch;
import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EvaluateCommandTest extends CommandTest {
    private static final Banding BANDING = new Banding(8, 4);
    private static final double THRESHOLD = 0.6;
    private static final double FLOOR = 0.3;
    private static final long SEED = 5;
    private static final String[] SETTINGS = {
        "--set", "neardup.banding=8x4",
        "--set", "neardup.hash.seed=5",
        "--set", "neardup.similarity.threshold=0.6",
        "--json"
    };

    /** Families of texts with more or fewer words replaced. */
    private static final List<String> TEXTS = texts();

    private static final List<ShingleSet> SETS = new ArrayList<>();
    private static final List<ShingleSet> WORDS = new ArrayList<>();
    private static final List<int[]> SIGNATURES = new ArrayList<>();
    /** Where similarities are estimated there are no sketches, so signatures have the values of the bands alone. */
    private static final List<int[]> WITHOUT_SKETCHES = new ArrayList<>();

    private static final double[][] JACCARD = new double[TEXTS.size()][TEXTS.size()];

    @TempDir
    private Path folder;

    @BeforeAll
    static void sign() {
        Shingler shingler = Shingler.of("char:9", SEED);
        FastSimilaritySketch scheme = new FastSimilaritySketch(BitSketch.VALUES_MIN);
        FastSimilaritySketch ofBands = new FastSimilaritySketch(BANDING.hashes());
        Shingles shingles = new Shingles();
        for (String text : TEXTS) {
            shingler.shingle(NormalizedText.of(text), shingles);
            SETS.add(ShingleSet.of(shingles));
            SIGNATURES.add(scheme.sign(shingles));
            WITHOUT_SKETCHES.add(ofBands.sign(shingles));
            Shingler.of("word:1", SEED).shingle(NormalizedText.of(text), shingles);
            WORDS.add(ShingleSet.of(shingles));
        }
        for (int a = 0; a < SETS.size(); a++) {
            for (int b = 0; b < SETS.size(); b++) {
                JACCARD[a][b] = SETS.get(a).jaccard(SETS.get(b));
            }
        }
    }

    @Test
    void shouldCountWhatBruteForceCountsAndEachBinBesideThePromise() throws IOException {
        JsonNode report = evaluate();

        long similar = count((a, b) -> jaccard(a, b) >= THRESHOLD);
        long found = count((a, b) -> jaccard(a, b) >= THRESHOLD && meet(a, b));
        long candidates = count(EvaluateCommandTest::meet);
        assertThat(found).isBetween(30L, similar - 1);
        assertThat(candidates).isGreaterThan(found);
        assertThat(report.get("documents").asInt()).isEqualTo(TEXTS.size());
        assertThat(report.get("pairs").asLong()).isEqualTo(similar);
        assertThat(report.get("found").asLong()).isEqualTo(found);
        assertThat(report.get("recall").asDouble()).isEqualTo(found / (double) similar);
        assertThat(report.get("candidates").asLong()).isEqualTo(candidates);
        assertThat(report.get("candidatesPerDocument").asDouble()).isEqualTo(candidates / (double) TEXTS.size());
        assertThat(report.get("candidatePrecision").asDouble()).isEqualTo(found / (double) candidates);
        assertThat(report.get("verified").get("pairs").asLong()).isEqualTo(found);
        assertThat(report.get("verified").get("precision").asDouble()).isEqualTo(1);
        assertThat(report.get("bucketsFull").asLong()).isZero();
        JsonNode bins = report.get("bins");
        assertThat(bins).hasSize(14);
        for (JsonNode bin : bins) {
            double from = bin.get("from").asDouble();
            double to = bin.get("to").asDouble();
            BiPredicate<Integer, Integer> inside =
                    (a, b) -> jaccard(a, b) >= from && (jaccard(a, b) < to || (to == 1 && jaccard(a, b) == 1));
            assertThat(bin.get("pairs").asLong()).isEqualTo(count(inside));
            assertThat(bin.get("found").asLong()).isEqualTo(count(inside.and(EvaluateCommandTest::meet)));
            assertThat(bin.get("promise").asDouble()).isBetween(BANDING.probability(from), BANDING.probability(to));
        }
    }

    @Test
    void shouldLookForPairsFromALowerThresholdOn() throws IOException {
        JsonNode report = evaluate("--set", "neardup.similarity.threshold=0.2");

        assertThat(report.get("bins").get(0).get("from").asDouble()).isEqualTo(0.2);
        assertThat(report.get("pairs").asLong()).isEqualTo(count((a, b) -> jaccard(a, b) >= 0.2));
    }

    @Test
    void shouldMeasureVerificationByEstimates() throws IOException {
        JsonNode report = evaluate("--set", "neardup.similarity.verify=estimate");

        BiPredicate<Integer, Integer> accepted = (a, b) -> meet(WITHOUT_SKETCHES.get(a), WITHOUT_SKETCHES.get(b))
                && estimate(WITHOUT_SKETCHES.get(a), WITHOUT_SKETCHES.get(b)) >= THRESHOLD;
        long right = count(accepted.and((a, b) -> jaccard(a, b) >= THRESHOLD));
        assertThat(right).isLessThan(count(accepted));
        assertThat(report.get("verified").get("pairs").asLong()).isEqualTo(count(accepted));
        assertThat(report.get("verified").get("right").asLong()).isEqualTo(right);
    }

    @Test
    void shouldFillBucketsAsTheServiceDoes() throws IOException {
        JsonNode report = evaluate("--set", "neardup.bucket.max=1");

        assertThat(report.get("bucketsFull").asLong()).isPositive();
        assertThat(report.get("candidates").asLong()).isLessThan(count(EvaluateCommandTest::meet));
    }

    @Test
    void shouldScoreWhatPeopleCallDuplicates() throws IOException {
        BiPredicate<Integer, Integer> called = (a, b) -> (jaccard(a, b) >= 0.45 && (a + b) % 5 != 0) || a + 7 == b;
        Path labels = labels(called, "# comment", "", "nobody\td0", "d3\td3");

        JsonNode report = evaluate("--labels", labels.toString()).get("labels");

        assertThat(report.get("pairs").asLong()).isEqualTo(count(called));
        assertThat(report.get("unknown").asLong()).isEqualTo(2);
        assertThat(report.get("belowFloor").asLong()).isEqualTo(count(called.and((a, b) -> jaccard(a, b) < FLOOR)));
        assertScore(report.get("similar"), (a, b) -> jaccard(a, b) >= THRESHOLD, called);
        assertScore(report.get("verified"), (a, b) -> jaccard(a, b) >= THRESHOLD && meet(a, b), called);
        double best = report.get("best").get("threshold").asDouble();
        assertScore(report.get("best"), (a, b) -> jaccard(a, b) >= best, called);
        assertThat(report.get("best").get("f1").asDouble()).isCloseTo(bestF1(called), within(1e-12));
        assertEachShingle(report, called);
    }

    private static void assertEachShingle(JsonNode report, BiPredicate<Integer, Integer> called) {
        assertThat(report.get("judged").asText()).isEqualTo("all");
        assertThat(report.get("shingles"))
                .extracting(scores -> scores.get("shingle").asText())
                .startsWith("char:9", "char:3", "char:4")
                .contains("word:1", "word:3", "stopword:3")
                .doesNotHaveDuplicates();
        JsonNode own = report.get("shingles").get(0);
        assertThat(own.get("settings").get("f1"))
                .isEqualTo(report.get("similar").get("f1"));
        assertThat(own.get("best")).isEqualTo(report.get("best"));
        JsonNode words = shingle(report, "word:1");
        double threshold = words.get("settings").get("threshold").asDouble();
        assertScore(words.get("settings"), (a, b) -> jaccardOfWords(a, b) >= threshold, called);
        double best = words.get("best").get("threshold").asDouble();
        assertScore(words.get("best"), (a, b) -> jaccardOfWords(a, b) >= best, called);
        assertThat(report.get("bestShingle").asText()).isEqualTo(shingleOfTheHighestF1(report));
    }

    @Test
    void shouldCountOnlyPairsThatAreJudgedWhereSomeAreAnswered() throws IOException {
        Path answers = Files.writeString(
                folder.resolve("answers.tsv"),
                "d0\td1\tsame\nd0\td40\tother\nd1\td41\tsame\nd2\td42\tunclear\nd3\td43\t?\nnobody\td2\tsame\n");

        JsonNode report = evaluate("--labels", answers.toString()).get("labels");

        assertThat(report.get("judged").asText()).isEqualTo("named");
        assertThat(report.get("pairs").asLong()).isEqualTo(2);
        assertThat(report.get("others").asLong()).isEqualTo(1);
        assertThat(report.get("unclear").asLong()).isEqualTo(1);
        assertThat(report.get("open").asLong()).isEqualTo(1);
        assertThat(report.get("unknownIds")).extracting(JsonNode::asText).containsExactly("nobody");
        JsonNode best = shingle(report, "word:1").get("best");
        // The pair d1, d41 is far below the floor, and counts: it is judged.
        assertThat(jaccardOfWords(1, 41)).isLessThan(FLOOR);
        double from = best.get("threshold").asDouble();
        long told = List.of(new int[] {0, 1}, new int[] {0, 40}, new int[] {1, 41}).stream()
                .filter(pair -> jaccardOfWords(pair[0], pair[1]) >= from)
                .count();
        assertThat(best.get("pairs").asLong()).isEqualTo(told);
        assertThat(best.get("f1").asDouble()).isGreaterThanOrEqualTo(2 / 3.0);
        assertThat(report.get("belowFloor").asLong()).isZero();
    }

    private static JsonNode shingle(JsonNode report, String shingle) {
        for (JsonNode scores : report.get("shingles")) {
            if (scores.get("shingle").asText().equals(shingle)) {
                return scores;
            }
        }
        throw new AssertionError(shingle + " is not there");
    }

    private static String shingleOfTheHighestF1(JsonNode report) {
        String best = "";
        double highest = -1;
        for (JsonNode scores : report.get("shingles")) {
            double f1 = scores.get("best").get("f1").asDouble();
            best = f1 > highest ? scores.get("shingle").asText() : best;
            highest = Math.max(highest, f1);
        }
        return best;
    }

    private static double jaccardOfWords(int a, int b) {
        return WORDS.get(a).jaccard(WORDS.get(b));
    }

    @Test
    void shouldSayNothingOfWhatIsNotThere() throws IOException {
        Path file = Files.writeString(
                folder.resolve("unlike.jsonl"), "{\"id\":1,\"text\":\"one of a kind\"}\n{\"id\":2,\"text\":\"x\"}\n");

        JsonNode report = json("evaluate", file.toString(), "--json");

        assertThat(report.get("pairs").asLong()).isZero();
        assertThat(report.get("recall").isNull()).isTrue();
        assertThat(report.get("candidatePrecision").isNull()).isTrue();
        assertThat(report.has("labels")).isFalse();
    }

    @Test
    void shouldNeedTwoDocuments() throws IOException {
        Path file = Files.writeString(folder.resolve("one.jsonl"), "{\"text\":\"one\"}\n\nnonsense\n");

        assertThat(failed("evaluate", file.toString()))
                .contains("one.jsonl: expected at least 2 documents, found 1 in 2 lines")
                .contains("\n  lines skipped as not-json: 1, the first at ")
                .contains("one.jsonl:3: ");
    }

    /** Options, in which = stands for labels, and a line of these. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --labels = | d0;d1 | 2: expected two ids with a tab or a comma between, and after another one an answer or\
             nothing, found 1 fields
            --labels = | d0,d1,1 | 2: expected one of same, other, unclear, ? after two ids, found 1
            --labels = | d0,d1,? | expected answers on pairs of ids of the documents, found none in 1 lines
            --labels = | x,y | expected pairs of ids of the documents, found none in 1 lines
            --labels = | '' | expected pairs of ids of the documents, found no line
            --documents 1 | '' | --documents: expected 2 to
            --set neardup.signature:exact | '' | found exact and jaccard
            --set neardup.similarity.measure:containment | '' | found minhash and containment
            """)
    void shouldRefuse(String options, String line, String message) throws IOException {
        Path labels = Files.writeString(folder.resolve("labels"), "# pairs\n" + line + "\n");
        String given = options.replace("=", labels.toString()).replace(':', '=');

        assertThat(refused(("evaluate " + file() + " " + given).split(" ", -1)))
                .contains(message)
                .doesNotContain("\tat ");
        assertThat(err.toString().contains("labels:")).isEqualTo(options.contains("labels"));
    }

    private JsonNode evaluate(String... more) throws IOException {
        return json(with(with(new String[] {"evaluate", file().toString()}, SETTINGS), more));
    }

    private static void assertScore(
            JsonNode score, BiPredicate<Integer, Integer> told, BiPredicate<Integer, Integer> called) {
        double right = count(told.and(called));
        assertThat(score.get("pairs").asLong()).isEqualTo(count(told));
        assertThat(score.get("precision").asDouble()).isCloseTo(right / count(told), within(1e-12));
        assertThat(score.get("recall").asDouble()).isCloseTo(right / count(called), within(1e-12));
        assertThat(score.get("f1").asDouble()).isCloseTo(2 * right / (count(told) + count(called)), within(1e-12));
    }

    private static double bestF1(BiPredicate<Integer, Integer> called) {
        return IntStream.rangeClosed((int) (FLOOR * 1_000), 1_000)
                .mapToDouble(step -> {
                    BiPredicate<Integer, Integer> told = (a, b) -> jaccard(a, b) >= step / 1_000.0;
                    return 2.0 * count(told.and(called)) / (count(told) + count(called));
                })
                .max()
                .orElseThrow();
    }

    private static double jaccard(int a, int b) {
        return JACCARD[a][b];
    }

    private static boolean meet(int a, int b) {
        return meet(SIGNATURES.get(a), SIGNATURES.get(b));
    }

    private static double estimate(int[] a, int[] b) {
        return IntStream.range(0, a.length).filter(i -> a[i] == b[i]).count() / (double) a.length;
    }

    private static boolean meet(int[] a, int[] b) {
        BandKeys keysOfA = BANDING.keys(a);
        BandKeys keysOfB = BANDING.keys(b);
        return IntStream.range(0, BANDING.bands()).anyMatch(band -> keysOfA.key(band) == keysOfB.key(band));
    }

    private static long count(BiPredicate<Integer, Integer> holds) {
        long count = 0;
        for (int a = 0; a < TEXTS.size(); a++) {
            for (int b = a + 1; b < TEXTS.size(); b++) {
                count += holds.test(a, b) ? 1 : 0;
            }
        }
        return count;
    }

    private static List<String> texts() {
        SplittableRandom random = new SplittableRandom(1);
        List<String> texts = new ArrayList<>();
        while (texts.size() < 100) {
            int[] words = random.ints(60, 0, 3_000).toArray();
            double share = random.nextDouble(0.12);
            for (int copies = 1 + random.nextInt(6); copies > 0; copies--) {
                texts.add(IntStream.of(words)
                        .map(word -> random.nextDouble() < share ? random.nextInt(3_000) : word)
                        .mapToObj(word -> Integer.toString(word * 7_919 + 40_000, 36))
                        .collect(joining(" ")));
            }
        }
        return texts;
    }

    private Path file() throws IOException {
        String lines = IntStream.range(0, TEXTS.size())
                .mapToObj(i -> "{\"id\":\"d" + i + "\",\"text\":\"" + TEXTS.get(i) + "\"}\n")
                .collect(joining());
        return Files.writeString(folder.resolve("texts.jsonl"), "{\"id\":\"none\"}\n" + lines);
    }

    private Path labels(BiPredicate<Integer, Integer> called, String... more) throws IOException {
        List<String> lines = new ArrayList<>(List.of(more));
        for (int a = 0; a < TEXTS.size(); a++) {
            for (int b = a + 1; b < TEXTS.size(); b++) {
                if (called.test(a, b)) {
                    lines.add("d" + a + "\td" + b);
                }
            }
        }
        return Files.write(folder.resolve("labels.tsv"), lines);
    }
}
