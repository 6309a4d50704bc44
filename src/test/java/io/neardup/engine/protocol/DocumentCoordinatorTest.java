package io.neardup.engine.protocol;

import static io.neardup.engine.protocol.CoordinatorHarness.COORDINATOR;
import static io.neardup.engine.protocol.CoordinatorHarness.duplicate;
import static io.neardup.engine.protocol.CoordinatorHarness.matchSent;
import static io.neardup.engine.protocol.CoordinatorHarness.noMatchSent;
import static io.neardup.engine.protocol.CoordinatorHarness.unique;
import static io.neardup.engine.protocol.CoordinatorHarness.unjudged;
import static io.neardup.engine.protocol.CoordinatorHarness.unknownSent;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.CoordinatorHarness.Released;
import io.neardup.engine.protocol.CoordinatorHarness.Sent;
import io.neardup.engine.protocol.CoordinatorRules.Retention;
import io.neardup.engine.protocol.CoordinatorRules.Slice;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.Decision.Bound;
import io.neardup.engine.protocol.DocumentCoordinator.InputOffset;
import io.neardup.engine.protocol.Message.Answer;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.protocol.Message.Started;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.BitSketch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of a coordinator, one by one; {@code io.neardup.simulation} checks what they promise together. */
class DocumentCoordinatorTest {
    private static final DocumentRef REMOTE = new DocumentRef(0, 5);
    private static final DocumentRef OTHER_REMOTE = new DocumentRef(2, 6);
    private static final long LONG_AGO = 1;
    private static final long LATER = Long.MAX_VALUE;

    private final CoordinatorHarness harness = new CoordinatorHarness();

    private static List<DocumentRef> refs(int... sequences) {
        return IntStream.of(sequences)
                .mapToObj(sequence -> new DocumentRef(REMOTE.coordinator(), sequence))
                .toList();
    }

    private static List<DocumentRef> remotes(int from, int count) {
        return refs(IntStream.range(from, from + count).toArray());
    }

    @Nested
    class Asking {
        @Test
        void shouldAskAboutAllTheFirstOfEachIndexPartitionThenTheSecondOfEach() {
            DocumentRef a = harness.arrive("a");

            harness.answer(a, 0, refs(1, 2, 3, 4, 5, 6));
            harness.answer(a, 1, refs(7, 1, 8, 9));

            assertThat(harness.sent())
                    .containsExactly(harness.verifySent(
                            a, "a", refs(1, 7, 2, 3, 8, 4, 9, 5, 6).toArray(DocumentRef[]::new)));
        }

        @Test
        void shouldCountHowManyADecidedDocumentAskedAboutAndWasComparedWith() {
            DocumentRef a = harness.arrive("a");
            harness.answerAll(a, REMOTE, OTHER_REMOTE);
            harness.judge(a, REMOTE, 0.3, null);
            assertThat(harness.role().counts().asked().size()).isZero();

            harness.judge(a, OTHER_REMOTE, 0, null);

            assertThat(harness.role().counts().asked().times(2)).isOne();
            assertThat(harness.role().counts().compared().times(1)).isOne();
        }

        @Test
        void shouldAskAgainAndThenAtTwiceTheInterval() {
            harness.arrive("a");

            for (int factor : new int[] {1, 2, 2, 2}) {
                harness.pass(10_000 * factor - 1);
                assertThat(harness.sent()).describedAs("before %d0 s", factor).isEmpty();
                harness.pass(1);
                assertThat(harness.sent())
                        .describedAs("after %d0 s", factor)
                        .isEqualTo(harness.lookups(new DocumentRef(COORDINATOR, 0)));
            }
        }

        @Test
        void shouldAskAgainOnlyTheBandsThatHaveNotAnswered() {
            DocumentRef a = harness.arrive("a");
            harness.answer(a, 0, List.of());

            harness.pass(10_000);

            assertThat(harness.sent()).containsExactly(harness.lookups(a).get(1));
        }

        @Test
        void shouldAskAgainOnlyTheCandidatesThatHaveNotAnswered() {
            DocumentRef a = harness.arrive("a");
            long arrivalMillis = harness.nowMillis();
            harness.answerAll(a, REMOTE, OTHER_REMOTE);
            harness.sent();
            harness.judge(a, REMOTE, 0.3, null);

            harness.pass(10_000);

            assertThat(harness.sent()).containsExactly(harness.verifySent(a, 1, arrivalMillis, "a", OTHER_REMOTE));
        }

        @Test
        void shouldAskAgainTheOldestFirstAndNoMoreThanTheRulesAllow() {
            harness.withAskAgainMax(2);
            DocumentRef a = harness.arrive("a");
            DocumentRef b = harness.arrive("b");
            DocumentRef c = harness.arrive("c");

            harness.pass(10_000);
            assertThat(harness.sent()).containsExactly(lookups(a, b));
            harness.pass(0);
            assertThat(harness.sent()).containsExactly(lookups(c));
            harness.pass(0);
            assertThat(harness.sent()).isEmpty();
        }

        /** Where answers are late as there is too much to do, more requests would make them later. */
        @Test
        void shouldAskAgainForTwiceAsManyAsWereDecided() {
            List<DocumentRef> all = IntStream.range(0, 100)
                    .mapToObj(i -> harness.arrive("d" + i))
                    .toList();
            harness.sent();

            harness.pass(10_000);
            assertThat(harness.sent()).containsExactly(lookups(all.subList(0, 25)));
            all.subList(0, 20).forEach(harness::answerAll);
            harness.sent();
            harness.pass(1_000);
            assertThat(harness.sent()).containsExactly(lookups(all.subList(25, 65)));
            harness.pass(1_000);
            assertThat(harness.sent()).containsExactly(lookups(all.subList(65, 90)));
        }

        @Test
        void shouldAskAboutTwoThousandAtMostAndMarkThatThereWereMore() {
            DocumentRef d = harness.arrive("d");
            harness.answer(d, 0, remotes(0, 1_500));
            harness.answer(d, 1, remotes(10_000, 1_500));

            assertThat(harness.sent()).singleElement().satisfies(sent -> assertThat(
                            ((Message.Verify) sent.message()).candidates().size())
                    .isEqualTo(2_000));
            harness.judge(d, new DocumentRef(REMOTE.coordinator(), 0), 0.1, null);
            assertThat(harness.released().get(0).decision())
                    .isEqualTo(new Decision.Unique(Set.of(Bound.CANDIDATES), null));
        }

        private CoordinatorHarness.Sent[] lookups(DocumentRef... documents) {
            return lookups(List.of(documents));
        }

        private CoordinatorHarness.Sent[] lookups(List<DocumentRef> documents) {
            return documents.stream()
                    .flatMap(document -> harness.lookups(document).stream())
                    .toArray(CoordinatorHarness.Sent[]::new);
        }
    }

    @Nested
    class Comparing {
        private static final int CUT = 4;

        private void rules(int verifiedMax) {
            harness.withVerifiedMax(verifiedMax);
            harness.withCut(CUT);
        }

        private DocumentRef original(String name, int differences) {
            return original(name, differences, 0.9);
        }

        private DocumentRef original(String name, int differences, double similarity) {
            harness.sketch(name, differences);
            harness.similar("d", name, similarity);
            return harness.original(name);
        }

        /** A document that stays pending. */
        private DocumentRef pending(String name, int differences) {
            harness.sketch(name, differences);
            harness.similar("d", name, 0.9);
            return harness.arrive(name);
        }

        private void ask(DocumentRef... candidates) {
            ask(0, LATER, candidates);
        }

        private void ask(int request, long arrivalMillis, DocumentRef... candidates) {
            harness.sketch("d", 0);
            harness.sent();
            harness.verify(REMOTE, request, arrivalMillis, "d", candidates);
        }

        @Test
        void shouldDropThoseWhoseSketchesDifferInMoreThanTheCutWithoutReadingThem() {
            rules(8);
            DocumentRef far = original("far", CUT + 1);
            DocumentRef near = original("near", CUT);

            ask(far, near);

            assertThat(harness.sent()).containsExactly(matchSent(REMOTE, near, 0.9, "near", 1));
            CoordinatorCounts counted = harness.role().counts();
            assertThat(counted.unlike()).isOne();
            assertThat(counted.differences().times(CUT)).isOne();
            assertThat(counted.differences().times(CUT + 1)).isOne();
        }

        @Test
        void shouldCompareTheMostAlikeOfEqualsTheOldestAndSayThatMoreAreLikely() {
            rules(3);
            DocumentRef first = original("first", 3, 0.8);
            DocumentRef second = original("second", 3, 0.95);
            DocumentRef b = original("b", 2, 0.6);
            DocumentRef a = original("a", 1, 0.6);

            ask(second, first, b, a);

            assertThat(harness.sent())
                    .containsExactly(matchSent(REMOTE, CoordinatorHarness.neighbour(first, "first", 0.8), 3, 1));
            assertThat(harness.role().counts().beyond()).isOne();
        }

        @Test
        void shouldLetNoYoungerOneYieldToWhoIsADuplicate() {
            rules(8);
            DocumentRef younger = pending("younger", 0);
            DocumentRef original = original("original", CUT);

            ask(0, LONG_AGO, younger, original);

            assertThat(harness.sent()).containsExactly(matchSent(REMOTE, original, 0.9, "original", 1));
            harness.answerAll(younger);
            assertThat(harness.sent()).isEmpty();
        }

        @Test
        void shouldCompareNoMoreWhereNoneCanBeBetter() {
            rules(8);
            DocumentRef equal = original("equal", 1, 1);
            DocumentRef later = original("later", 1, 1);

            ask(later, equal);

            assertThat(harness.sent()).containsExactly(matchSent(REMOTE, equal, 1, "equal", 1));
        }

        @Test
        void shouldWaitForNoneThatIsLessSimilarThanAnOriginal() {
            rules(8);
            DocumentRef pending = pending("pending", 2);
            DocumentRef original = original("original", 1, 0.95);

            ask(pending, original);

            assertThat(harness.sent()).containsExactly(matchSent(REMOTE, original, 0.95, "original", 2));
        }

        @Test
        void shouldGiveTheOriginalsOfDuplicatesInTheirPlaceOnce() {
            rules(8);
            DocumentRef copy = harness.arriveAsDuplicate("copy", OTHER_REMOTE, "o");
            DocumentRef another = harness.arriveAsDuplicate("another", OTHER_REMOTE, "o");
            DocumentRef gone = new DocumentRef(copy.coordinator(), 99);

            ask(copy, another, gone);

            assertThat(harness.sent()).containsExactly(noMatchSent(REMOTE, 0, OTHER_REMOTE));
        }

        @Test
        void shouldLookForNoneInTheStateThatBecameADuplicateWhileItWaitedForItsTurn() {
            harness.withVerifiedBytes(1);
            rules(16);
            DocumentRef first = original("first", 1, 0.6);
            DocumentRef copy = pending("copy", 1);
            ask(first, copy);
            harness.answerAll(copy, OTHER_REMOTE);
            harness.judge(copy, OTHER_REMOTE, 0.9, "o");
            harness.sent();
            long readBefore = harness.originalsRead();

            workOff();

            assertThat(harness.sent()).containsExactly(noMatchSent(REMOTE, 1, OTHER_REMOTE));
            assertThat(harness.originalsRead()).isEqualTo(readBefore);
        }

        private void workOff() {
            while (harness.role().hasRequestsInTurn()) {
                harness.role().verifyMore();
            }
        }

        @Test
        void shouldReadTheSketchesOfAnEarlierEpochWhenTheyAreAskedFor() {
            rules(8);
            DocumentRef far = original("far", CUT + 1);
            harness.restart();
            assertThat(harness.role().counts().sketches()).isZero();

            ask(far);

            assertThat(harness.sent()).containsExactly(noMatchSent(REMOTE, 0));
            assertThat(harness.role().counts().sketches()).isOne();
        }

        @Test
        void shouldCountNothingAndKeepNoSketchForOneWhoAsksFromOutside() {
            rules(1);
            DocumentRef near = original("near", 0);
            DocumentRef next = original("next", 1);
            DocumentRef far = original("far", CUT + 1);
            harness.restart();
            harness.sketch("d", 0);
            harness.sent();

            harness.verify(DocumentRef.outside(7), LATER, "d", far, next, near);

            Answer answer = (Answer) harness.sent().get(0).message();
            assertThat(answer.compared()).isOne();
            assertThat(answer.beyond()).isEqualTo(2);
            CoordinatorCounts counts = harness.role().counts();
            assertThat(counts.sketches()).isZero();
            assertThat(List.of(counts.unlike(), counts.beyond())).containsOnly(0L);
        }

        @Test
        void shouldCompareThoseThatShareTheMostBandsForOneWithoutASketch() {
            rules(1);
            DocumentRef far = original("far", CUT + 1, 0.6);
            DocumentRef other = original("other", CUT + 1, 0.8);

            harness.verify(REMOTE, LATER, "d", far, other);

            assertThat(harness.sent()).containsExactly(noMatchSent(REMOTE, 0, 1, 1));
        }

        @Test
        void shouldReadNoneOfManyWhoseBitmapProvesThatItIsUnlike() {
            rules(64);
            harness.withBitmaps();
            DocumentRef[] alike = IntStream.range(0, 8)
                    .mapToObj(i -> original("alike" + i, CUT, 0.6))
                    .toArray(DocumentRef[]::new);
            ask(alike);
            assertThat(compared()).isEqualTo(8);
            harness.similar("d", "alike3", 0.9);

            ask(1, LATER, alike);

            assertThat(compared()).isOne();
        }

        @Test
        void shouldReadNoneOfManyWhoseBitmapProvesThatItIsLessSimilarThanAnOriginal() {
            rules(64);
            harness.withBitmaps();
            DocumentRef best = original("best", 0, 0.95);
            DocumentRef[] alike = IntStream.range(0, 8)
                    .mapToObj(i -> original("alike" + i, CUT, 0.8))
                    .toArray(DocumentRef[]::new);
            ask(alike);

            ask(1, LATER, Stream.concat(Stream.of(best), Stream.of(alike)).toArray(DocumentRef[]::new));

            assertThat(compared()).isOne();
        }

        /** With how many the one who asked was compared. */
        private int compared() {
            return ((Answer) harness.sent().get(0).message()).compared();
        }

        /** What was taken before the first answer of a flood is more than an instance may have in flight. */
        @Test
        void shouldReckonWithTheCandidatesThatAreStillToBeReturned() {
            DocumentRef a = harness.arrive("a");
            harness.answerAll(a, remotes(0, 640).toArray(DocumentRef[]::new));
            long returned = harness.role().candidateBytes();

            harness.arrive("b");
            harness.arrive("c");

            assertThat(returned).isEqualTo(640 * 8);
            assertThat(harness.role().candidateBytes()).isEqualTo(returned + returned / 32);
        }

        /** Each once, though two index partitions return it. */
        @Test
        void shouldKnowHowMuchHeapTheCandidatesOfPendingDocumentsTake() {
            DocumentRef a = harness.arrive("a");
            harness.answer(a, 0, refs(1, 2, 3));
            harness.answer(a, 1, refs(3, 2));
            assertThat(harness.role().candidateBytes()).isEqualTo(24);

            harness.judge(a, refs(1).get(0), 0, null);

            assertThat(harness.role().candidateBytes()).isZero();
        }

        @Test
        void shouldAnswerARequestThatComesWhileAnotherIsOpenByItself() {
            rules(8);
            harness.withVerifiedBytes(1);
            DocumentRef a = original("a", 1);
            DocumentRef b = original("b", 2);
            ask(a);

            harness.verify(REMOTE, 1, LATER, "d", b);
            harness.verify(REMOTE, 1, LATER, "d", b);
            workOff();

            assertThat(harness.sent())
                    .extracting(sent -> ((Answer) sent.message()).request())
                    .containsExactly(0, 1);
        }
    }

    /** What of originals that are no match is told, where that is wanted. */
    @Nested
    class NearestBelow {
        private @Nullable Neighbour below(int request, DocumentRef... candidates) {
            harness.sent();
            harness.verify(REMOTE, request, LATER, "d", candidates);
            harness.role().verifyMore();
            return ((Answer) harness.sent().get(0).message()).nearestBelow();
        }

        private DocumentRef original(String name, double similarity) {
            harness.similar("d", name, similarity);
            return harness.original(name);
        }

        /** With bitmaps, which know all here, most are ruled out as matches, and so are not compared otherwise. */
        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void shouldBeTheMostSimilarOfAllAndOfEqualOnesTheFirst(boolean areBitmapped) {
            harness.withNearestNamed();
            if (areBitmapped) {
                harness.withBitmaps();
            }
            Random random = new Random(5);
            Map<DocumentRef, Neighbour> all = new TreeMap<>();
            for (int i = 0; i < 30; i++) {
                double similarity = random.nextInt(7) / 10.0;
                DocumentRef ref = original("o" + i, similarity);
                all.put(ref, CoordinatorHarness.neighbour(ref, "o" + i, similarity));
            }
            for (int request = 0; request < 100; request++) {
                List<DocumentRef> candidates = new ArrayList<>(all.keySet());
                Collections.shuffle(candidates, random);
                List<DocumentRef> some = candidates.subList(0, 1 + random.nextInt(12));

                Neighbour expected = some.stream()
                        .sorted()
                        .map(all::get)
                        .filter(one -> one.similarity().value() > 0)
                        .reduce((a, b) ->
                                b.similarity().value() > a.similarity().value() ? b : a)
                        .orElse(null);

                assertThat(below(request, some.toArray(DocumentRef[]::new))).isEqualTo(expected);
            }
        }

        @Test
        void shouldBeNoneWhereAnOriginalMatchesOrNobodyWantsIt() {
            DocumentRef near = original("near", 0.6);
            DocumentRef match = original("match", 0.8);
            assertThat(below(0, near)).isNull();
            harness.withNearestNamed();

            assertThat(below(1, near, match)).isNull();
            assertThat(below(2, match, near)).isNull();
            assertThat(below(3, near)).isNotNull();
        }

        @Test
        void shouldBeNoneThatIsUndecided() {
            harness.withNearestNamed();
            harness.similar("d", "pending", 0.6);

            assertThat(below(0, harness.arrive("pending"))).isNull();
        }

        @Test
        void shouldComeWithTheDecisionAlsoAfterARestart() {
            harness.withNearestNamed();
            harness.arrive("first");
            DocumentRef document = harness.arrive("a");
            harness.answerAll(document, REMOTE, OTHER_REMOTE);
            Neighbour near = CoordinatorHarness.neighbour(REMOTE, "r", 0.5);
            Neighbour nearest = CoordinatorHarness.neighbour(OTHER_REMOTE, "o", 0.6);
            int epoch = harness.epoch();
            harness.receive(
                    new Answer(document, epoch, 0, List.of(), near, DocumentRefs.NONE, DocumentRefs.NONE, 1, 0));
            harness.receive(
                    new Answer(document, epoch, 1, List.of(), nearest, DocumentRefs.NONE, DocumentRefs.NONE, 1, 0));
            harness.restart();
            harness.answerAll(new DocumentRef(COORDINATOR, 0));

            assertThat(harness.released())
                    .containsExactly(unique("first"), new Released("a", new Decision.Unique(Set.of(), nearest)));
        }
    }

    /** Somebody asks from outside. */
    @Nested
    class AskedFromOutside {
        private final DocumentRef checker = DocumentRef.outside(7);

        private Answer answer() {
            List<Sent> sent = harness.sent();
            assertThat(sent).hasSize(1);
            assertThat(sent.get(0).receiver()).isEqualTo(checker.coordinator());
            return (Answer) sent.get(0).message();
        }

        @Test
        void shouldReturnOriginalsAndPendingOnesWhateverTheirSimilarity() {
            harness.similar("asked", "a", 0.3);
            harness.similar("asked", "b", 0.9);
            DocumentRef a = harness.original("a");
            DocumentRef b = harness.arrive("b");
            harness.sent();

            harness.verify(checker, LATER, "asked", a, b, new DocumentRef(COORDINATOR, 77));

            Answer answer = answer();
            assertThat(answer.nearest())
                    .containsExactly(
                            new Neighbour(
                                    b, "b", CoordinatorHarness.provenance("b"), CoordinatorHarness.seen(0.9), true),
                            CoordinatorHarness.neighbour(a, "a", 0.3));
            assertThat(answer.compared()).isEqualTo(2);
        }

        @Test
        void shouldLeaveAPendingDocumentAsItIs() {
            harness.similar("asked", "a", 0.9);
            DocumentRef a = harness.arrive("a");
            harness.answer(a, 0, List.of(REMOTE));
            harness.verify(checker, LATER, "asked", a);
            harness.sent();

            harness.answer(a, 1, List.of());
            assertThat(harness.sent())
                    .describedAs("it asks about its own candidate alone")
                    .containsExactly(harness.verifySent(a, "a", REMOTE));
            harness.judge(a, REMOTE, 0.1, "r");

            assertThat(harness.released()).containsExactly(unique("a"));
            assertThat(harness.sent()).describedAs("nobody waited for it").isEmpty();
        }

        @Test
        void shouldReturnTheNearestAloneAndCountTheRest() {
            harness.withVerifiedMax(15);
            DocumentRef[] originals = IntStream.range(0, 20)
                    .mapToObj(i -> {
                        harness.similar("asked", "o" + i, i / 20.0);
                        return harness.original("o" + i);
                    })
                    .toArray(DocumentRef[]::new);
            harness.sent();

            harness.verify(checker, LATER, "asked", originals);

            Answer answer = answer();
            assertThat(answer.compared()).isEqualTo(15);
            assertThat(answer.beyond()).isEqualTo(5);
            assertThat(answer.nearest()).hasSize(Neighbour.FOR_OUTSIDE_MAX);
            assertThat(answer.nearest().get(0).ref()).isEqualTo(originals[14]);
        }

        @Test
        void shouldBeAnsweredBehindDocuments() {
            harness.withVerifiedBytes(1);
            DocumentRef a = harness.original("a");
            harness.sent();

            harness.verify(REMOTE, LATER, "r", a);
            harness.verify(checker, LATER, "asked", a);
            harness.verify(OTHER_REMOTE, LATER, "r", a);
            while (harness.role().hasRequestsInTurn()) {
                harness.role().verifyMore();
            }

            assertThat(harness.sent())
                    .extracting(Sent::receiver)
                    .containsExactly(REMOTE.coordinator(), OTHER_REMOTE.coordinator(), checker.coordinator());
        }
    }

    @Nested
    class Deciding {
        /** At the threshold it is one, and of equally similar originals it repeats the first. */
        @ParameterizedTest
        @CsvSource({"0.8, 0.9, 2", "0.9, 0.8, 0", "0.8, 0.8, 0", "0.7, 0, 0"})
        void shouldBeADuplicateOfTheMostSimilarOriginal(double ofRemote, double ofOther, int expected) {
            DocumentRef a = harness.arrive("a");
            harness.answerAll(a, REMOTE, OTHER_REMOTE);

            harness.judge(a, OTHER_REMOTE, ofOther, "2");
            assertThat(harness.released()).isEmpty();
            harness.judge(a, REMOTE, ofRemote, "0");

            DocumentRef original = expected == 0 ? REMOTE : OTHER_REMOTE;
            assertThat(harness.released())
                    .containsExactly(duplicate("a", original, "" + expected, Math.max(ofRemote, ofOther)));
        }

        @Test
        void shouldIgnoreAnAnswerThatWasNotAskedFor() {
            DocumentRef a = harness.arrive("a");

            harness.judge(a, REMOTE, 0.8, "r");
            harness.answerAll(a);

            assertThat(harness.released()).containsExactly(unique("a"));
        }

        @Test
        void shouldNeverBeADuplicateOfADuplicate() {
            DocumentRef a = harness.original("a");
            harness.similar("a", "b", 0.8);
            harness.similar("b", "c", 0.8);
            DocumentRef b = harness.arrive("b");
            DocumentRef c = harness.arrive("c");

            harness.answerAll(c, a, b);
            assertThat(harness.released()).isEmpty();
            harness.answerAll(b, a);

            assertThat(harness.released()).containsExactly(duplicate("b", a, "a", 0.8), unique("c"));
        }
    }

    /** A document that has one match, and waits for answers that may bring a more similar one. */
    @Nested
    class CertainToBeADuplicate {
        /** It is an original before, as it need not wait for one that is certain to be a duplicate. */
        @Test
        void shouldRepeatNoneThatCameLaterWhereAnEarlierOneMatches() {
            harness.similar("d", "less", 0.75);
            harness.similar("d", "more", 0.85);
            harness.similar("later", "d", 0.95);
            DocumentRef less = harness.arrive("less");
            harness.answerAll(less);
            DocumentRef more = harness.arrive("more");
            harness.answerAll(more);
            DocumentRef d = harness.arrive("d");
            DocumentRef later = harness.arrive("later");
            harness.released();

            harness.answerAll(later, d);
            harness.answerAll(d, less, later, more);

            assertThat(harness.released()).contains(duplicate("d", more, "more", 0.85));
        }

        @Test
        void shouldAskAnOlderOneAgainThatWasSuchAndAsksItselfAfterACrash() {
            DocumentRef open = new DocumentRef(3, 2);
            harness.similar("a", "r", 0.9);
            DocumentRef a = harness.arrive("a");
            harness.answerAll(a, REMOTE, open);
            harness.sent();
            harness.redirect(a, REMOTE, open);

            harness.verify(REMOTE, LONG_AGO, "r", a);
            harness.judge(a, open, 0.3, "open");

            assertThat(harness.sent()).containsExactly(noMatchSent(REMOTE, 1), harness.verifySent(a, 2, "a", REMOTE));
            assertThat(harness.released()).isEmpty();
        }
    }

    @Nested
    class WaitedFor {
        @Test
        void shouldBeComparedOnceWithWhoAsksAgain() {
            harness.similar("a", "d", 0.9);
            DocumentRef a = harness.arrive("a");

            harness.verify(REMOTE, LATER, "d", a);
            harness.verify(REMOTE, LATER, "d", a);
            harness.answerAll(a);

            assertThat(harness.sent()).containsExactly(matchSent(REMOTE, a, 0.9, "a", 1));
        }

        @Test
        void shouldBeComparedWithAnotherThatHasTheNumberInALaterEpoch() {
            harness.similar("a", "d", 0.9);
            harness.similar("a", "e", 0.8);
            DocumentRef a = harness.arrive("a");

            harness.verify(REMOTE, LATER, "d", a);
            harness.receive(new Verify(
                    REMOTE, 2, 0, LATER, CoordinatorHarness.evidence("e"), BitSketch.NONE, DocumentRefs.of(a)));
            harness.verify(REMOTE, LATER, "d", a);
            harness.answerAll(a);

            assertThat(harness.sent()).contains(answerSent(2, 0.8, a)).doesNotHaveDuplicates();
        }

        @Test
        void shouldAnswerAtOnceForAPendingOneBelowTheThreshold() {
            harness.similar("a", "r", 0.6);
            DocumentRef a = harness.arrive("a");

            harness.verify(REMOTE, LATER, "r", a);

            assertThat(harness.sent()).containsExactly(noMatchSent(REMOTE, 1));
        }

        private static Sent answerSent(int epoch, double similarity, DocumentRef original) {
            Neighbour best = CoordinatorHarness.neighbour(original, "a", similarity);
            return new Sent(
                    REMOTE.coordinator(),
                    new Answer(REMOTE, epoch, 0, List.of(best), null, DocumentRefs.NONE, DocumentRefs.NONE, 1, 0));
        }
    }

    /** Where a document has many candidates, or met a bound: as with many copies in flight. */
    @Nested
    class Redirected {
        private final DocumentRef copy = new DocumentRef(0, 1);
        private final DocumentRef other = new DocumentRef(3, 2);

        @Test
        void shouldAskTogetherWhenAllHaveAnswered() {
            harness.withVerifiedMax(2);
            DocumentRef repeated = new DocumentRef(2, 7);
            DocumentRef a = harness.arrive("a");
            harness.answerAll(a, copy, other);
            harness.sent();

            harness.redirect(a, copy, OTHER_REMOTE);
            assertThat(harness.sent()).isEmpty();
            harness.redirect(a, other, repeated);

            assertThat(harness.sent()).containsExactly(harness.verifySent(a, 2, "a", OTHER_REMOTE, repeated));
        }

        @Test
        void shouldFollowNoRedirectWhereOneIsAMatch() {
            harness.withVerifiedMax(2);
            DocumentRef a = harness.arrive("a");
            harness.answerAll(a, copy, other);
            harness.sent();

            harness.judge(a, other, 0.8, "other");
            harness.redirect(a, copy, OTHER_REMOTE);

            assertThat(harness.released()).containsExactly(duplicate("a", other, "other", 0.8));
            assertThat(harness.sent()).isEqualTo(harness.removes(a));
        }

        @Test
        void shouldFollowNoRedirectWhereThereAreFew() {
            DocumentRef a = harness.arrive("a");
            harness.answerAll(a, copy);
            harness.sent();

            harness.redirect(a, copy, OTHER_REMOTE);

            assertThat(harness.sent()).isEmpty();
            assertThat(harness.released()).containsExactly(unique("a"));
        }

        @Test
        void shouldFollowRedirectsAfterABoundThoughItAskedAboutFew() {
            DocumentRef original = new DocumentRef(2, 7);
            DocumentRef a = harness.arrive("a");
            harness.answer(a, 0, new Found(DocumentRefs.of(copy), 0, 1));
            harness.answer(a, 1, List.of());
            harness.sent();

            harness.redirect(a, copy, original);

            assertThat(harness.sent())
                    .anyMatch(sent -> sent.message() instanceof Verify verify
                            && verify.candidates().contains(original));
        }

        @Test
        void shouldAskNobodyTwice() {
            DocumentRef a = harness.arrive("a");
            harness.answer(a, 0, new Found(DocumentRefs.of(copy, OTHER_REMOTE), 1, 0));
            harness.answer(a, 1, List.of());
            harness.sent();

            harness.redirect(a, copy, OTHER_REMOTE);
            harness.judge(a, OTHER_REMOTE, 0, null);

            assertThat(harness.sent()).isEmpty();
        }

        @Test
        void shouldRedirectWhoAsksToTheOldestItYieldedTo() {
            DocumentRef older = new DocumentRef(0, 1);
            DocumentRef oldest = new DocumentRef(0, 2);
            DocumentRef last = new DocumentRef(0, 3);
            List.of("r", "o", "p").forEach(other -> harness.similar("a", other, 0.8));
            DocumentRef a = harness.arrive("a");

            harness.verify(older, LONG_AGO + 1, "r", a);
            harness.verify(oldest, LONG_AGO, "o", a);
            harness.verify(last, LONG_AGO + 2, "p", a);

            assertThat(harness.sent())
                    .containsExactly(
                            noMatchSent(older, 1), noMatchSent(oldest, 1, older), noMatchSent(last, 1, oldest));
        }
    }

    @Nested
    class Restarting {
        @Test
        void shouldAskACoordinatorThatHasStartedAgainForTheOldestFewAlone() {
            harness.withAskAgainMax(1);
            DocumentRef a = harness.arrive("a");
            DocumentRef b = harness.arrive("b");
            harness.answerAll(a, REMOTE);
            harness.answerAll(b, REMOTE);
            harness.sent();

            harness.receive(new Started(REMOTE.coordinator()));

            assertThat(harness.sent()).containsExactly(harness.verifySent(a, "a", REMOTE));
        }

        @Test
        void shouldLetOthersGoOnWhileAYoungerOneIsStillToComeAgain() {
            harness.similar("a", "r", 0.8);
            DocumentRef a = harness.arrive("a");
            harness.stop();

            harness.verify(REMOTE, LONG_AGO, "r", a);

            assertThat(harness.sent()).containsExactly(noMatchSent(REMOTE, 0));
        }

        @Test
        void shouldAnswerForOneThatIsSkippedWhenReadAgain() {
            harness.similar("a", "r", 0.8);
            DocumentRef a = harness.arrive("a");
            harness.stop();
            harness.verify(REMOTE, LATER, "r", a);

            harness.role().pass(new InputOffset(CoordinatorHarness.TOPIC, 1), "t", harness.nowMillis());
            harness.pass(1_000);

            assertThat(harness.sent()).containsExactly(unknownSent(REMOTE, a));
            assertThat(harness.role().awaitedTopics()).isEmpty();
        }

        @Test
        void shouldNotWaitForEverForOneThatIsGoneFromTheInput() {
            DocumentRef a = harness.arrive("a");
            harness.stop();
            harness.verify(REMOTE, LATER, "r", a);

            harness.pass(1_000);
            harness.pass(600_000);
            assertThat(harness.sent()).isEmpty();
            harness.pass(1);

            assertThat(harness.sent()).containsExactly(noMatchSent(REMOTE, 0));
        }

        @Test
        void shouldAnswerForAnOriginalThatIsStillToComeAgain() {
            harness.similar("b", "r", 0.8);
            harness.arrive("a");
            DocumentRef b = harness.arrive("b");
            harness.answerAll(b);
            harness.stop();

            harness.verify(REMOTE, LATER, "r", b);

            assertThat(harness.sent()).containsExactly(matchSent(REMOTE, b, 0.8, "b", 1));
        }

        @Test
        void shouldAnswerWhoWaitedForOneThatIsNoDocumentAnyMore() {
            DocumentRef a = harness.arrive("a");
            harness.stop();
            harness.verify(REMOTE, LATER, "r", a);

            harness.role().pass(new InputOffset(CoordinatorHarness.TOPIC, 0), "a", harness.nowMillis());

            assertThat(harness.sent()).containsExactly(noMatchSent(REMOTE, 0));
            assertThat(harness.released()).containsExactly(unjudged("a"));
        }

        /**
         * The records were deleted from the input before they had left, and the coordinator is made to go on without
         * them.
         */
        @Test
        void shouldForgetOriginalsThatNeverLeftAndAreGone() {
            harness.similar("b", "r", 0.9);
            harness.arrive("a");
            DocumentRef b = harness.arrive("b");
            harness.answerAll(b);
            assertThat(harness.state().original(b)).isPresent();
            harness.stop();
            harness.sent();

            harness.role().pass(new InputOffset(CoordinatorHarness.TOPIC, 2), "c", harness.nowMillis());

            assertThat(harness.state().original(b)).isEmpty();
            assertThat(harness.sent()).isEqualTo(harness.removes(b));
            harness.verify(REMOTE, LATER, "r", b);
            assertThat(harness.sent()).containsExactly(unknownSent(REMOTE, b));
        }

        @Test
        void shouldAnswerWhatADuplicateRepeatsThatWasDecidedBefore() {
            harness.arrive("a");
            DocumentRef b = harness.arriveAsDuplicate("b", OTHER_REMOTE, "o");
            harness.restart();
            harness.sent();

            harness.verify(REMOTE, LATER, "r", b);

            assertThat(harness.sent()).containsExactly(noMatchSent(REMOTE, 0, OTHER_REMOTE));
        }
    }

    /** What a step leaves for later ones. */
    @Nested
    class Bounds {
        @BeforeEach
        void letAStepCompareOnePair() {
            harness.withVerifiedBytes(1);
            harness.sent();
        }

        /** Kafka Streams looks at the time only now and then between steps. */
        @Test
        void shouldLeaveRequestsOfOtherStepsToo() {
            DocumentRef a = harness.original("a");
            DocumentRef b = harness.original("b");
            harness.sent();

            harness.verify(REMOTE, LATER, "r", a);
            harness.verify(new DocumentRef(3, 3), LATER, "r", b);

            assertThat(harness.sent()).containsExactly(noMatchSent(REMOTE, 1));
            harness.role().verifyMore();
            assertThat(harness.sent()).containsExactly(noMatchSent(new DocumentRef(3, 3), 1));
        }

        @ParameterizedTest
        @CsvSource({"NaN, false, 1", "0.9, false, 0", "0.9, true, 1"})
        void shouldCountASecondComparisonOfAMatch(double whole, boolean isKnownAtOnce, int answeredAtOnce) {
            String asker = "r".repeat(1_000);
            harness.similar("a".repeat(1_000), asker, 0.8);
            DocumentRef a = harness.original("a".repeat(1_000));
            DocumentRef b = harness.original("b".repeat(1_000));
            harness.whole(whole, isKnownAtOnce);
            harness.withVerifiedBytes(4_000);
            harness.sent();

            harness.verify(REMOTE, LATER, asker, a, b);

            assertThat(harness.sent()).hasSize(answeredAtOnce);
        }

        @Test
        void shouldCountWhatCostsAReadAlone() {
            harness.withVerifiedBytes(1_500);

            harness.verify(
                    REMOTE,
                    LATER,
                    "r",
                    new DocumentRef(COORDINATOR, 901),
                    new DocumentRef(COORDINATOR, 902),
                    new DocumentRef(COORDINATOR, 903));

            assertThat(harness.sent()).isEmpty();
            assertThat(harness.role().hasRequestsInTurn()).isTrue();
            harness.role().verifyMore();
            assertThat(harness.sent()).hasSize(1);
        }
    }

    @Nested
    class Withdrawing {
        @Test
        void shouldKnowWhatAnEarlierEpochDecided() {
            harness.arrive("a");
            DocumentRef b = harness.arrive("b");
            harness.answerAll(b);
            InputOffset atB = new InputOffset(CoordinatorHarness.TOPIC, 1);
            assertThat(harness.role().decisionOfEarlierEpoch(atB))
                    .describedAs("in this epoch")
                    .isEmpty();

            harness.stop();

            assertThat(harness.role().decisionOfEarlierEpoch(atB)).contains(Decision.UNIQUE);
            assertThat(harness.role().decisionOfEarlierEpoch(new InputOffset(CoordinatorHarness.TOPIC, 0)))
                    .isEmpty();
            assertThat(harness.role().decisionOfEarlierEpoch(new InputOffset(CoordinatorHarness.TOPIC, 2)))
                    .isEmpty();
            assertThat(harness.role().decisionOfEarlierEpoch(new InputOffset("another", 1)))
                    .isEmpty();
        }

        @Test
        void shouldNoteADuplicateThatMustWaitUntilItHasLeft() {
            DocumentRef a = harness.arrive("a");
            DocumentRef b = harness.arrive("b");

            harness.answerAll(b, REMOTE);
            harness.judge(b, REMOTE, 0.8, "r");
            assertThat(harness.state().decision(b))
                    .contains(
                            CoordinatorHarness.duplicate("b", REMOTE, "r", 0.8).decision());
            harness.answerAll(a);

            assertThat(harness.state().decisions()).isZero();
        }

        @Test
        void shouldForgetNothingOfADuplicateThatCannotLeaveAsOne() {
            harness.similar("original", "copy", 0.9);
            DocumentRef original = harness.original("original");
            DocumentRef copy = harness.arrive("copy");
            harness.refuse("copy");

            harness.answerAll(copy, original);

            assertThat(harness.released()).containsExactly(unjudged("copy"));
            assertThat(harness.state().original(original)).isPresent();
            assertThat(harness.state().decisions()).isZero();
        }
    }

    @Nested
    class Expiring {
        private static final RecordKey KEY = new RecordKey(1, 2);

        @Test
        void shouldKeepTheDecisionOfWhatItForgetsWhileItIsHeld() {
            harness.origin("b", KEY, 0);
            harness.arrive("a");
            DocumentRef b = harness.arrive("b");
            harness.answerAll(b);

            harness.takeTombstone("tombstone", KEY);

            assertThat(harness.state().original(b)).isEmpty();
            assertThat(harness.state().decision(b)).contains(Decision.UNIQUE);
        }

        @Test
        void shouldForgetWhatHasExpiredTheOldestFirstInSlices() {
            harness.withRetention(new Retention(100, false));
            harness.withOriginalsAStep(new Slice(2, Long.MAX_VALUE));
            List<DocumentRef> old = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                old.add(original("old" + i, 1_000 + i));
            }
            for (int i = 0; i < 5; i++) {
                original("new" + i, 1_102);
            }
            harness.sent();

            assertThat(harness.expire()).isTrue();
            assertThat(harness.state().original(old.get(1))).isEmpty();
            assertThat(harness.state().original(old.get(2))).isPresent();
            assertThat(harness.sent())
                    .containsExactlyElementsOf(Stream.of(old.get(0), old.get(1))
                            .flatMap(ref -> harness.removes(ref).stream())
                            .toList());
            assertThat(harness.expire()).isFalse();
            assertThat(harness.state().original(old.get(2))).isEmpty();
        }

        @Test
        void shouldForgetNoMoreBytesInAStepThanItsBound() {
            harness.withRetention(new Retention(100, false));
            harness.withOriginalsAStep(new Slice(100, "old0".length() + 1));
            for (int i = 0; i < 4; i++) {
                original("old" + i, 1_000 + i);
            }
            passTo(1_200);

            assertThat(harness.expire()).isTrue();
            assertThat(harness.state().original(ref(1))).isEmpty();
            assertThat(harness.state().original(ref(2))).isPresent();
            while (harness.expire()) {
                // A slice after the other.
            }
            assertThat(harness.state().original(ref(3))).isEmpty();
        }

        @Test
        void shouldRemoveWhatATombstoneEndsInSlices() {
            harness.withOriginalsAStep(new Slice(2, Long.MAX_VALUE));
            List<DocumentRef> originals = originalsOfTheKey(5);
            harness.sent();

            harness.takeTombstone("tombstone", KEY);

            assertThat(harness.released()).containsExactly(unjudged("tombstone"));
            assertThat(harness.sent()).containsExactlyElementsOf(removes(originals.subList(0, 2)));
            assertThat(harness.expire()).isTrue();
            assertThat(harness.sent()).containsExactlyElementsOf(removes(originals.subList(2, 4)));
            assertThat(harness.state().tombstones()).isNotEmpty();
            assertThat(harness.expire()).isFalse();
            assertThat(harness.sent()).containsExactlyElementsOf(removes(originals.subList(4, 5)));
            assertThat(harness.state().tombstones()).isEmpty();
        }

        /** By replacement it would be unique whatever it resembles. */
        @Test
        void shouldNotReplaceAVersionWithATombstoneAndNotRemovedYet() {
            harness.withVersions(Versions.REPLACE);
            harness.withOriginalsAStep(new Slice(1, Long.MAX_VALUE));
            harness.id("key1", "x");
            harness.id("new", "x");
            originalsOfTheKey(2);
            harness.takeTombstone("tombstone", KEY);
            harness.released();

            DocumentRef after = harness.arrive("new");
            harness.answerAll(after, REMOTE);
            harness.judge(after, REMOTE, 0.8, "r");

            assertThat(harness.released()).containsExactly(duplicate("new", REMOTE, "r", 0.8));
        }

        private List<DocumentRef> originalsOfTheKey(int count) {
            List<DocumentRef> originals = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                harness.origin("key" + i, KEY, 0);
                originals.add(harness.original("key" + i));
            }
            return originals;
        }

        private List<CoordinatorHarness.Sent> removes(List<DocumentRef> refs) {
            return refs.stream().flatMap(ref -> harness.removes(ref).stream()).toList();
        }

        private DocumentRef ref(long sequence) {
            return new DocumentRef(COORDINATOR, sequence);
        }

        @Test
        void shouldNotMatchWhatHasExpiredBeforeItIsForgotten() {
            harness.withRetention(new Retention(100, false));
            harness.similar("old", "later", 0.9);
            DocumentRef old = original("old", 1_000);
            for (int i = 0; i < 5; i++) {
                original("new" + i, 1_100);
            }
            harness.sent();

            harness.verify(REMOTE, LATER, "later", old);

            assertThat(harness.sent()).containsExactly(noMatchSent(REMOTE, 0));
        }

        @Test
        void shouldRememberWhatIsRepeatedForTheRetentionFromThenOn() {
            harness.withRetention(new Retention(100, true));
            harness.similar("old", "copy", 0.9);
            DocumentRef old = original("old", 1_000);
            DocumentRef quiet = original("quiet", 1_000);
            passTo(1_090);
            harness.verify(REMOTE, LATER, "copy", old);

            passTo(1_189);
            harness.expire();
            assertThat(harness.state().original(old)).isPresent();
            assertThat(harness.state().original(quiet)).isEmpty();
            harness.sent();
            harness.verify(REMOTE, LATER, "copy", old);
            assertThat(harness.sent()).containsExactly(matchSent(REMOTE, old, 0.9, "old", 1));

            passTo(1_288);
            harness.expire();
            assertThat(harness.state().original(old)).isPresent();
            passTo(1_289);
            harness.sent();
            harness.expire();
            assertThat(harness.state().original(old)).isEmpty();
            assertThat(harness.sent()).containsAll(harness.removes(old));
        }

        @Test
        void shouldNotTakeForRepeatedWhatIsOnlyAskedFor() {
            harness.withRetention(new Retention(100, true));
            harness.similar("old", "unlike", Math.nextDown(0.7));
            DocumentRef old = original("old", 1_000);
            harness.similar("old", "asked from outside", 0.9);
            passTo(1_090);
            harness.verify(REMOTE, LATER, "unlike", old);
            harness.verify(DocumentRef.outside(7), LATER, "asked from outside", old);
            harness.role().verifyMore();

            passTo(1_100);
            harness.expire();

            assertThat(harness.state().original(old)).isEmpty();
        }

        @Test
        void shouldTakeForRepeatedWhatAnotherWaitedForWhilePending() {
            harness.withRetention(new Retention(100, true));
            passTo(1_090);
            harness.similar("late", "copy", 0.9);
            harness.origin("late", null, 1_000);
            DocumentRef late = harness.arrive("late");
            harness.verify(REMOTE, LATER, "copy", late);
            harness.answerAll(late);

            passTo(1_150);
            harness.expire();

            assertThat(harness.state().original(late)).isPresent();
        }

        @Test
        void shouldNoteRepeatsOnlyAHundredTimesARetention() {
            harness.withRetention(new Retention(1_000, true));
            harness.similar("old", "copy", 0.9);
            DocumentRef old = original("old", 1_000);

            passTo(1_010);
            harness.verify(REMOTE, LATER, "copy", old);
            assertThat(harness.state().lastRepeated(old)).isZero();
            passTo(1_011);
            harness.verify(REMOTE, LATER, "copy", old);
            assertThat(harness.state().lastRepeated(old)).isEqualTo(1_011);
        }

        @Test
        void shouldForgetRefreshedExpiriesWhenRepeatsCountNoMore() {
            harness.withRetention(new Retention(100, true));
            harness.similar("old", "copy", 0.9);
            DocumentRef old = original("old", 1_000);
            passTo(1_090);
            harness.verify(REMOTE, LATER, "copy", old);
            passTo(1_100);
            harness.expire();

            harness.withRetention(new Retention(100, false));
            passTo(1_190);
            harness.expire();

            assertThat(harness.state().original(old)).isEmpty();
        }

        @Test
        void shouldReportTheEndOfOriginalsThatWereMatchedAndOfNoOthers() {
            harness.withRetention(new Retention(100, false));
            harness.withReportedEnds();
            harness.similar("old", "copy", 0.9);
            harness.similar("taken back", "copy", 0.9);
            DocumentRef old = original("old", 1_000);
            original("lonely", 1_000);
            harness.origin("taken back", KEY, 1_090);
            DocumentRef takenBack = harness.arrive("taken back");
            harness.answerAll(takenBack);
            harness.verify(REMOTE, LATER, "copy", old, takenBack);
            harness.restart();

            harness.takeTombstone("tombstone", KEY);
            assertThat(harness.ended())
                    .containsExactly(CoordinatorHarness.provenance("taken back").place());
            passTo(1_101);
            harness.expire();
            assertThat(harness.ended())
                    .containsExactly(CoordinatorHarness.provenance("old").place());
        }

        /** Moves event time by unlike documents. */
        private void passTo(long eventMillis) {
            for (int i = 0; i < Originals.EventClock.WITNESSES; i++) {
                original("at " + eventMillis + "/" + i, eventMillis);
            }
        }

        private DocumentRef original(String name, long timestampMillis) {
            harness.origin(name, null, timestampMillis);
            DocumentRef ref = harness.arrive(name);
            harness.answerAll(ref);
            return ref;
        }
    }

    @Nested
    class ReplacingVersions {
        /** The next version is decided in the same step, before the mark of the first one is noted. */
        @Test
        void shouldKeepTheMarkOfAVersionThatIsReplacedWhileItWaitsForItsTurn() {
            harness.withVersions(Versions.REPLACE);
            DocumentRef ahead = harness.arrive("ahead");
            DocumentRef first = version("first", "x");
            DocumentRef next = version("next", "x");
            harness.answerAll(next);
            harness.answer(first, 0, remotes(0, 1_500));
            harness.answer(first, 1, remotes(10_000, 1_500));
            harness.judge(first, new DocumentRef(REMOTE.coordinator(), 0), 0.1, null);

            harness.answerAll(ahead);

            assertThat(harness.released())
                    .extracting(released -> released.decision())
                    .containsExactly(
                            Decision.UNIQUE, new Decision.Unique(Set.of(Bound.CANDIDATES), null), Decision.UNIQUE);
        }

        @Test
        void shouldJudgeAsAnyOtherWhatHasTheIdOfADuplicate() {
            harness.withVersions(Versions.REPLACE);
            harness.similar("other", "old", 0.9);
            harness.similar("other", "new", 0.9);
            DocumentRef other = version("other", "y");
            harness.answerAll(other);
            harness.answerAll(version("old", "x"), other);
            harness.answerAll(version("new", "x"), other);

            assertThat(harness.released())
                    .containsExactly(
                            unique("other"), duplicate("old", other, "y", 0.9), duplicate("new", other, "y", 0.9));
        }

        @Test
        void shouldJudgeAsAnyOtherAfterATombstone() {
            RecordKey key = new RecordKey(1, 2);
            harness.withVersions(Versions.REPLACE);
            harness.similar("other", "new", 0.9);
            DocumentRef other = version("other", "y");
            harness.answerAll(other);
            harness.origin("old", key, 0);
            harness.answerAll(version("old", "x"));
            harness.takeTombstone("tombstone", key);

            harness.answerAll(version("new", "x"), other);

            assertThat(harness.released()).endsWith(unjudged("tombstone"), duplicate("new", other, "y", 0.9));
        }

        private DocumentRef version(String name, String id) {
            harness.id(name, id);
            return harness.arrive(name);
        }
    }
}
