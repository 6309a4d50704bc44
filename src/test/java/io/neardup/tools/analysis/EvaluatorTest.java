package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.record.Document;
import io.neardup.record.RawText;
import io.neardup.tools.analysis.Evaluation.Bin;
import io.neardup.tools.analysis.Evaluation.Estimate;
import io.neardup.tools.analysis.Evaluation.Score;
import io.neardup.tools.analysis.PairSample.Limits;
import io.neardup.tools.analysis.ShingleScores.AtThreshold;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EvaluatorTest {
    @TempDir
    private Path folder;

    /** Of two texts of words: 3 of 4, 7 of 10 and 1 of 2. */
    @Test
    void shouldCountAPairThatIsJustAtABorder() {
        List<Document> documents =
                TextLines.documents(List.of("a b c", "a b c d", "k l m n o p q", "k l m n o p q r s t", "y", "y z"));
        NeardupConfig config = NeardupConfig.of(new Settings().pairs(List.of("neardup.shingle=word:1")));

        Evaluation evaluation = new Evaluator(documents, config, 0.5, null, text -> {}).evaluate();

        assertThat(evaluation.bins().stream().filter(bin -> bin.pairs() > 0).map(Bin::from))
                .containsExactly(0.5, 0.7, 0.75);
        assertThat(evaluation.similar()).isEqualTo(2);
    }

    /** With a family so large that only some of its pairs are compared. */
    @Test
    void shouldGiveAnIntervalAroundWhatAFullComparisonFinds() {
        List<String> texts = new ArrayList<>(TextLines.generated(100, 1));
        String story = texts.get(0);
        IntStream.range(0, 60).forEach(i -> texts.add(story.substring(3 * i) + " and the end of number " + i));
        IntStream.range(0, 200).forEach(i -> texts.add(texts.get(1) + " " + i + " more " + i * i));
        List<Document> documents = TextLines.documents(texts);
        NeardupConfig config = NeardupConfig.of(new Settings().pairs(List.of("neardup.banding=10x9")));

        Limits few = new Limits(Integer.MAX_VALUE, Long.MAX_VALUE, 1_000, false, 1 << 30);

        Evaluation exact = new Evaluator(documents, config, 0.3, null, text -> {}).evaluate();
        Evaluation sampled = new Evaluator(documents, config, 0.3, null, 100, few, text -> {}).evaluate();

        Estimate estimate = Objects.requireNonNull(sampled.estimate());
        assertThat(exact.estimate()).isNull();
        assertThat(estimate.pairs()).isLessThan(20_000);
        assertThat(exact.recall()).isBetween(estimate.recallLow(), estimate.recallHigh());
        assertThat(estimate.recallHigh() - estimate.recallLow()).isLessThan(0.02);
        assertThat(exact.similar()).isBetween(estimate.similarLow(), estimate.similarHigh());
        assertThat(sampled.candidates()).isEqualTo(exact.candidates());
    }

    /** Most of what is drawn stands for few others and is never missed: it tells nothing about the rest. */
    @ParameterizedTest
    @CsvSource({"0.01, 0", "0.025, 0", "0.01, 0.0001", "0.01, 0.001"})
    void shouldHoldMostOftenHowManyAreMissedWhereTheyStandForMany(double chance, double ofOthers) {
        SplittableRandom random = new SplittableRandom(1);
        double[] others = new double[20_200];
        Arrays.fill(others, 6);
        Arrays.fill(others, 0, 200, 200);
        int held = 0;
        for (int draw = 0; draw < 500; draw++) {
            BitSet missed = new BitSet();
            for (int pair = 0; pair < others.length; pair++) {
                missed.set(pair, random.nextDouble() < (pair < 200 ? chance : ofOthers));
            }
            double[] interval = Evaluator.unseenMissed(others, missed);
            double expected = 200 * 200 * chance + 6 * 20_000 * ofOthers;
            held += interval[0] <= expected && expected <= interval[1] ? 1 : 0;
        }

        assertThat(held).isGreaterThan(450);
    }

    // ---- labels

    private static final List<Document> LABELLED = Stream.of("a", "b", "c", "b")
            .map(id -> new Document(id, RawText.of("text"), ""))
            .toList();

    /** Behind a byte order mark; of two documents of one id the first is meant, and of the second nothing is known. */
    @Test
    void shouldTakeAPairOnceAndInEitherOrder() throws IOException {
        Labels labels = read("\uFEFFb\ta\na,b\n");

        assertThat(labels.pairs()).isOne();
        assertThat(labels.unknown()).isZero();
        assertThat(labels.areDuplicates(0, 1)).isTrue();
        assertThat(labels.areDuplicates(1, 2)).isFalse();
        assertThat(labels.isJudged(1, 2)).isTrue();
        assertThat(labels.isJudged(0, 3)).isFalse();
        assertThat(labels.isJudged(1, 3)).isFalse();
        assertThat(read("b,c").areDuplicates(1, 2)).isTrue();
    }

    @Test
    void shouldTakeTheLastAnswerOnAPairAndNoneForOpen() throws IOException {
        Labels answers = read("a\tb\tsame\r\nb\ta\tOther\r\na\tb\t?\r\na\tc\t\r\na\tc\ts\r\n");

        assertThat(answers.others()).isOne();
        assertThat(answers.pairs()).isOne();
        assertThat(answers.open()).isZero();
    }

    @Test
    void shouldCountWhatIsNoPairAndNameAFewOfTheDocumentsThatAreNotThere() throws IOException {
        Labels labels = read("a,b\nc,c\na,v\nw,x\ny,z\n");

        assertThat(labels.pairs()).isOne();
        assertThat(labels.unknown()).isEqualTo(4);
        assertThat(labels.unknownIds()).containsExactly("v", "w", "x");
    }

    private Labels read(String text) throws IOException {
        return Labels.read(Files.writeString(folder.resolve("labels"), text), LABELLED);
    }

    // ---- by threshold

    @Test
    void shouldCountAPairFromItsOwnSimilarityOn() throws IOException {
        List<Document> documents = TextLines.documents(List.of("a", "b", "c"));
        Labels labels = Labels.read(Files.writeString(folder.resolve("labels"), "d0,d1\n"), documents);
        for (int step = 1; step <= 1_000; step++) {
            double similarity = step / 1_000.0;
            ShingleScores.Sweep sweep = new ShingleScores.Sweep(labels, similarity);
            sweep.add(0, 1, similarity);
            sweep.add(0, 2, similarity - 1e-7);

            ShingleScores scores = sweep.scores("char:9", Math.min(0.999, similarity));

            assertThat(scores.best()).isEqualTo(new AtThreshold(similarity, new Score(1, 1, 1)));
            assertThat(scores.settings()).isEqualTo(scores.best());
        }
    }

    // ---- which pairs are candidates

    @Test
    void shouldFindInAFullBucketOnlyWhatItTook() {
        List<List<Integer>> found = new ArrayList<>();

        CandidatePairs candidates = new CandidatePairs(
                Collections.nCopies(4, BandKeys.owning(new long[] {1})),
                2,
                (first, second) -> found.add(List.of(first, second)));

        assertThat(found)
                .containsExactlyInAnyOrder(List.of(0, 1), List.of(0, 2), List.of(1, 2), List.of(0, 3), List.of(1, 3))
                .allMatch(pair -> candidates.contain(pair.get(0), pair.get(1)));
        assertThat(candidates.contain(2, 3)).isFalse();
        assertThat(candidates.bucketsFull()).isEqualTo(2);
    }
}
