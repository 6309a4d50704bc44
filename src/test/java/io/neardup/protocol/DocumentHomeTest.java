package io.neardup.protocol;

import static io.neardup.protocol.HomeBench.HOME;
import static io.neardup.protocol.HomeBench.duplicate;
import static io.neardup.protocol.HomeBench.unique;
import static io.neardup.protocol.HomeBench.unjudged;
import static io.neardup.protocol.HomeBench.verdictSent;
import static io.neardup.protocol.HomeBench.verifySent;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.protocol.HomeBench.Sent;
import io.neardup.protocol.Message.Candidates;
import io.neardup.protocol.Message.Started;
import io.neardup.protocol.Message.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The rules of a home, one by one; {@code io.neardup.simulation} checks what they promise together. */
class DocumentHomeTest {
    private static final Ref REMOTE = new Ref(0, 5);
    private static final Ref OTHER_REMOTE = new Ref(2, 6);
    private static final long LONG_AGO = 1;
    private static final long LATER = Long.MAX_VALUE;

    private final HomeBench bench = new HomeBench();

    private static List<Ref> refs(int... sequences) {
        return IntStream.of(sequences)
                .mapToObj(sequence -> new Ref(REMOTE.home(), sequence))
                .toList();
    }

    @Nested
    class Asking {
        @Test
        void shouldAskEachBandPartitionForItsShareOfTheBuckets() {
            bench.arriveUnseen("a");

            assertThat(bench.sent()).isEqualTo(bench.lookups(new Ref(HOME, 0)));
        }

        @Test
        void shouldAskTheHomesOfTheCandidatesOnceAllBandsHaveAnswered() {
            Ref a = bench.arrive("a");

            bench.answer(a, 0, List.of(REMOTE, OTHER_REMOTE));
            assertThat(bench.sent()).isEmpty();
            bench.answer(a, 1, List.of(new Ref(0, 9), OTHER_REMOTE));

            assertThat(bench.sent())
                    .containsExactly(
                            verifySent(a, bench.nowMillis(), "a", REMOTE, new Ref(0, 9)),
                            verifySent(a, bench.nowMillis(), "a", OTHER_REMOTE));
        }

        @Test
        void shouldAskTheFirstOfEachBandPartitionThenTheSecondOfEachAndCountTheRest() {
            Ref a = bench.arrive("a");

            bench.answer(a, 0, refs(1, 2, 3, 4, 5, 6));
            bench.answer(a, 1, refs(7, 1, 8, 9));

            assertThat(bench.sent())
                    .containsExactly(verifySent(
                            a,
                            bench.nowMillis(),
                            "a",
                            refs(1, 7, 2, 3, 8, 4, 9, 5).toArray(Ref[]::new)));
            assertThat(bench.role().candidatesDropped()).isOne();
        }

        @Test
        void shouldAskAgainAndThenAtTwiceTheInterval() {
            bench.arrive("a");

            for (int factor : new int[] {1, 2, 2, 2}) {
                bench.pass(10_000 * factor - 1);
                assertThat(bench.sent()).describedAs("before %d0 s", factor).isEmpty();
                bench.pass(1);
                assertThat(bench.sent()).describedAs("after %d0 s", factor).isEqualTo(bench.lookups(new Ref(HOME, 0)));
            }
        }

        @Test
        void shouldAskAgainOnlyTheBandsThatHaveNotAnswered() {
            Ref a = bench.arrive("a");
            bench.answer(a, 0, List.of());

            bench.pass(10_000);

            assertThat(bench.sent()).containsExactly(bench.lookups(a).get(1));
        }

        @Test
        void shouldAskAgainOnlyTheCandidatesThatHaveNotAnswered() {
            Ref a = bench.arrive("a");
            long arrivalMillis = bench.nowMillis();
            bench.answerAll(a, REMOTE, OTHER_REMOTE);
            bench.sent();
            bench.judge(a, REMOTE, 0.3, null);

            bench.pass(10_000);

            assertThat(bench.sent()).containsExactly(verifySent(a, arrivalMillis, "a", OTHER_REMOTE));
        }

        @Test
        void shouldAskAgainTheOldestFirstAndNoMoreThanTheRulesAllow() {
            bench.withAskAgainMax(2);
            Ref a = bench.arrive("a");
            Ref b = bench.arrive("b");
            Ref c = bench.arrive("c");

            bench.pass(10_000);
            assertThat(bench.sent()).containsExactly(lookups(a, b));
            bench.pass(0);
            assertThat(bench.sent()).containsExactly(lookups(c));
            bench.pass(0);
            assertThat(bench.sent()).isEmpty();
        }

        private HomeBench.Sent[] lookups(Ref... documents) {
            return List.of(documents).stream()
                    .flatMap(document -> bench.lookups(document).stream())
                    .toArray(HomeBench.Sent[]::new);
        }

        @Test
        void shouldNeverStampADocumentAsOlderThanTheOneBefore() {
            bench.arrive("a");
            long first = bench.nowMillis();
            bench.putBack(5_000);
            Ref b = bench.arrive("b");

            bench.answerAll(b, REMOTE);

            assertThat(bench.sent()).containsExactly(verifySent(b, first, "b", REMOTE));
        }
    }

    @Nested
    class Deciding {
        @Test
        void shouldBeUniqueWhereNoBandHasACandidate() {
            Ref a = bench.arrive("a");

            bench.answerAll(a);

            assertThat(bench.released()).containsExactly(unique("a"));
            assertThat(bench.sent()).isEmpty();
            assertThat(bench.state().original(a))
                    .contains(new Original("a", new Origin(null, 0), HomeBench.KEYS, HomeBench.evidence("a")));
            assertThat(bench.role().held()).isZero();
        }

        @Test
        void shouldWaitForAllBands() {
            Ref a = bench.arrive("a");

            bench.answer(a, 0, List.of());
            assertThat(bench.released()).isEmpty();
            bench.answer(a, 1, List.of());

            assertThat(bench.released()).containsExactly(unique("a"));
        }

        @Test
        void shouldBeADuplicateOfTheMostSimilarOriginal() {
            Ref a = bench.arrive("a");
            bench.answerAll(a, REMOTE, OTHER_REMOTE);

            bench.judge(a, REMOTE, 0.8, "r");
            assertThat(bench.released()).isEmpty();
            bench.judge(a, OTHER_REMOTE, 0.9, "o");

            assertThat(bench.released()).containsExactly(duplicate("a", OTHER_REMOTE, "o", 0.9));
        }

        @Test
        void shouldBeADuplicateOfTheFirstOfEquallySimilarOnes() {
            Ref a = bench.arrive("a");
            bench.answerAll(a, REMOTE, OTHER_REMOTE);

            bench.judge(a, OTHER_REMOTE, 0.8, "o");
            bench.judge(a, REMOTE, 0.8, "r");

            assertThat(bench.released()).containsExactly(duplicate("a", REMOTE, "r", 0.8));
        }

        @Test
        void shouldMatchAtTheThresholdAndNotBelow() {
            Ref a = bench.arrive("a");
            Ref b = bench.arrive("b");
            bench.answerAll(a, REMOTE);
            bench.answerAll(b, REMOTE);

            bench.judge(a, REMOTE, Math.nextDown(0.7), "r");
            bench.judge(b, REMOTE, 0.7, "r");

            assertThat(bench.released()).containsExactly(unique("a"), duplicate("b", REMOTE, "r", 0.7));
        }

        @Test
        void shouldNotMatchWhatIsNoOriginal() {
            Ref a = bench.arrive("a");
            bench.answerAll(a, REMOTE);

            bench.judge(a, REMOTE, 0.95, null);

            assertThat(bench.released()).containsExactly(unique("a"));
        }

        @Test
        void shouldTakeADuplicateOutOfItsBuckets() {
            Ref a = bench.arrive("a");
            bench.answerAll(a, REMOTE);
            bench.sent();

            bench.judge(a, REMOTE, 0.8, "r");

            assertThat(bench.sent()).isEqualTo(bench.removes(a));
            assertThat(bench.state().original(a)).isEmpty();
            assertThat(bench.role().held()).isZero();
        }

        @Test
        void shouldJudgeByItsOwnOriginalsAtOnce() {
            Ref a = bench.original("a");
            bench.similar("a", "b", 0.8);
            Ref b = bench.arrive("b");

            bench.answerAll(b, a);

            assertThat(bench.released()).containsExactly(duplicate("b", a, "a", 0.8));
        }

        @Test
        void shouldNeverBeADuplicateOfADuplicate() {
            Ref a = bench.original("a");
            bench.similar("a", "b", 0.8);
            bench.similar("b", "c", 0.8);
            Ref b = bench.arrive("b");
            Ref c = bench.arrive("c");

            bench.answerAll(c, a, b);
            assertThat(bench.released()).isEmpty();
            bench.answerAll(b, a);

            assertThat(bench.released()).containsExactly(duplicate("b", a, "a", 0.8), unique("c"));
        }
    }

    /** Where about as many share buckets as may be asked, or more: as with many copies in flight. */
    @Nested
    class Crowded {
        private final Ref copy = new Ref(0, 1);

        @Test
        void shouldAskWhomACandidateYieldedToWhereOthersWereLeftOut() {
            Ref a = bench.arrive("a");
            bench.answer(a, 0, new Found(List.of(copy), 1));
            bench.answer(a, 1, List.of());
            bench.sent();

            bench.receive(new Verdict(a, copy, HomeBench.seen(0.9), null, OTHER_REMOTE));
            assertThat(bench.sent()).containsExactly(verifySent(a, bench.nowMillis(), "a", OTHER_REMOTE));
            assertThat(bench.released()).isEmpty();
            bench.judge(a, OTHER_REMOTE, 0.8, "o");

            assertThat(bench.released()).containsExactly(duplicate("a", OTHER_REMOTE, "o", 0.8));
        }

        @Test
        void shouldAskWhomACandidateYieldedToWhereItAsksAQuarterOfWhatItMay() {
            Ref a = bench.arrive("a");
            bench.answerAll(a, copy, new Ref(0, 2));
            bench.sent();

            bench.receive(new Verdict(a, copy, HomeBench.seen(0.9), null, OTHER_REMOTE));

            assertThat(bench.sent()).containsExactly(verifySent(a, bench.nowMillis(), "a", OTHER_REMOTE));
        }

        @Test
        void shouldAskOnlyWhoSharesABucketWhereThereAreFew() {
            Ref a = bench.arrive("a");
            bench.answerAll(a, copy);
            bench.sent();

            bench.receive(new Verdict(a, copy, HomeBench.seen(0.9), null, OTHER_REMOTE));

            assertThat(bench.sent()).isEmpty();
            assertThat(bench.released()).containsExactly(unique("a"));
        }

        @Test
        void shouldAskNobodyTwice() {
            Ref a = bench.arrive("a");
            bench.answer(a, 0, new Found(List.of(copy, OTHER_REMOTE), 1));
            bench.answer(a, 1, List.of());
            bench.sent();

            bench.receive(new Verdict(a, copy, HomeBench.seen(0.9), null, OTHER_REMOTE));

            assertThat(bench.sent()).isEmpty();
        }

        @Test
        void shouldTellWhoAsksOfTheOldestItYieldedTo() {
            Ref older = new Ref(0, 1);
            Ref oldest = new Ref(0, 2);
            Ref last = new Ref(0, 3);
            List.of("r", "o", "p").forEach(other -> bench.similar("a", other, 0.8));
            Ref a = bench.arrive("a");

            bench.verify(older, LONG_AGO + 1, "r", a);
            bench.verify(oldest, LONG_AGO, "o", a);
            bench.verify(last, LONG_AGO + 2, "p", a);

            assertThat(bench.sent())
                    .containsExactly(
                            verdictSent(older, a, 0.8, null),
                            verdictSent(oldest, a, 0.8, null, older),
                            verdictSent(last, a, 0.8, null, oldest));
        }
    }

    @Nested
    class Answering {
        @Test
        void shouldTellHowSimilarAnOriginalIs() {
            Ref a = bench.original("a");
            bench.similar("a", "r", 0.8);

            bench.verify(REMOTE, LATER, "r", a);

            assertThat(bench.sent()).containsExactly(verdictSent(REMOTE, a, 0.8, "a"));
        }

        @Test
        void shouldAnswerNoMatchForADuplicate() {
            bench.similar("a", "r", 0.8);
            Ref a = bench.arrive("a");
            bench.answerAll(a, OTHER_REMOTE);
            bench.judge(a, OTHER_REMOTE, 0.9, "o");
            bench.sent();

            bench.verify(REMOTE, LATER, "r", a);

            assertThat(bench.sent()).containsExactly(verdictSent(REMOTE, a, 0, null, OTHER_REMOTE));
        }

        @Test
        void shouldAnswerNoMatchForWhatItDoesNotKnow() {
            bench.verify(REMOTE, LATER, "r", new Ref(HOME, 77));

            assertThat(bench.sent()).containsExactly(verdictSent(REMOTE, new Ref(HOME, 77), 0, null));
        }

        @Test
        void shouldAnswerAtOnceForAPendingOneBelowTheThreshold() {
            bench.similar("a", "r", 0.6);
            Ref a = bench.arrive("a");

            bench.verify(REMOTE, LATER, "r", a);

            assertThat(bench.sent()).containsExactly(verdictSent(REMOTE, a, 0.6, null));
        }

        @Test
        void shouldMakeAYoungerWaitForAPendingOneThatBecomesUnique() {
            bench.similar("a", "r", 0.8);
            Ref a = bench.arrive("a");

            bench.verify(REMOTE, bench.nowMillis() + 1, "r", a);
            assertThat(bench.sent()).isEmpty();
            bench.answerAll(a);

            assertThat(bench.sent()).containsExactly(verdictSent(REMOTE, a, 0.8, "a"));
        }

        @Test
        void shouldMakeAYoungerWaitForAPendingOneThatBecomesADuplicate() {
            bench.similar("a", "r", 0.8);
            Ref a = bench.arrive("a");
            bench.verify(REMOTE, LATER, "r", a);
            bench.answerAll(a, OTHER_REMOTE);
            bench.sent();

            bench.judge(a, OTHER_REMOTE, 0.9, "o");

            assertThat(bench.sent())
                    .endsWith(verdictSent(REMOTE, a, 0.8, null, OTHER_REMOTE))
                    .hasSize(1 + bench.removes(a).size());
        }

        @Test
        void shouldTellTheAgeOfDocumentsOfOneMillisecondByTheirRefs() {
            bench.similar("a", "r", 0.8);
            bench.similar("a", "o", 0.8);
            Ref a = bench.arrive("a");

            bench.verify(OTHER_REMOTE, bench.nowMillis(), "o", a);
            assertThat(bench.sent()).describedAs("the greater ref waits").isEmpty();
            bench.verify(REMOTE, bench.nowMillis(), "r", a);
            assertThat(bench.sent())
                    .describedAs("the smaller ref does not")
                    .containsExactly(verdictSent(REMOTE, a, 0.8, null));
        }

        @Test
        void shouldAnswerAWaitingOneOnceHoweverOftenItAsked() {
            bench.similar("a", "r", 0.8);
            Ref a = bench.arrive("a");
            bench.verify(REMOTE, LATER, "r", a);
            bench.verify(REMOTE, LATER, "r", a);

            bench.answerAll(a);

            assertThat(bench.sent()).containsExactly(verdictSent(REMOTE, a, 0.8, "a"));
        }

        @Test
        void shouldYieldToAnOlderOneAndAskItInTurn() {
            bench.similar("a", "r", 0.8);
            Ref a = bench.arrive("a");
            bench.answerAll(a, OTHER_REMOTE);
            bench.sent();

            bench.verify(REMOTE, LONG_AGO, "r", a);
            assertThat(bench.sent())
                    .containsExactly(verdictSent(REMOTE, a, 0.8, null), verifySent(a, bench.nowMillis(), "a", REMOTE));
            bench.judge(a, OTHER_REMOTE, 0, null);
            assertThat(bench.released()).isEmpty();
            bench.judge(a, REMOTE, 0.8, "r");

            assertThat(bench.released()).containsExactly(duplicate("a", REMOTE, "r", 0.8));
        }

        @Test
        void shouldAskTheOlderOneThatItYieldedToOnceAllBandsHaveAnswered() {
            bench.similar("a", "r", 0.8);
            Ref a = bench.arrive("a");

            bench.verify(REMOTE, LONG_AGO, "r", a);
            assertThat(bench.sent()).containsExactly(verdictSent(REMOTE, a, 0.8, null));
            bench.answerAll(a, new Ref(0, 1), new Ref(0, 2), new Ref(0, 3));

            assertThat(bench.sent())
                    .describedAs("on top of three candidates that only share buckets")
                    .containsExactly(
                            verifySent(a, bench.nowMillis(), "a", REMOTE, new Ref(0, 1), new Ref(0, 2), new Ref(0, 3)));
        }

        @Test
        void shouldWaitForAnOlderOneOfItsOwn() {
            bench.similar("a", "b", 0.8);
            Ref a = bench.arrive("a");
            Ref b = bench.arrive("b");

            bench.answerAll(b, a);
            assertThat(bench.released()).isEmpty();
            bench.answerAll(a, b);

            assertThat(bench.released()).containsExactly(unique("a"), duplicate("b", a, "a", 0.8));
        }
    }

    @Nested
    class CountingAnswers {
        @Test
        void shouldIgnoreAnAnswerToAnEarlierAttempt() {
            Ref a = bench.arrive("a");
            bench.restart();

            bench.receive(new Candidates(a, 1, 0, Found.NOBODY));
            bench.receive(new Candidates(a, 1, 1, Found.NOBODY));
            assertThat(bench.released()).isEmpty();
            bench.answerAll(a);

            assertThat(bench.released()).containsExactly(unique("a"));
        }

        @Test
        void shouldCountARepeatedAnswerOfABandOnce() {
            Ref a = bench.arrive("a");

            bench.answer(a, 0, List.of());
            bench.answer(a, 0, List.of(REMOTE));
            assertThat(bench.released()).isEmpty();
            bench.answer(a, 1, List.of());

            assertThat(bench.released()).containsExactly(unique("a"));
        }

        @Test
        void shouldCountTheFirstOfRepeatedVerdicts() {
            Ref a = bench.arrive("a");
            bench.answerAll(a, REMOTE, OTHER_REMOTE);

            bench.judge(a, REMOTE, 0.8, null);
            bench.judge(a, REMOTE, 0.8, "r");
            assertThat(bench.released()).isEmpty();
            bench.judge(a, OTHER_REMOTE, 0, null);

            assertThat(bench.released()).containsExactly(unique("a"));
        }

        @Test
        void shouldIgnoreAVerdictThatWasNotAskedFor() {
            Ref a = bench.arrive("a");

            bench.judge(a, REMOTE, 0.8, "r");
            bench.answerAll(a);

            assertThat(bench.released()).containsExactly(unique("a"));
        }

        @Test
        void shouldIgnoreAnswersThatComeAfterTheDecision() {
            Ref a = bench.original("a");

            bench.answerAll(a, REMOTE);
            bench.judge(a, REMOTE, 0.8, "r");

            assertThat(bench.sent()).isEmpty();
            assertThat(bench.released()).isEmpty();
        }
    }

    @Nested
    class Releasing {
        @Test
        void shouldReleaseInTheOrderOfArrival() {
            Ref a = bench.arrive("a");
            Ref b = bench.arrive("b");
            Ref c = bench.arrive("c");

            bench.answerAll(b);
            bench.answerAll(c);
            assertThat(bench.released()).isEmpty();
            bench.answerAll(a);

            assertThat(bench.namesReleased()).containsExactly("a", "b", "c");
            assertThat(bench.role().held()).isZero();
        }

        @Test
        void shouldNoteThatADuplicateMustWaitUntilItHasLeft() {
            Ref a = bench.arrive("a");
            Ref b = bench.arrive("b");

            bench.answerAll(b, REMOTE);
            bench.judge(b, REMOTE, 0.8, "r");
            assertThat(bench.state().decision(b)).contains(new Decision.Duplicate(REMOTE, "r", HomeBench.seen(0.8)));
            bench.answerAll(a);

            assertThat(bench.state().decisions()).isZero();
        }

        @Test
        void shouldNoteNothingForWhatLeavesAtOnce() {
            Ref a = bench.arrive("a");
            bench.answerAll(a, REMOTE);

            bench.judge(a, REMOTE, 0.8, "r");

            assertThat(bench.state().decisions()).isZero();
        }

        @Test
        void shouldBeThereForOthersWhileItWaitsToBeReleased() {
            bench.similar("b", "c", 0.8);
            bench.arrive("a");
            Ref b = bench.arrive("b");
            bench.answerAll(b);

            bench.verify(REMOTE, LATER, "c", b);

            assertThat(bench.sent()).containsExactly(verdictSent(REMOTE, b, 0.8, "b"));
        }

        @Test
        void shouldKeepThePlaceOfWhatIsNotJudged() {
            Ref a = bench.arrive("a");
            bench.passUnjudged("t");
            Ref b = bench.arrive("b");

            bench.answerAll(b);
            assertThat(bench.released()).isEmpty();
            bench.answerAll(a);

            assertThat(bench.released()).containsExactly(unique("a"), unjudged("t"), unique("b"));
            assertThat(bench.role().held()).isZero();
        }

        @Test
        void shouldReleaseAtOnceWhatIsNotJudgedWhereNothingIsHeld() {
            bench.passUnjudged("t");

            assertThat(bench.released()).containsExactly(unjudged("t"));
            assertThat(bench.sent()).isEmpty();
            assertThat(bench.role().held()).isZero();
        }
    }

    @Nested
    class Restarting {
        @Test
        void shouldBeReadAgainFromTheFirstRecordThatHasNotLeft() {
            assertThat(bench.role().positions()).isEmpty();
            Ref a = bench.arrive("a");
            Ref b = bench.arrive("b");
            bench.passUnjudged("t");
            bench.arrive("c");
            bench.stop();
            assertThat(bench.role().positions()).isEqualTo(Map.of(HomeBench.TOPIC, new InputPosition(0, true)));
            bench.readAgain();

            bench.answerAll(b);
            bench.answerAll(a);

            assertThat(bench.namesReleased()).containsExactly("a", "b", "t");
            bench.stop();
            assertThat(bench.role().positions()).isEqualTo(Map.of(HomeBench.TOPIC, new InputPosition(3, true)));
        }

        @Test
        void shouldTellAllHomesThatWhoWaitedIsForgotten() {
            bench.role().announce(bench);
            assertThat(bench.sent()).describedAs("in its first life").isEmpty();
            bench.stop();

            bench.role().announce(bench);

            assertThat(bench.sent()).containsExactly(new Sent(HomeBench.ALL, new Started(HOME)));
        }

        @Test
        void shouldAskAHomeThatHasStartedAgainForWhatItDidNotAnswer() {
            Ref a = bench.arrive("a");
            Ref judged = new Ref(REMOTE.home(), 77);
            bench.answerAll(a, REMOTE, judged, OTHER_REMOTE);
            bench.judge(a, judged, 0, null);
            bench.sent();

            bench.receive(new Started(REMOTE.home()));

            assertThat(bench.sent()).containsExactly(verifySent(a, bench.nowMillis(), "a", REMOTE));
        }

        @Test
        void shouldAskAHomeThatHasStartedAgainForTheOldestFewAlone() {
            bench.withAskAgainMax(1);
            Ref a = bench.arrive("a");
            Ref b = bench.arrive("b");
            bench.answerAll(a, REMOTE);
            bench.answerAll(b, REMOTE);
            bench.sent();

            bench.receive(new Started(REMOTE.home()));

            assertThat(bench.sent()).containsExactly(verifySent(a, bench.nowMillis(), "a", REMOTE));
        }

        @Test
        void shouldAskForWhatArrivesAgain() {
            Ref a = bench.arrive("a");
            Ref b = bench.arrive("b");

            bench.restart();

            assertThat(bench.sent())
                    .containsExactly(
                            bench.lookups(a).get(0),
                            bench.lookups(a).get(1),
                            bench.lookups(b).get(0),
                            bench.lookups(b).get(1));
        }

        @Test
        void shouldTellOthersToGoOnWhileAYoungerOneIsStillToComeAgain() {
            bench.similar("a", "r", 0.8);
            Ref a = bench.arrive("a");
            bench.stop();

            bench.verify(REMOTE, LONG_AGO, "r", a);

            assertThat(bench.sent()).containsExactly(verdictSent(REMOTE, a, 0, null));
        }

        @Test
        void shouldMakeAYoungerWaitForAnOlderOneToComeAgain() {
            bench.similar("a", "r", 0.8);
            Ref a = bench.arrive("a");
            bench.stop();

            bench.verify(REMOTE, LATER, "r", a);
            bench.verify(REMOTE, LATER, "r", a);
            assertThat(bench.role().awaitsArrivals()).isTrue();
            bench.readAgain();
            assertThat(bench.role().awaitsArrivals()).isFalse();
            assertThat(bench.sent()).isEqualTo(bench.lookups(a));
            bench.answerAll(a);

            assertThat(bench.sent()).containsExactly(verdictSent(REMOTE, a, 0.8, "a"));
        }

        @Test
        void shouldAnswerForOneThatIsPassedOverWhenReadAgain() {
            bench.similar("a", "r", 0.8);
            Ref a = bench.arrive("a");
            bench.stop();
            bench.verify(REMOTE, LATER, "r", a);

            bench.role().pass(new InputOffset(HomeBench.TOPIC, 1), "t", bench.nowMillis(), bench);
            bench.pass(1_000);

            assertThat(bench.sent()).containsExactly(verdictSent(REMOTE, a, 0, null));
            assertThat(bench.role().awaitsArrivals()).isFalse();
        }

        @Test
        void shouldNotWaitForEverForOneThatIsGoneFromTheInput() {
            Ref a = bench.arrive("a");
            bench.stop();
            bench.verify(REMOTE, LATER, "r", a);

            bench.pass(1_000);
            bench.pass(600_000);
            assertThat(bench.sent()).isEmpty();
            bench.pass(1);

            assertThat(bench.sent()).containsExactly(verdictSent(REMOTE, a, 0, null));
        }

        @Test
        void shouldAnswerForAnOriginalThatIsStillToComeAgain() {
            bench.similar("b", "r", 0.8);
            bench.arrive("a");
            Ref b = bench.arrive("b");
            bench.answerAll(b);
            bench.stop();

            bench.verify(REMOTE, LATER, "r", b);

            assertThat(bench.sent()).containsExactly(verdictSent(REMOTE, b, 0.8, "b"));
        }

        @Test
        void shouldAnswerWhoWaitedForOneThatIsNoDocumentAnyMore() {
            Ref a = bench.arrive("a");
            bench.stop();
            bench.verify(REMOTE, LATER, "r", a);

            bench.role().pass(new InputOffset(HomeBench.TOPIC, 0), "a", bench.nowMillis(), bench);

            assertThat(bench.sent()).containsExactly(verdictSent(REMOTE, a, 0, null));
            assertThat(bench.released()).containsExactly(unjudged("a"));
        }

        @Test
        void shouldForgetTheAnswersFromBefore() {
            Ref a = bench.arrive("a");
            bench.answer(a, 0, List.of());

            bench.restart();
            bench.answer(a, 1, List.of());
            assertThat(bench.released()).isEmpty();
            bench.answer(a, 0, List.of());

            assertThat(bench.released()).containsExactly(unique("a"));
        }

        @Test
        void shouldKeepStampAndOrder() {
            long arrivalMillis = bench.nowMillis();
            Ref a = bench.arrive("a");
            Ref b = bench.arrive("b");
            bench.answerAll(b);
            bench.pass(500);

            bench.restart();
            bench.sent();
            bench.answerAll(a, REMOTE);
            assertThat(bench.sent()).containsExactly(verifySent(a, arrivalMillis, "a", REMOTE));
            bench.judge(a, REMOTE, 0, null);

            assertThat(bench.released()).containsExactly(unique("a"), unique("b"));
        }

        /** The records were deleted from the input before they had left, and the home is told to go on without them. */
        @Test
        void shouldForgetOriginalsThatNeverLeftAndAreGone() {
            bench.similar("b", "r", 0.9);
            bench.arrive("a");
            Ref b = bench.arrive("b");
            bench.answerAll(b);
            assertThat(bench.state().original(b)).isPresent();
            bench.stop();
            bench.sent();

            bench.role().pass(new InputOffset(HomeBench.TOPIC, 2), "c", bench.nowMillis(), bench);

            assertThat(bench.state().original(b)).isEmpty();
            assertThat(bench.sent()).isEqualTo(bench.removes(b));
            bench.verify(REMOTE, LATER, "r", b);
            assertThat(bench.sent()).containsExactly(verdictSent(REMOTE, b, 0, null));
        }

        @Test
        void shouldTellWhatADuplicateRepeatsThatWasDecidedBefore() {
            bench.arrive("a");
            Ref b = bench.arrive("b");
            bench.answerAll(b, OTHER_REMOTE);
            bench.judge(b, OTHER_REMOTE, 0.9, "o");
            bench.restart();
            bench.sent();

            bench.verify(REMOTE, LATER, "r", b);

            assertThat(bench.sent()).containsExactly(verdictSent(REMOTE, b, 0, null, OTHER_REMOTE));
        }

        @Test
        void shouldReleaseAfterAStartWhatHadBeenDecided() {
            Ref a = bench.arrive("a");
            Ref b = bench.arrive("b");
            bench.answerAll(b, REMOTE);
            bench.judge(b, REMOTE, 0.8, "r");
            bench.restart();

            bench.answerAll(a);

            assertThat(bench.released()).containsExactly(unique("a"), duplicate("b", REMOTE, "r", 0.8));
        }
    }

    @Nested
    class Forgetting {
        private static final RecordKey KEY = new RecordKey(1, 2);

        @Test
        void shouldForgetTheOriginalsOfAKeyThatIsTakenBack() {
            bench.origin("a", KEY, 0);
            Ref a = bench.arrive("a");
            Ref other = bench.arrive("other");
            bench.answerAll(a);
            bench.answerAll(other);

            bench.takeBack("tombstone", KEY);

            assertThat(bench.state().original(a)).isEmpty();
            assertThat(bench.state().original(other)).isPresent();
            assertThat(bench.sent()).containsExactlyElementsOf(bench.removes(a));
            assertThat(bench.released()).containsExactly(unique("a"), unique("other"), unjudged("tombstone"));
        }

        @Test
        void shouldNotMatchWhatIsTakenBack() {
            bench.origin("a", KEY, 0);
            bench.similar("a", "later", 0.9);
            Ref a = bench.arrive("a");
            bench.answerAll(a);
            bench.takeBack("tombstone", KEY);
            bench.sent();

            bench.verify(REMOTE, LATER, "later", a);

            assertThat(bench.sent()).containsExactly(verdictSent(REMOTE, a, 0, null));
        }

        @Test
        void shouldReleaseAPendingDocumentThatIsTakenBackAndLetNobodyRepeatIt() {
            bench.origin("a", KEY, 0);
            bench.similar("a", "later", 0.9);
            Ref a = bench.arrive("a");
            bench.verify(REMOTE, LATER, "later", a);
            bench.takeBack("tombstone", KEY);
            assertThat(bench.sent()).isEmpty();

            bench.answerAll(a);

            List<HomeBench.Sent> expected = new ArrayList<>(bench.removes(a));
            expected.add(verdictSent(REMOTE, a, 0.9, null));
            assertThat(bench.sent()).containsExactlyElementsOf(expected);
            assertThat(bench.released()).containsExactly(unique("a"), unjudged("tombstone"));
            assertThat(bench.state().original(a)).isEmpty();
        }

        @Test
        void shouldKeepWhatComesAfterTheTombstone() {
            bench.origin("a", KEY, 0);
            bench.takeBack("tombstone", KEY);
            Ref a = bench.arrive("a");
            bench.answerAll(a);

            assertThat(bench.state().original(a)).isPresent();
        }

        @Test
        void shouldKeepTheDecisionOfWhatItForgetsWhileItIsHeld() {
            bench.origin("b", KEY, 0);
            bench.arrive("a");
            Ref b = bench.arrive("b");
            bench.answerAll(b);

            bench.takeBack("tombstone", KEY);

            assertThat(bench.state().original(b)).isEmpty();
            assertThat(bench.state().decision(b)).contains(Decision.UNIQUE);
        }

        @Test
        void shouldForgetWhatHasExpiredTheOldestFirstInSlices() {
            bench.withRetention(new Retention(100, false, 2));
            List<Ref> old = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                old.add(original("old" + i, 1_000 + i));
            }
            for (int i = 0; i < 5; i++) {
                original("new" + i, 1_102);
            }
            bench.sent();

            assertThat(bench.expire()).isTrue();
            assertThat(bench.state().original(old.get(1))).isEmpty();
            assertThat(bench.state().original(old.get(2))).isPresent();
            assertThat(bench.sent())
                    .containsExactlyElementsOf(Stream.of(old.get(0), old.get(1))
                            .flatMap(ref -> bench.removes(ref).stream())
                            .toList());
            assertThat(bench.expire()).isFalse();
            assertThat(bench.state().original(old.get(2))).isEmpty();
        }

        @Test
        void shouldNotMatchWhatHasExpiredBeforeItIsForgotten() {
            bench.withRetention(new Retention(100, false, 2));
            bench.similar("old", "later", 0.9);
            Ref old = original("old", 1_000);
            for (int i = 0; i < 5; i++) {
                original("new" + i, 1_100);
            }
            bench.sent();

            bench.verify(REMOTE, LATER, "later", old);

            assertThat(bench.sent()).containsExactly(verdictSent(REMOTE, old, 0, null));
        }

        @Test
        void shouldRememberWhatIsRepeatedForTheRetentionFromThenOn() {
            bench.withRetention(new Retention(100, true, 10));
            bench.similar("old", "copy", 0.9);
            Ref old = original("old", 1_000);
            Ref quiet = original("quiet", 1_000);
            passTo(1_090);
            bench.verify(REMOTE, LATER, "copy", old);

            passTo(1_189);
            bench.expire();
            assertThat(bench.state().original(old)).isPresent();
            assertThat(bench.state().original(quiet)).isEmpty();
            bench.sent();
            bench.verify(REMOTE, LATER, "copy", old);
            assertThat(bench.sent()).containsExactly(verdictSent(REMOTE, old, 0.9, "old"));

            passTo(1_288);
            bench.expire();
            assertThat(bench.state().original(old)).isPresent();
            passTo(1_289);
            bench.sent();
            bench.expire();
            assertThat(bench.state().original(old)).isEmpty();
            assertThat(bench.sent()).containsAll(bench.removes(old));
        }

        @Test
        void shouldNotTakeForRepeatedWhatIsOnlyAskedFor() {
            bench.withRetention(new Retention(100, true, 10));
            bench.similar("old", "unlike", Math.nextDown(0.7));
            Ref old = original("old", 1_000);
            passTo(1_090);
            bench.verify(REMOTE, LATER, "unlike", old);

            passTo(1_100);
            bench.expire();

            assertThat(bench.state().original(old)).isEmpty();
        }

        @Test
        void shouldTakeForRepeatedWhatAnotherWaitedForWhilePending() {
            bench.withRetention(new Retention(100, true, 10));
            passTo(1_090);
            bench.similar("late", "copy", 0.9);
            bench.origin("late", null, 1_000);
            Ref late = bench.arrive("late");
            bench.verify(REMOTE, LATER, "copy", late);
            bench.answerAll(late);

            passTo(1_150);
            bench.expire();

            assertThat(bench.state().original(late)).isPresent();
        }

        @Test
        void shouldNoteRepeatsOnlyAHundredTimesARetention() {
            bench.withRetention(new Retention(1_000, true, 10));
            bench.similar("old", "copy", 0.9);
            Ref old = original("old", 1_000);

            passTo(1_010);
            bench.verify(REMOTE, LATER, "copy", old);
            assertThat(bench.state().lastRepeated(old)).isZero();
            passTo(1_011);
            bench.verify(REMOTE, LATER, "copy", old);
            assertThat(bench.state().lastRepeated(old)).isEqualTo(1_011);
        }

        @Test
        void shouldForgetWhatWasSetAsideWhenRepeatsCountNoMore() {
            bench.withRetention(new Retention(100, true, 10));
            bench.similar("old", "copy", 0.9);
            Ref old = original("old", 1_000);
            passTo(1_090);
            bench.verify(REMOTE, LATER, "copy", old);
            passTo(1_100);
            bench.expire();

            bench.withRetention(new Retention(100, false, 10));
            passTo(1_190);
            bench.expire();

            assertThat(bench.state().original(old)).isEmpty();
        }

        /** Moves event time by unlike documents. */
        private void passTo(long eventMillis) {
            for (int i = 0; i < EventClock.WITNESSES; i++) {
                original("at " + eventMillis + "/" + i, eventMillis);
            }
        }

        private Ref original(String name, long timestampMillis) {
            bench.origin(name, null, timestampMillis);
            Ref ref = bench.arrive(name);
            bench.answerAll(ref);
            return ref;
        }
    }

    @Nested
    class ReplacingVersions {
        @Test
        void shouldMakeANewVersionUniqueInThePlaceOfTheOldOne() {
            bench.withVersions(Versions.REPLACE);
            bench.similar("old", "new", 0.9);
            bench.similar("new", "later", 0.8);
            bench.similar("old", "later", 0.9);
            Ref old = version("old", "x");
            bench.answerAll(old);
            Ref now = version("new", "x");
            bench.answerAll(now, old);

            assertThat(bench.released()).containsExactly(unique("old"), unique("new"));
            assertThat(bench.state().original(old)).isEmpty();
            assertThat(bench.sent()).containsExactlyElementsOf(bench.removes(old));
            bench.verify(REMOTE, LATER, "later", old, now);
            assertThat(bench.sent())
                    .containsExactly(verdictSent(REMOTE, old, 0, null), verdictSent(REMOTE, now, 0.8, "x"));
        }

        @Test
        void shouldReplaceWhateverElseTheNewVersionResembles() {
            bench.withVersions(Versions.REPLACE);
            bench.similar("other", "new", 0.9);
            Ref other = version("other", "y");
            bench.answerAll(other);
            Ref old = version("old", "x");
            bench.answerAll(old);
            Ref now = version("new", "x");
            bench.answerAll(now, other);

            assertThat(bench.released()).endsWith(unique("new"));
            assertThat(bench.state().original(other)).isPresent();
            assertThat(bench.state().original(old)).isEmpty();
        }

        @Test
        void shouldJudgeAsAnyOtherWhatHasTheIdOfADuplicate() {
            bench.withVersions(Versions.REPLACE);
            bench.similar("other", "old", 0.9);
            bench.similar("other", "new", 0.9);
            Ref other = version("other", "y");
            bench.answerAll(other);
            bench.answerAll(version("old", "x"), other);
            bench.answerAll(version("new", "x"), other);

            assertThat(bench.released())
                    .containsExactly(
                            unique("other"), duplicate("old", other, "y", 0.9), duplicate("new", other, "y", 0.9));
        }

        @Test
        void shouldWaitForTheEarlierVersionsToBeDecided() {
            bench.withVersions(Versions.REPLACE);
            bench.similar("old", "new", 0.9);
            Ref old = version("old", "x");
            Ref now = version("new", "x");
            Ref next = version("next", "x");
            bench.answerAll(next);
            bench.answerAll(now);
            assertThat(bench.state().original(next)).isEmpty();
            assertThat(bench.state().original(now)).isEmpty();

            bench.answerAll(old);

            assertThat(bench.released()).containsExactly(unique("old"), unique("new"), unique("next"));
            assertThat(bench.state().originalsNamed("x")).containsExactly(next);
        }

        @Test
        void shouldJudgeAsAnyOtherAfterATombstone() {
            RecordKey key = new RecordKey(1, 2);
            bench.withVersions(Versions.REPLACE);
            bench.similar("other", "new", 0.9);
            Ref other = version("other", "y");
            bench.answerAll(other);
            bench.origin("old", key, 0);
            bench.answerAll(version("old", "x"));
            bench.takeBack("tombstone", key);

            bench.answerAll(version("new", "x"), other);

            assertThat(bench.released()).endsWith(unjudged("tombstone"), duplicate("new", other, "y", 0.9));
        }

        @Test
        void shouldJudgeAsAnyOtherWhereVersionsAreCompared() {
            bench.similar("old", "new", 0.9);
            Ref old = version("old", "x");
            bench.answerAll(old);

            bench.answerAll(version("new", "x"), old);

            assertThat(bench.released()).containsExactly(unique("old"), duplicate("new", old, "x", 0.9));
        }

        private Ref version(String name, String id) {
            bench.id(name, id);
            return bench.arrive(name);
        }
    }
}
