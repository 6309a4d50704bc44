package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NaiveShingles;
import io.neardup.engine.text.Shingling;
import io.neardup.record.Document;
import io.neardup.record.RawText;
import io.neardup.tools.analysis.BoilerplateCount.Bounds;
import io.neardup.tools.analysis.BoilerplateSample.Drawing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BoilerplateCountTest {
    private static final long STEPS = 1_000_000_000;
    private static final Shingling CHARACTERS = new Shingling(LetterCase.LOWER, "char:9");

    @ParameterizedTest
    @ValueSource(strings = {"char:3", "char:9", "word:1", "word:2", "word:1..2"})
    void shouldCountTheClustersOfEachShingle(String spec) {
        SplittableRandom random = new SplittableRandom(spec.hashCode());
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            texts.add((i % 2 == 0 ? "the cat of the house " : "") + TextLines.words(12, 30, random) + " "
                    + TextLines.words(20, 4_000, random));
        }
        for (int i = 0; i < 20; i++) {
            texts.add(texts.get(i).replaceFirst("\\S+$", "edited"));
        }

        BoilerplateCount count =
                BoilerplateCount.of(TextLines.texts(texts), List.of(), new Shingling(LetterCase.LOWER, spec), 0.3);

        List<Set<Integer>> clusters = clusters(spec, texts);
        assertThat(count.clusters()).isEqualTo(clusters.size()).isLessThan(80);
        Map<String, Integer> expected = common(spec, texts, clusters, 0.3);
        assertThat(counted(count)).isEqualTo(expected).isNotEmpty();
        long held = texts.stream()
                .mapToLong(text -> distinct(spec, text).stream()
                        .filter(expected::containsKey)
                        .count())
                .sum();
        long all = texts.stream().mapToLong(text -> distinct(spec, text).size()).sum();
        assertThat(count.leftOut()).isEqualTo(held / (double) all);
    }

    @Test
    void shouldSayThatTooManyAreCommonForAFile() {
        SplittableRandom random = new SplittableRandom(7);
        String menu = TextLines.words(20, 5_000, random);
        List<String> texts = IntStream.range(0, 30)
                .mapToObj(i -> menu + " " + TextLines.words(100, 5_000, random))
                .toList();
        Shingling single = new Shingling(LetterCase.LOWER, "word:1");
        int size = counted(BoilerplateCount.of(TextLines.texts(texts), List.of(), single, 0.5))
                .size();

        assertThat(BoilerplateCount.of(TextLines.texts(texts), List.of(), single, 0.5, new Bounds(STEPS, size))
                        .boilerplate())
                .isPresent();
        assertThatThrownBy(() -> BoilerplateCount.of(
                        TextLines.texts(texts), List.of(), single, 0.5, new Bounds(STEPS, size - 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "expected at most %d boilerplate shingles of word:1, found %d: take those of a larger share of"
                                + " the documents alone (tune boilerplate with another --share), or leave out --by",
                        size - 1, size);
    }

    /** Three templates around texts of their own, plain texts, and one story that is everywhere. */
    @Test
    void shouldCountInFewerDocumentsWhereTheyAreSoAlikeThatToCompareAllTakesTooLong() {
        String story = TextLines.generated(1, 1).get(0);
        List<String> alike = IntStream.range(0, 200)
                .mapToObj(i -> story + " and its end number " + i)
                .toList();

        BoilerplateCount bounded =
                BoilerplateCount.of(TextLines.texts(alike), List.of(), CHARACTERS, 0.05, new Bounds(100_000, 1_000));

        assertThat(bounded.documents()).isBetween(10, 100);
        assertThat(bounded.clusters()).isEqualTo(1);
        assertThat(BoilerplateCount.of(TextLines.texts(alike), List.of(), CHARACTERS, 0.05)
                        .documents())
                .isEqualTo(200);
    }

    /** Of the first, all pairs are above 0.7 by it, so that they would be one cluster. */
    @ParameterizedTest
    @CsvSource({"1, 400, 40, 0, 50", "3, 200, 120, 150, 60"})
    void shouldTakeTemplatesForCommonAndNoStoryThatIsEverywhere(
            int kinds, int templateWords, int words, int plainWords, int copies) {
        SplittableRandom random = new SplittableRandom(17);
        List<String> templates = Stream.generate(() -> TextLines.words(templateWords, 5_000, random))
                .limit(kinds)
                .toList();
        String story = TextLines.words(200, 5_000, random);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            texts.add(templates.get(i % kinds) + " " + TextLines.words(words, 5_000, random));
            if (plainWords > 0) {
                texts.add(TextLines.words(plainWords, 5_000, random));
            }
            if (i < copies) {
                texts.add(TextLines.edited(story, 0.03, random));
            }
        }

        BoilerplateCount count =
                BoilerplateCount.of(TextLines.texts(texts), List.of(), CHARACTERS, BoilerplateCount.DEFAULT_SHARE);

        Set<String> common = counted(count).keySet();
        assertThat(count.clusters()).describedAs("all others, and the story").isEqualTo(texts.size() - copies + 1);
        for (String template : templates) {
            assertThat(common).containsAll(distinct("char:9", template));
        }
        Set<String> ofStory = distinct("char:9", story);
        ofStory.retainAll(common);
        assertThat(ofStory).hasSizeLessThan(30);
    }

    @Test
    void shouldCountWhatIsLeftOutAlready() {
        SplittableRandom random = new SplittableRandom(8);
        String template = TextLines.words(300, 5_000, random);
        List<String> texts = IntStream.range(0, 40)
                .mapToObj(i -> template + " " + TextLines.words(200, 5_000, random))
                .toList();
        BoilerplateShingles common = BoilerplateCount.of(TextLines.texts(texts), List.of(), CHARACTERS, 0.05)
                .boilerplate()
                .orElseThrow();

        assertThat(BoilerplateCount.of(TextLines.texts(texts), List.of(), CHARACTERS.without(common), 0.05)
                        .boilerplate())
                .contains(common);
    }

    private static Map<String, Integer> counted(BoilerplateCount count) {
        Map<String, Integer> counted = new HashMap<>();
        count.boilerplate().orElseThrow().forEach(counted::put);
        return counted;
    }

    private static Map<String, Integer> common(
            String spec, List<String> texts, List<Set<Integer>> clusters, double share) {
        Map<String, Integer> held = new TreeMap<>();
        for (Set<Integer> cluster : clusters) {
            Set<String> shingles = new HashSet<>();
            cluster.forEach(document -> shingles.addAll(distinct(spec, texts.get(document))));
            shingles.forEach(shingle -> held.merge(shingle, 1, Integer::sum));
        }
        held.values().removeIf(count -> count <= share * clusters.size() || count < 20);
        return held;
    }

    private static List<Set<Integer>> clusters(String spec, List<String> texts) {
        List<Set<Integer>> clusters = new ArrayList<>();
        for (int document = 0; document < texts.size(); document++) {
            Set<Integer> joined = new HashSet<>(Set.of(document));
            String own = texts.get(document);
            List<Set<Integer>> near = clusters.stream()
                    .filter(cluster -> cluster.stream()
                            .anyMatch(other -> NaiveShingles.jaccard(spec, own, texts.get(other)) >= 0.7))
                    .toList();
            near.forEach(joined::addAll);
            clusters.removeAll(near);
            clusters.add(joined);
        }
        return clusters;
    }

    private static Set<String> distinct(String spec, String text) {
        String between = spec.startsWith("char") ? "" : " ";
        return NaiveShingles.of(spec, text).stream()
                .map(units -> String.join(between, units))
                .collect(Collectors.toSet());
    }

    // ---- what is drawn of each source to be counted in

    @Test
    void shouldDrawFromTheWholeOfASource() {
        Drawing samples = samples(Long.MAX_VALUE);

        IntStream.range(0, 5_000).forEach(i -> samples.pass(document("north", String.valueOf(i))));
        samples.pass(document("", "of no source"));

        assertThat(samples.textsOfSources()).hasSize(1);
        assertThat(samples.notDrawn).isZero();
        List<String> drawn = new ArrayList<>(samples.textsOfSources())
                .get(0).stream().map(ComparedText::text).toList();
        assertThat(drawn).hasSize(Drawing.SOURCE_TEXTS_MAX).doesNotHaveDuplicates();
        assertThat(drawn.stream().mapToInt(Integer::parseInt).average().orElseThrow())
                .isBetween(2_000.0, 3_000.0);
    }

    @Test
    void shouldDrawFromTheFirstSources() {
        Drawing samples = samples(Long.MAX_VALUE);

        IntStream.range(0, Drawing.SOURCES_MAX + 7).forEach(i -> samples.pass(document("s" + i, "text")));

        assertThat(samples.textsOfSources()).hasSize(Drawing.SOURCES_MAX);
        assertThat(samples.notDrawn).isEqualTo(7);
    }

    /** Texts grow, so that those drawn later would take more room than those that they replace. */
    @Test
    void shouldHoldNoMoreTextThanItMay() {
        Drawing samples = samples(10_000);

        IntStream.range(0, 5_000).forEach(i -> samples.pass(document("north", "x".repeat(1 + i / 10))));

        long held = samples.textsOfSources().stream()
                .flatMap(List::stream)
                .mapToLong(ComparedText::heldBytes)
                .sum();
        assertThat(held).isBetween(9_000L, 10_700L);
        assertThat(samples.notDrawn).isPositive();
    }

    private static Drawing samples(long bytesMax) {
        return new Drawing(CHARACTERS, bytesMax);
    }

    private static Document document(String source, String text) {
        return new Document("id", RawText.of(text), source);
    }

    // ---- the reservoir of a source

    private static final int SEEDS = 2_000;

    @Test
    void shouldDrawTheSameFromTheSameSeedInTheOrderInWhichTheyPass() {
        List<Integer> drawn = drawn(20, 7, 20, 5);

        assertThat(drawn).hasSize(7).isSorted().doesNotHaveDuplicates();
        assertThat(drawn(20, 7, 20, 5)).isEqualTo(drawn);
        assertThat(drawn(20, 7, 20, 6)).isNotEqualTo(drawn);
    }

    @Test
    void shouldDrawEachWithTheSameChance() {
        assertThat(counts(5, 20)).allSatisfy(count -> assertThat(count).isBetween(500 - margin(), 500 + margin()));
        assertThat(counts(20, 5)).as("where the size is the bound").allSatisfy(count -> assertThat(count)
                .isBetween(500 - margin(), 500 + margin()));
    }

    @Test
    void shouldHoldNoMoreThanTheSizeAllows() {
        Reservoir<Integer> reservoir = new Reservoir<>(100, 1_000, size -> size);
        for (int size = 1; size <= 500; size++) {
            int passing = size;
            reservoir.offer(Reservoir.randomRank(passing, 1), () -> passing);
            assertThat(reservoir.size())
                    .isLessThanOrEqualTo(1_000)
                    .isEqualTo(reservoir.drawn().stream()
                            .mapToInt(Integer::intValue)
                            .sum());
        }
        assertThat(reservoir.drawn()).hasSizeBetween(2, 20);
    }

    @Test
    void shouldHoldOneHoweverLarge() {
        Reservoir<Integer> reservoir = new Reservoir<>(100, 10, size -> size);

        IntStream.range(0, 5).forEach(i -> reservoir.offer(i, () -> 11));

        assertThat(reservoir.drawn()).containsExactly(11);
        assertThat(reservoir.seen()).isEqualTo(5);
    }

    /** How often each of 20 was drawn, the chance of which is 5 / 20. */
    private static List<Integer> counts(int countMax, long sizeMax) {
        int[] counts = new int[20];
        for (int seed = 0; seed < SEEDS; seed++) {
            drawn(20, countMax, sizeMax, seed).forEach(number -> counts[number]++);
        }
        return Arrays.stream(counts).boxed().toList();
    }

    /** 4.5 standard deviations of a binomial. */
    private static int margin() {
        return (int) (4.5 * Math.sqrt(SEEDS * 0.25 * 0.75));
    }

    private static List<Integer> drawn(int passing, int countMax, long sizeMax, long seed) {
        Reservoir<Integer> reservoir = new Reservoir<>(countMax, sizeMax, one -> 1);
        SplittableRandom random = new SplittableRandom(seed);
        IntStream.range(0, passing).forEach(number -> reservoir.offer(random.nextLong() >>> 1, () -> number));
        return reservoir.drawn();
    }
}
