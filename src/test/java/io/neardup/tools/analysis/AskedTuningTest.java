package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.record.Document;
import io.neardup.tools.analysis.AskedTuning.Proposal;
import io.neardup.tools.analysis.Choices.Choice;
import io.neardup.tools.analysis.Evaluation.Score;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

class AskedTuningTest {
    private static final NeardupConfig CONFIG = NeardupConfig.of(new Settings());
    private static final TuningTargets TARGETS = TuningTargets.of(new Settings(), CONFIG);
    private static final int TEXTS = 50;
    private static final Path RECORDS = Path.of("../shared/data/dblp_acm.jsonl.gz");
    private static final Path PAIRS = Path.of("../shared/data/dblp_acm.pairs.tsv");

    private static final PairPool POOL = pool(planted());

    @Test
    void shouldFindWhatAPersonCallsTheSame() throws IOException {
        AskedTuning tuning = answered(POOL, 40, AskedTuningTest::isSame, Set.of(), 1);

        Proposal proposal = tuning.proposal(TextLines.tune(List.of("too few", "to tell")));

        assertThat(f1(POOL, proposal, AskedTuningTest::isSame)).isGreaterThan(0.95);
        assertThat(proposal.best().f1()).isBetween(proposal.f1Low() - 0.1, 1.0);
        assertThat(proposal.byShingle()).hasSize(Tuning.SHINGLES.size()).contains(proposal.best());
    }

    /** By single words a copy shares 4 of 6 and a look-alike 3 of 7: a threshold of .67 would miss all copies. */
    @Test
    void shouldProposeAThresholdThatHoldsTheCopiesThatItCounts() {
        SplittableRandom random = new SplittableRandom(4);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < TEXTS; i++) {
            String shared = TextLines.words(3, 1_000_000, random);
            String text = shared + " " + TextLines.words(1, 1_000_000, random);
            texts.add(text);
            texts.add(text + " " + TextLines.words(2, 1_000_000, random));
            texts.add(shared + " " + TextLines.words(3, 1_000_000, random));
        }
        PairPool pool = pool(TextLines.documents(texts));
        double[] chances = IntStream.range(0, pool.size())
                .mapToDouble(pair -> isCopy(pool, pair) ? 0.95 : 0.03)
                .toArray();
        Choices choices = new Choices(pool);

        List<Choice> byShingle = choices.byShingle(chances);

        assertThat(byShingle)
                .allSatisfy(choice -> assertThat(choice.f1()).isCloseTo(choices.f1(choice, chances), within(1e-9)));
        assertThat(byShingle.get(pool.shingles().indexOf("word:1")).threshold()).isBetween(0.43, 2 / 3.0);
    }

    @Test
    void shouldNotBeMovedFarByAWrongAnswer() throws IOException {
        for (int wrong = 5; wrong < 40; wrong += 30) {
            Proposal proposal = answered(POOL, 40, AskedTuningTest::isSame, Set.of(wrong), 1)
                    .proposal(TextLines.tune(List.of("too few", "to tell")));

            assertThat(f1(POOL, proposal, AskedTuningTest::isSame))
                    .as("answer %d", wrong)
                    .isGreaterThan(0.9);
        }
    }

    @Test
    void shouldAskNoPairTwiceAndTheSameAfterTheSameAnswers() {
        AskedTuning one = new AskedTuning(POOL);
        AskedTuning other = new AskedTuning(POOL);
        List<Integer> asked = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            int pair = one.next().orElseThrow();
            assertThat(other.next()).hasValue(pair);
            asked.add(pair);
            Answer answer = i % 9 == 0 ? Answer.UNCLEAR : isSame(pair) ? Answer.SAME : Answer.OTHER;
            one.take(pair, answer);
            other.take(pair, answer);
        }

        assertThat(asked).doesNotHaveDuplicates();
        assertThat(one.asked()).isEqualTo(30);
        assertThat(one.judged(Answer.SAME) + one.judged(Answer.OTHER)).isEqualTo(26);
    }

    @Test
    void shouldAskFirstWhatIsOpenAndFillARound() {
        AskedTuning tuning = new AskedTuning(POOL);

        List<Integer> round = tuning.round(40);
        round.forEach(pair -> tuning.take(pair, Answer.OPEN));

        assertThat(round).hasSize(AskedTuning.ROUND).doesNotHaveDuplicates();
        assertThat(tuning.next()).hasValue(round.get(0));
        assertThat(tuning.round(40)).isEmpty();
        tuning.take(round.get(0), Answer.SAME);
        assertThat(tuning.next()).hasValue(round.get(1));
        assertThat(tuning.round(40)).hasSize(1).doesNotContainAnyElementsOf(round);
        assertThat(tuning.round(5)).isEmpty();
    }

    @Test
    void shouldNeedAnswersOfBothKinds() {
        AskedTuning tuning = new AskedTuning(POOL);
        for (int pair = 0; pair < 10; pair++) {
            tuning.take(pair, Answer.SAME);
        }
        assertThat(tuning.isEnough()).isFalse();

        tuning.take(10, Answer.OTHER);

        assertThat(tuning.isEnough()).isTrue();
    }

    @Test
    void shouldHaveNoQuestionWhereNothingIsAlike() {
        PairPool none = pool(TextLines.documents(List.of("entirely", "something")));

        assertThat(none.size()).isZero();
        assertThat(new AskedTuning(none).next()).isEmpty();
        assertThat(new AskedTuning(none).round(40)).isEmpty();
    }

    @Test
    @EnabledIfSystemProperty(named = "thorough", matches = "true")
    void shouldComeNearTheBestOfRecordsWithFortyAnswers() throws IOException {
        assumeTrue(Files.exists(RECORDS) && Files.exists(PAIRS), "needs " + RECORDS + " and " + PAIRS);
        List<Document> documents;
        List<String> files = List.of(RECORDS.toString());
        try (DocumentLines lines = new DocumentLines(files, InputStream.nullInputStream(), CONFIG)) {
            documents = DocumentSample.first(10_000, 1 << 27, lines, text -> {}).documents();
        }
        Labels labels = Labels.read(PAIRS, documents);
        PairPool pool = pool(documents);
        IntPredicate isSame = pair -> labels.areDuplicates(pool.first(pair), pool.second(pair));

        for (int seed = 1; seed <= 2; seed++) {
            Proposal proposal =
                    answered(pool, 40, isSame, Set.of(), seed).proposal(TextLines.tune(List.of("too few", "to tell")));

            // Of any shingle and threshold 0.883 is the best.
            assertThat(f1(pool, proposal, isSame)).as("seed %d", seed).isGreaterThan(0.86);
        }
    }

    private static AskedTuning answered(
            PairPool pool, int questions, IntPredicate isSame, Set<Integer> wrong, long seed) {
        AskedTuning tuning = new AskedTuning(pool, 1_000 * seed);
        for (int i = 0; i < questions; i++) {
            int pair = tuning.next().orElseThrow();
            tuning.take(pair, isSame.test(pair) != wrong.contains(i) ? Answer.SAME : Answer.OTHER);
        }
        return tuning;
    }

    private static double f1(PairPool pool, Proposal proposal, IntPredicate isSame) {
        int shingle = pool.shingles().indexOf(proposal.best().shingle());
        long predicted = 0;
        long correct = 0;
        long actual = 0;
        for (int pair = 0; pair < pool.size(); pair++) {
            boolean isPredicted =
                    pool.similarity(shingle, pair) >= proposal.best().threshold();
            predicted += isPredicted ? 1 : 0;
            actual += isSame.test(pair) ? 1 : 0;
            correct += isPredicted && isSame.test(pair) ? 1 : 0;
        }
        assertThat(predicted).isEqualTo(proposal.pairs());
        return new Score(predicted, correct, actual).f1();
    }

    /** Texts, each with an edited copy, which is the same to a person, and a look-alike, which is another. */
    private static List<Document> planted() {
        SplittableRandom random = new SplittableRandom(3);
        List<String> texts = new ArrayList<>();
        for (String text : TextLines.generated(TEXTS, 1)) {
            texts.add(text);
            texts.add(TextLines.edited(text, random.nextDouble(0.04, 0.25), random));
            texts.add(TextLines.edited(text, random.nextDouble(0.4, 0.7), random));
        }
        return TextLines.documents(texts);
    }

    private static boolean isSame(int pair) {
        return isCopy(POOL, pair);
    }

    /** Where three documents follow each other: one, its copy, and a look-alike. */
    private static boolean isCopy(PairPool pool, int pair) {
        return pool.first(pair) / 3 == pool.second(pair) / 3 && pool.second(pair) % 3 == 1;
    }

    private static PairPool pool(List<Document> documents) {
        return new PairPool(documents, TARGETS, text -> {});
    }
}
