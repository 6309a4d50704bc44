package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.function.IntFunction;
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
class DocumentCoordinatorTest extends CoordinatorHarness {
    private static final DocumentRef REMOTE = new DocumentRef(0, 5);
    private static final DocumentRef OTHER_REMOTE = new DocumentRef(2, 6);
    private static final DocumentRef CHECKER = DocumentRef.ofCheck(7);
    private static final long LONG_AGO = 1;
    private static final long LATER = Long.MAX_VALUE;
    private static final RecordKey KEY = new RecordKey(1, 2);

    private static DocumentRef[] refs(IntStream of, IntFunction<DocumentRef> make) {
        return of.mapToObj(make).toArray(DocumentRef[]::new);
    }

    private static DocumentRef[] remotes(int... sequences) {
        return refs(IntStream.of(sequences), sequence -> new DocumentRef(REMOTE.coordinator(), sequence));
    }

    /** With more candidates than a document may ask about. */
    private void answerWithTooMany(DocumentRef document) {
        answer(document, 0, remotes(IntStream.range(0, 1_500).toArray()));
        answer(document, 1, remotes(IntStream.range(10_000, 11_500).toArray()));
    }

    private static Released uniqueBounded(String name) {
        return new Released(name, new Decision.Unique(Set.of(Bound.CANDIDATES), null));
    }

    /** A document of an id. */
    private DocumentRef version(String name, String id) {
        id(name, id);
        return arrive(name);
    }

    @Nested
    class Asking {
        @Test
        void shouldAskAboutAllTheFirstOfEachIndexPartitionThenTheSecondOfEach() {
            DocumentRef a = arrive("a");

            answer(a, 0, remotes(1, 2, 3, 4, 5, 6));
            answer(a, 1, remotes(7, 1, 8, 9));

            requireSent(verifySent(a, "a", remotes(1, 7, 2, 3, 8, 4, 9, 5, 6)));
        }

        @Test
        void shouldCountHowManyADecidedDocumentAskedAboutAndWasComparedWith() {
            DocumentRef a = arrive("a");
            answerAll(a, REMOTE, OTHER_REMOTE);
            judge(a, REMOTE, 0.3, null);
            assertThat(role().counts().asked().size()).isZero();

            judge(a, OTHER_REMOTE, 0, null);

            assertThat(role().counts().asked().times(2)).isOne();
            assertThat(role().counts().compared().times(1)).isOne();
        }

        @Test
        void shouldAskAgainAndThenAtTwiceTheInterval() {
            DocumentRef a = arrive("a");

            for (int factor : new int[] {1, 2, 2, 2}) {
                pass(10_000 * factor - 1);
                requireNothingSent();
                pass(1);
                requireSent(lookups(a));
            }
        }

        @Test
        void shouldAskAgainOnlyTheBandsThatHaveNotAnswered() {
            DocumentRef a = arrive("a");
            answer(a, 0);

            pass(10_000);

            requireSent(lookups(a)[1]);
        }

        @Test
        void shouldAskAgainOnlyTheCandidatesThatHaveNotAnswered() {
            DocumentRef a = arrive("a");
            long arrivalMillis = nowMillis();
            answerAll(a, REMOTE, OTHER_REMOTE);
            sent();
            judge(a, REMOTE, 0.3, null);

            pass(10_000);

            requireSent(verifySent(a, 1, arrivalMillis, "a", OTHER_REMOTE));
        }

        @Test
        void shouldAskAgainTheOldestFirstAndNoMoreThanTheRulesAllow() {
            askAgainMax = 2;
            DocumentRef a = arrive("a");
            DocumentRef b = arrive("b");
            DocumentRef c = arrive("c");

            pass(10_000);
            requireSent(lookups(a, b));
            pass(0);
            requireSent(lookups(c));
            pass(0);
            requireNothingSent();
        }

        /** Where answers are late as there is too much to do, more requests would make them later. */
        @Test
        void shouldAskAgainForTwiceAsManyAsWereDecided() {
            List<DocumentRef> all =
                    IntStream.range(0, 100).mapToObj(i -> arrive("d" + i)).toList();

            pass(10_000);
            requireSent(lookupsOf(all.subList(0, 25)));
            all.subList(0, 20).forEach(document -> answerAll(document));
            sent();
            pass(1_000);
            requireSent(lookupsOf(all.subList(25, 65)));
            pass(1_000);
            requireSent(lookupsOf(all.subList(65, 90)));
        }

        private Sent[] lookupsOf(List<DocumentRef> documents) {
            return lookups(documents.toArray(DocumentRef[]::new));
        }

        @Test
        void shouldAskAboutTwoThousandAtMostAndMarkThatThereWereMore() {
            DocumentRef d = arrive("d");
            answerWithTooMany(d);

            assertThat(sent())
                    .extracting(sent -> ((Verify) sent.message()).candidates().size())
                    .containsExactly(2_000);
            judge(d, remotes(0)[0], 0.1, null);
            requireReleased(uniqueBounded("d"));
        }
    }

    @Nested
    class Comparing {
        private static final int CUT = 4;

        private void rules(int comparedMax) {
            verifiedMax = comparedMax;
            differencesMax = CUT;
        }

        private DocumentRef original(String name, int differences) {
            return original(name, differences, 0.9);
        }

        private DocumentRef original(String name, int differences, double similarity) {
            sketch(name, differences);
            similar("d", name, similarity);
            return DocumentCoordinatorTest.this.original(name);
        }

        private DocumentRef[] originals(int count, double similarity) {
            return refs(IntStream.range(0, count), i -> original("alike" + i, CUT, similarity));
        }

        /** A document that stays pending. */
        private DocumentRef pending(String name, int differences) {
            sketch(name, differences);
            similar("d", name, 0.9);
            return arrive(name);
        }

        private void ask(DocumentRef... candidates) {
            ask(0, LATER, candidates);
        }

        private void ask(int request, long arrivalMillis, DocumentRef... candidates) {
            sketch("d", 0);
            sent();
            verify(REMOTE, request, arrivalMillis, "d", candidates);
        }

        @Test
        void shouldDropThoseWhoseSketchesDifferInMoreThanTheCutWithoutReadingThem() {
            rules(8);
            DocumentRef far = original("far", CUT + 1);
            DocumentRef near = original("near", CUT);

            ask(far, near);

            requireSent(matchSent(REMOTE, near, 0.9, "near", 1));
            CoordinatorCounts counted = role().counts();
            assertThat(counted.ruledOut()).isOne();
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

            requireSent(matchSent(REMOTE, neighbour(first, "first", 0.8), 3, 1));
            assertThat(role().counts().notCompared()).isOne();
        }

        @Test
        void shouldLetNoYoungerOneYieldToWhoIsADuplicate() {
            rules(8);
            DocumentRef younger = pending("younger", 0);
            DocumentRef original = original("original", CUT);

            ask(0, LONG_AGO, younger, original);

            requireSent(matchSent(REMOTE, original, 0.9, "original", 1));
            answerAll(younger);
            requireNothingSent();
        }

        @Test
        void shouldCompareNoMoreWhereNoneCanBeBetter() {
            rules(8);
            DocumentRef equal = original("equal", 1, 1);
            DocumentRef later = original("later", 1, 1);

            ask(later, equal);

            requireSent(matchSent(REMOTE, equal, 1, "equal", 1));
        }

        @Test
        void shouldWaitForNoneThatIsLessSimilarThanAnOriginal() {
            rules(8);
            DocumentRef pending = pending("pending", 2);
            DocumentRef original = original("original", 1, 0.95);

            ask(pending, original);

            requireSent(matchSent(REMOTE, original, 0.95, "original", 2));
        }

        @Test
        void shouldGiveTheOriginalsOfDuplicatesInTheirPlaceOnce() {
            rules(8);
            DocumentRef copy = arriveAsDuplicate("copy", OTHER_REMOTE, "o");
            DocumentRef another = arriveAsDuplicate("another", OTHER_REMOTE, "o");
            DocumentRef gone = new DocumentRef(COORDINATOR, 99);

            ask(copy, another, gone);

            requireSent(noMatchSent(REMOTE, 0, OTHER_REMOTE));
        }

        @Test
        void shouldLookForNoneInTheStateThatBecameADuplicateWhileItWaitedForItsTurn() {
            rules(16);
            verifiedBytes = 1;
            DocumentRef first = original("first", 1, 0.6);
            DocumentRef copy = pending("copy", 1);
            ask(first, copy);
            answerAll(copy, OTHER_REMOTE);
            judge(copy, OTHER_REMOTE, 0.9, "o");
            sent();
            long readBefore = state().originalsRead();

            workOff();

            requireSent(noMatchSent(REMOTE, 1, OTHER_REMOTE));
            assertThat(state().originalsRead()).isEqualTo(readBefore);
        }

        @Test
        void shouldReadTheSketchesOfAnEarlierEpochWhenTheyAreAskedFor() {
            rules(8);
            DocumentRef far = original("far", CUT + 1);
            restart();
            assertThat(role().counts().sketches()).isZero();

            ask(far);

            requireSent(noMatchSent(REMOTE, 0));
            assertThat(role().counts().sketches()).isOne();
        }

        @Test
        void shouldReadAnOriginalOnceForItsSketchAndTheComparisonAndForgetItWithItsEnd() {
            rules(8);
            RecordKey key = new RecordKey(8, 8);
            origin("near", key, 0);
            DocumentRef near = original("near", 0);
            restart();
            long readBefore = state().originalsRead();
            ask(near);
            assertThat(answers().get(0).nearest()).hasSize(1);
            assertThat(state().originalsRead()).isEqualTo(readBefore + 1);

            takeTombstone("tombstone", key);
            verify(CHECKER, LATER, "d", near);
            assertThat(answers().get(0).nearest()).isEmpty();
        }

        @Test
        void shouldCountNothingAndKeepNoSketchForACheck() {
            rules(1);
            DocumentRef near = original("near", 0);
            DocumentRef next = original("next", 1);
            DocumentRef far = original("far", CUT + 1);
            restart();
            sketch("d", 0);

            verify(CHECKER, LATER, "d", far, next, near);

            Answer answer = answers().get(0);
            assertThat(answer.compared()).isOne();
            assertThat(answer.notCompared()).isEqualTo(2);
            CoordinatorCounts counts = role().counts();
            assertThat(counts.sketches()).isZero();
            assertThat(List.of(counts.ruledOut(), counts.notCompared())).containsOnly(0L);
        }

        @Test
        void shouldCompareThoseThatShareTheMostBandsForOneWithoutASketch() {
            rules(1);
            DocumentRef far = original("far", CUT + 1, 0.6);
            DocumentRef other = original("other", CUT + 1, 0.8);

            verify(REMOTE, LATER, "d", far, other);

            requireSent(answerSent(REMOTE, List.of(), DocumentRefs.NONE, DocumentRefs.NONE, 1, 1));
        }

        @Test
        void shouldReadNoneOfManyWhoseBitmapProvesThatItIsUnlike() {
            rules(64);
            areBitmapped = true;
            DocumentRef[] alike = originals(8, 0.6);
            ask(alike);
            assertThat(answers().get(0).compared()).isEqualTo(8);
            similar("d", "alike3", 0.9);

            ask(1, LATER, alike);

            assertThat(answers().get(0).compared()).isOne();
        }

        @Test
        void shouldReadNoneOfManyWhoseBitmapProvesThatItIsLessSimilarThanAnOriginal() {
            rules(64);
            areBitmapped = true;
            DocumentRef best = original("best", 0, 0.95);
            DocumentRef[] alike = originals(8, 0.8);
            ask(alike);

            ask(1, LATER, Stream.concat(Stream.of(best), Stream.of(alike)).toArray(DocumentRef[]::new));

            assertThat(answers().get(0).compared()).isOne();
        }

        /** What was taken before the first answer of a flood is more than an instance may have in flight. */
        @Test
        void shouldReckonWithTheCandidatesThatAreStillToBeReturned() {
            answerAll(arrive("a"), remotes(IntStream.range(0, 640).toArray()));
            long returned = role().candidateBytes();

            arrive("b");
            arrive("c");

            assertThat(returned).isEqualTo(640 * 8);
            assertThat(role().candidateBytes()).isEqualTo(returned + returned / 32);
        }

        /** Each once, though two index partitions return it. */
        @Test
        void shouldKnowHowMuchHeapTheCandidatesOfPendingDocumentsTake() {
            DocumentRef a = arrive("a");
            answer(a, 0, remotes(1, 2, 3));
            answer(a, 1, remotes(3, 2));
            assertThat(role().candidateBytes()).isEqualTo(24);

            judge(a, remotes(1)[0], 0, null);

            assertThat(role().candidateBytes()).isZero();
        }

        @Test
        void shouldAnswerARequestThatComesWhileAnotherIsOpenByItself() {
            rules(8);
            verifiedBytes = 1;
            DocumentRef a = original("a", 1);
            DocumentRef b = original("b", 2);
            ask(a);

            verify(REMOTE, 1, LATER, "d", b);
            verify(REMOTE, 1, LATER, "d", b);
            workOff();

            assertThat(answers()).extracting(Answer::request).containsExactly(0, 1);
        }
    }

    /** What of originals that are no match is told, where that is wanted. */
    @Nested
    class NearestBelow {
        private @Nullable Neighbour below(int request, DocumentRef... candidates) {
            sent();
            verify(REMOTE, request, LATER, "d", candidates);
            role().verifyMore();
            return answers().get(0).nearestBelow();
        }

        private DocumentRef original(String name, double similarity) {
            similar("d", name, similarity);
            return DocumentCoordinatorTest.this.original(name);
        }

        /** With bitmaps, which know all here, most are ruled out as matches, and so are not compared otherwise. */
        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void shouldBeTheMostSimilarOfAllAndOfEqualOnesTheFirst(boolean byBitmaps) {
            reportsNearestBelow = true;
            areBitmapped = byBitmaps;
            Random random = new Random(5);
            Map<DocumentRef, Neighbour> all = new TreeMap<>();
            for (int i = 0; i < 30; i++) {
                double similarity = random.nextInt(7) / 10.0;
                DocumentRef ref = original("o" + i, similarity);
                all.put(ref, neighbour(ref, "o" + i, similarity));
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
            reportsNearestBelow = true;
            begin();

            assertThat(below(1, near, match)).isNull();
            assertThat(below(2, match, near)).isNull();
            assertThat(below(3, near)).isNotNull();
        }

        @Test
        void shouldBeNoneThatIsUndecided() {
            reportsNearestBelow = true;
            similar("d", "pending", 0.6);

            assertThat(below(0, arrive("pending"))).isNull();
        }

        @Test
        void shouldComeWithTheDecisionAlsoAfterARestart() {
            reportsNearestBelow = true;
            DocumentRef first = arrive("first");
            DocumentRef document = arrive("a");
            answerAll(document, REMOTE, OTHER_REMOTE);
            Neighbour nearest = neighbour(OTHER_REMOTE, "o", 0.6);
            answerThatNoneMatches(document, 0, neighbour(REMOTE, "r", 0.5));
            answerThatNoneMatches(document, 1, nearest);
            restart();
            answerAll(first);

            requireReleased(unique("first"), new Released("a", new Decision.Unique(Set.of(), nearest)));
        }

        private void answerThatNoneMatches(DocumentRef asker, int request, Neighbour below) {
            receive(new Answer(asker, epoch(), request, List.of(), below, DocumentRefs.NONE, DocumentRefs.NONE, 1, 0));
        }
    }

    @Nested
    class AskedByACheck {
        private Answer answerToCheck() {
            List<Sent> sent = sent();
            assertThat(sent).extracting(Sent::receiver).containsExactly(CHECKER.coordinator());
            return (Answer) sent.get(0).message();
        }

        @Test
        void shouldReturnOriginalsAndPendingOnesWhateverTheirSimilarity() {
            similar("asked", "a", 0.3);
            similar("asked", "b", 0.9);
            DocumentRef a = original("a");
            DocumentRef b = arrive("b");

            verify(CHECKER, LATER, "asked", a, b, new DocumentRef(COORDINATOR, 77));

            Answer answer = answerToCheck();
            assertThat(answer.nearest())
                    .containsExactly(new Neighbour(b, "b", provenance("b"), seen(0.9), true), neighbour(a, "a", 0.3));
            assertThat(answer.compared()).isEqualTo(2);
        }

        /** It asks about its own candidate alone, and nobody waits for it. */
        @Test
        void shouldLeaveAPendingDocumentAsItIs() {
            similar("asked", "a", 0.9);
            DocumentRef a = arrive("a");
            answer(a, 0, REMOTE);
            verify(CHECKER, LATER, "asked", a);
            sent();

            answer(a, 1);
            requireSent(verifySent(a, "a", REMOTE));
            judge(a, REMOTE, 0.1, "r");

            requireReleased(unique("a"));
            requireNothingSent();
        }

        @Test
        void shouldReturnTheNearestAloneAndCountTheRest() {
            verifiedMax = 15;
            DocumentRef[] originals = refs(IntStream.range(0, 20), i -> {
                similar("asked", "o" + i, i / 20.0);
                return original("o" + i);
            });

            verify(CHECKER, LATER, "asked", originals);

            Answer answer = answerToCheck();
            assertThat(answer.compared()).isEqualTo(15);
            assertThat(answer.notCompared()).isEqualTo(5);
            assertThat(answer.nearest()).hasSize(Neighbour.CHECK_NEAREST_MAX);
            assertThat(answer.nearest().get(0).ref()).isEqualTo(originals[14]);
        }

        /** The bound is of all steps until the next turn: Kafka Streams looks at the time only now and then. */
        @Test
        void shouldBeAnsweredBehindDocuments() {
            verifiedBytes = 1;
            DocumentRef a = original("a");

            verify(REMOTE, LATER, "r", a);
            verify(CHECKER, LATER, "asked", a);
            verify(OTHER_REMOTE, LATER, "r", a);
            workOff();

            assertThat(answers()).extracting(Answer::asker).containsExactly(REMOTE, OTHER_REMOTE, CHECKER);
        }
    }

    @Nested
    class Deciding {
        /** At the threshold it is one, and of equally similar originals it repeats the first. */
        @ParameterizedTest
        @CsvSource({"0.8, 0.9, 2", "0.9, 0.8, 0", "0.8, 0.8, 0", "0.7, 0, 0"})
        void shouldBeADuplicateOfTheMostSimilarOriginal(double ofRemote, double ofOther, int expected) {
            DocumentRef a = arrive("a");
            answerAll(a, REMOTE, OTHER_REMOTE);

            judge(a, OTHER_REMOTE, ofOther, "2");
            requireReleased();
            judge(a, REMOTE, ofRemote, "0");

            DocumentRef original = expected == 0 ? REMOTE : OTHER_REMOTE;
            requireReleased(duplicate("a", original, "" + expected, Math.max(ofRemote, ofOther)));
        }

        @Test
        void shouldIgnoreAnAnswerThatWasNotAskedFor() {
            DocumentRef a = arrive("a");

            judge(a, REMOTE, 0.8, "r");
            answerAll(a);

            requireReleased(unique("a"));
        }

        @Test
        void shouldNeverBeADuplicateOfADuplicate() {
            DocumentRef a = original("a");
            similar("a", "b", 0.8);
            similar("b", "c", 0.8);
            DocumentRef b = arrive("b");
            DocumentRef c = arrive("c");

            answerAll(c, a, b);
            requireReleased();
            answerAll(b, a);

            requireReleased(duplicate("b", a, "a", 0.8), unique("c"));
        }
    }

    /** A document that has one match, and waits for answers that may bring a more similar one. */
    @Nested
    class CertainToBeADuplicate {
        /** It is an original before, as it need not wait for one that is certain to be a duplicate. */
        @Test
        void shouldRepeatNoneThatCameLaterWhereAnEarlierOneMatches() {
            similar("d", "less", 0.75);
            similar("d", "more", 0.85);
            similar("later", "d", 0.95);
            DocumentRef less = original("less");
            DocumentRef more = original("more");
            DocumentRef d = arrive("d");
            DocumentRef later = arrive("later");

            answerAll(later, d);
            answerAll(d, less, later, more);

            assertThat(released()).contains(duplicate("d", more, "more", 0.85));
        }

        @Test
        void shouldAskAnOlderOneAgainThatWasSuchAndAsksItselfAfterACrash() {
            DocumentRef open = new DocumentRef(3, 2);
            similar("a", "r", 0.9);
            DocumentRef a = arrive("a");
            answerAll(a, REMOTE, open);
            sent();
            redirect(a, REMOTE, open);

            verify(REMOTE, LONG_AGO, "r", a);
            judge(a, open, 0.3, "open");

            requireSent(noMatchSent(REMOTE, 1), verifySent(a, 2, nowMillis(), "a", REMOTE));
            requireReleased();
        }
    }

    @Nested
    class WaitedFor {
        @Test
        void shouldBeComparedOnceWithWhoAsksAgain() {
            similar("a", "d", 0.9);
            DocumentRef a = arrive("a");

            verify(REMOTE, LATER, "d", a);
            verify(REMOTE, LATER, "d", a);
            answerAll(a);

            requireSent(matchSent(REMOTE, a, 0.9, "a", 1));
        }

        @Test
        void shouldBeComparedWithAnotherThatHasTheNumberInALaterEpoch() {
            similar("a", "d", 0.9);
            similar("a", "e", 0.8);
            DocumentRef a = arrive("a");

            verify(REMOTE, LATER, "d", a);
            receive(new Verify(REMOTE, 2, 0, LATER, evidence("e"), BitSketch.NONE, DocumentRefs.of(List.of(a))));
            verify(REMOTE, LATER, "d", a);
            answerAll(a);

            List<Neighbour> best = List.of(neighbour(a, "a", 0.8));
            assertThat(answers())
                    .contains(new Answer(REMOTE, 2, 0, best, null, DocumentRefs.NONE, DocumentRefs.NONE, 1, 0))
                    .doesNotHaveDuplicates();
        }

        @Test
        void shouldAnswerAtOnceForAPendingOneBelowTheThreshold() {
            similar("a", "r", 0.6);
            DocumentRef a = arrive("a");

            verify(REMOTE, LATER, "r", a);

            requireSent(noMatchSent(REMOTE, 1));
        }
    }

    /** Where a document has many candidates, or met a bound: as with many copies in flight. */
    @Nested
    class Redirected {
        private final DocumentRef copy = new DocumentRef(0, 1);
        private final DocumentRef other = new DocumentRef(3, 2);

        @Test
        void shouldAskTogetherWhenAllHaveAnswered() {
            verifiedMax = 2;
            DocumentRef repeated = new DocumentRef(2, 7);
            DocumentRef a = arrive("a");
            answerAll(a, copy, other);
            sent();

            redirect(a, copy, OTHER_REMOTE);
            requireNothingSent();
            redirect(a, other, repeated);

            requireSent(verifySent(a, 2, nowMillis(), "a", OTHER_REMOTE, repeated));
        }

        @Test
        void shouldFollowNoRedirectWhereOneIsAMatch() {
            verifiedMax = 2;
            DocumentRef a = arrive("a");
            answerAll(a, copy, other);
            sent();

            judge(a, other, 0.8, "other");
            redirect(a, copy, OTHER_REMOTE);

            requireReleased(duplicate("a", other, "other", 0.8));
            requireSent(removes(a));
        }

        @Test
        void shouldFollowNoRedirectWhereThereAreFew() {
            DocumentRef a = arrive("a");
            answerAll(a, copy);
            sent();

            redirect(a, copy, OTHER_REMOTE);

            requireNothingSent();
            requireReleased(unique("a"));
        }

        @Test
        void shouldFollowRedirectsAfterABoundThoughItAskedAboutFew() {
            DocumentRef original = new DocumentRef(2, 7);
            DocumentRef a = arrive("a");
            answer(a, 0, new Found(DocumentRefs.of(List.of(copy)), 0, 1));
            answer(a, 1);
            sent();

            redirect(a, copy, original);

            requireSent(verifySent(a, 1, nowMillis(), "a", original));
        }

        @Test
        void shouldAskNobodyTwice() {
            DocumentRef a = arrive("a");
            answer(a, 0, new Found(DocumentRefs.of(List.of(copy, OTHER_REMOTE)), 1, 0));
            answer(a, 1);
            sent();

            redirect(a, copy, OTHER_REMOTE);
            judge(a, OTHER_REMOTE, 0, null);

            requireNothingSent();
        }

        @Test
        void shouldRedirectWhoAsksToTheOldestItYieldedTo() {
            DocumentRef older = new DocumentRef(0, 1);
            DocumentRef oldest = new DocumentRef(0, 2);
            DocumentRef last = new DocumentRef(0, 3);
            List.of("r", "o", "p").forEach(asker -> similar("a", asker, 0.8));
            DocumentRef a = arrive("a");

            verify(older, LONG_AGO + 1, "r", a);
            verify(oldest, LONG_AGO, "o", a);
            verify(last, LONG_AGO + 2, "p", a);

            requireSent(noMatchSent(older, 1), noMatchSent(oldest, 1, older), noMatchSent(last, 1, oldest));
        }
    }

    @Nested
    class Restarting {
        @Test
        void shouldAskACoordinatorThatHasStartedAgainForTheOldestFewAlone() {
            askAgainMax = 1;
            DocumentRef a = arrive("a");
            answerAll(a, REMOTE);
            answerAll(arrive("b"), REMOTE);
            sent();

            receive(new Started(REMOTE.coordinator()));

            requireSent(verifySent(a, "a", REMOTE));
        }

        @Test
        void shouldLetOthersGoOnWhileAYoungerOneIsStillToComeAgain() {
            similar("a", "r", 0.8);
            DocumentRef a = arrive("a");
            stop();

            verify(REMOTE, LONG_AGO, "r", a);

            requireSent(noMatchSent(REMOTE, 0));
        }

        @Test
        void shouldAnswerForOneThatIsSkippedWhenReadAgain() {
            similar("a", "r", 0.8);
            DocumentRef a = arrive("a");
            stop();
            verify(REMOTE, LATER, "r", a);

            role().pass(at(1), "t", nowMillis());
            pass(1_000);

            requireSent(unknownSent(REMOTE, a));
            assertThat(role().awaitedTopics()).isEmpty();
        }

        @Test
        void shouldNotWaitForEverForOneThatIsGoneFromTheInput() {
            DocumentRef a = arrive("a");
            stop();
            verify(REMOTE, LATER, "r", a);

            pass(1_000);
            pass(600_000);
            requireNothingSent();
            pass(1);

            requireSent(noMatchSent(REMOTE, 0));
        }

        @Test
        void shouldAnswerForAnOriginalThatIsStillToComeAgain() {
            similar("b", "r", 0.8);
            arrive("a");
            DocumentRef b = original("b");
            stop();

            verify(REMOTE, LATER, "r", b);

            requireSent(matchSent(REMOTE, b, 0.8, "b", 1));
        }

        @Test
        void shouldAnswerWhoWaitedForOneThatIsNoDocumentAnyMore() {
            DocumentRef a = arrive("a");
            stop();
            verify(REMOTE, LATER, "r", a);

            role().pass(at(0), "a", nowMillis());

            requireSent(noMatchSent(REMOTE, 0));
            requireReleased(unjudged("a"));
        }

        /**
         * The records were deleted from the input before they had left, and the coordinator is made to go on without
         * them.
         */
        @Test
        void shouldForgetOriginalsThatNeverLeftAndAreGone() {
            similar("b", "r", 0.9);
            arrive("a");
            DocumentRef b = original("b");
            assertThat(isOriginal(b)).isTrue();
            stop();

            role().pass(at(2), "c", nowMillis());

            assertThat(isOriginal(b)).isFalse();
            requireSent(removes(b));
            verify(REMOTE, LATER, "r", b);
            requireSent(unknownSent(REMOTE, b));
        }

        @Test
        void shouldBeDrainedThoughWhatItHadToReadAgainIsGoneFromTheInput() {
            arrive("first, which waits");
            DocumentRef decided = arrive("decided");
            answerAll(decided);
            stop();
            role().migrationSource().fix(List.of(TOPIC), topic -> 40);
            assertThat(role().migrationSource().isDrained()).isFalse();

            role().skipHandedOver(at(2));

            assertThat(role().migrationSource().isDrained()).isTrue();
            assertThat(isOriginal(decided)).as("it has not left").isFalse();
            stop();
            assertThat(role().migrationSource().isDrained()).isTrue();
        }

        /** A topic that comes later it leaves as a whole: the successor gets no position of it. */
        @Test
        void shouldLeaveToASuccessorWhatItLeftBefore() {
            role().migrationSource().fix(List.of(TOPIC), topic -> 40);
            role().migrationSource().noteEmpty();
            stop();

            MigrationSource source = role().migrationSource();
            assertThat(source.current()).hasValue(new MigrationSource.Handover(Map.of(TOPIC, 40L), true));
            assertThat(source.isDrained()).isTrue();
            assertThat(source.isHandedOver(new InputOffset("later", 0))).isTrue();
            assertThat(source.isHandedOver(at(39))).isFalse();
        }

        @Test
        void shouldAnswerWhatADuplicateRepeatsThatWasDecidedBefore() {
            arrive("a");
            DocumentRef b = arriveAsDuplicate("b", OTHER_REMOTE, "o");
            restart();
            sent();

            verify(REMOTE, LATER, "r", b);

            requireSent(noMatchSent(REMOTE, 0, OTHER_REMOTE));
        }
    }

    /** What a step leaves for later ones. */
    @Nested
    class Bounds {
        @ParameterizedTest
        @CsvSource({"NaN, false, 1", "0.9, false, 0", "0.9, true, 1"})
        void shouldCountASecondComparisonOfAMatch(double ofWhole, boolean isKnownAtOnce, int answeredAtOnce) {
            verifiedBytes = 4_000;
            whole = ofWhole;
            isWholeAtOnce = isKnownAtOnce;
            String asker = "r".repeat(1_000);
            similar("a".repeat(1_000), asker, 0.8);
            DocumentRef a = original("a".repeat(1_000));
            DocumentRef b = original("b".repeat(1_000));

            verify(REMOTE, LATER, asker, a, b);

            assertThat(sent()).hasSize(answeredAtOnce);
        }

        @Test
        void shouldCountWhatCostsAReadAlone() {
            verifiedBytes = 1_500;

            verify(REMOTE, LATER, "r", refs(IntStream.of(901, 902, 903), gone -> new DocumentRef(COORDINATOR, gone)));

            requireNothingSent();
            assertThat(role().hasQueuedRequests()).isTrue();
            role().verifyMore();
            assertThat(sent()).hasSize(1);
        }
    }

    @Nested
    class Withdrawing {
        @Test
        void shouldKnowWhatAnEarlierEpochDecided() {
            arrive("a");
            original("b");
            assertThat(role().decisionOfEarlierEpoch(at(1))).as("in this epoch").isEmpty();

            stop();

            assertThat(role().decisionOfEarlierEpoch(at(1))).contains(Decision.UNIQUE);
            assertThat(Stream.of(at(0), at(2), new InputOffset("another", 1)))
                    .allSatisfy(
                            at -> assertThat(role().decisionOfEarlierEpoch(at)).isEmpty());
        }

        @Test
        void shouldNoteADuplicateThatMustWaitUntilItHasLeft() {
            DocumentRef a = arrive("a");
            DocumentRef b = arrive("b");

            answerAll(b, REMOTE);
            judge(b, REMOTE, 0.8, "r");
            assertThat(state().decision(b))
                    .contains(duplicate("b", REMOTE, "r", 0.8).decision());
            answerAll(a);

            assertThat(state().decisions()).isZero();
        }

        @Test
        void shouldForgetNothingOfADuplicateThatCannotLeaveAsOne() {
            similar("original", "copy", 0.9);
            DocumentRef original = original("original");
            refuse("copy");

            answerAll(arrive("copy"), original);

            requireReleased(unjudged("copy"));
            assertThat(isOriginal(original)).isTrue();
            assertThat(state().decisions()).isZero();
        }
    }

    @Nested
    class Expiring {
        private static final Retention BRIEF = new Retention(100, false);
        private static final Retention REFRESHED = new Retention(100, true);

        private DocumentRef original(String name, long timestampMillis) {
            return original(name, null, timestampMillis);
        }

        private DocumentRef original(String name, @Nullable RecordKey key, long timestampMillis) {
            origin(name, key, timestampMillis);
            return DocumentCoordinatorTest.this.original(name);
        }

        /** Moves event time by unlike documents. */
        private void passTo(long eventMillis) {
            for (int i = 0; i < Originals.EventClock.WITNESSES; i++) {
                original("at " + eventMillis + "/" + i, eventMillis);
            }
        }

        /** Whether it is an original still, when event time has passed. */
        private boolean outlives(DocumentRef original, long eventMillis) {
            passTo(eventMillis);
            expire();
            return isOriginal(original);
        }

        private DocumentRef[] originalsOfTheKey(int count) {
            return refs(IntStream.range(0, count), i -> original("key" + i, KEY, 0));
        }

        @Test
        void shouldKeepTheDecisionOfWhatItForgetsWhileItIsHeld() {
            DocumentRef a = arrive("a");
            DocumentRef b = original("b", KEY, 0);

            takeTombstone("tombstone", KEY);

            assertThat(isOriginal(b)).isFalse();
            assertThat(state().decision(b)).contains(Decision.UNIQUE);
            answerAll(a);
            assertThat(state().decisions()).isZero();
        }

        @Test
        void shouldForgetWhatHasExpiredTheOldestFirstInSlices() {
            retention = BRIEF;
            originalsAStep = new Slice(2, Long.MAX_VALUE);
            DocumentRef[] old = refs(IntStream.range(0, 3), i -> original("old" + i, 1_000 + i));
            passTo(1_102);

            assertThat(expire()).isTrue();
            assertThat(isOriginal(old[2])).isTrue();
            requireSent(removes(old[0], old[1]));
            assertThat(expire()).isFalse();
            assertThat(isOriginal(old[2])).isFalse();
        }

        @Test
        void shouldForgetWhatHasExpiredBehindAnOriginalThatIsDatedFarAhead() {
            retention = BRIEF;
            passTo(1_000);
            DocumentRef ahead = original("ahead", 500_000);
            DocumentRef old = original("old", 1_000);

            assertThat(outlives(old, 1_100)).isFalse();
            assertThat(outlives(ahead, 500_099)).isTrue();
            assertThat(outlives(ahead, 500_100)).isFalse();
        }

        @Test
        void shouldForgetNoMoreBytesInAStepThanItsBound() {
            retention = BRIEF;
            originalsAStep = new Slice(100, "old0".length() + 1);
            DocumentRef[] old = refs(IntStream.range(0, 4), i -> original("old" + i, 1_000 + i));
            passTo(1_200);

            assertThat(expire()).isTrue();
            assertThat(isOriginal(old[1])).isFalse();
            assertThat(isOriginal(old[2])).isTrue();
            while (expire()) {
                // A slice after the other.
            }
            assertThat(isOriginal(old[3])).isFalse();
        }

        @Test
        void shouldRemoveWhatATombstoneEndsInSlices() {
            originalsAStep = new Slice(2, Long.MAX_VALUE);
            DocumentRef[] originals = originalsOfTheKey(5);

            takeTombstone("tombstone", KEY);

            requireReleased(unjudged("tombstone"));
            requireSent(removes(originals[0], originals[1]));
            assertThat(expire()).isTrue();
            requireSent(removes(originals[2], originals[3]));
            assertThat(state().tombstones()).isNotEmpty();
            assertThat(expire()).isFalse();
            requireSent(removes(originals[4]));
            assertThat(state().tombstones()).isEmpty();
        }

        /** A look passes what was removed: of a key with a million originals it would take hours in all. */
        @Test
        void shouldGoOnBehindTheLastSliceThatATombstoneRemoved() {
            originalsAStep = new Slice(2, Long.MAX_VALUE);
            DocumentRef[] originals = originalsOfTheKey(7);
            lookedFrom.clear();

            takeTombstone("tombstone", KEY);
            assertThat(expire()).isTrue();
            takeTombstone("of another key", new RecordKey(7, 7));
            while (expire()) {
                // A slice after the other.
            }

            assertThat(lookedFrom)
                    .filteredOn(from -> from <= originals[6].sequence())
                    .containsExactly(0L, 0L, 0L, originals[3].sequence() + 1, originals[5].sequence() + 1, 0L);
        }

        /** By replacement it would be unique whatever it resembles. */
        @Test
        void shouldNotReplaceAVersionWithATombstoneAndNotRemovedYet() {
            versions = Versions.REPLACE;
            originalsAStep = new Slice(1, Long.MAX_VALUE);
            id("key1", "x");
            originalsOfTheKey(2);
            takeTombstone("tombstone", KEY);
            released();

            DocumentRef after = version("new", "x");
            answerAll(after, REMOTE);
            judge(after, REMOTE, 0.8, "r");

            requireReleased(duplicate("new", REMOTE, "r", 0.8));
        }

        @Test
        void shouldNotMatchWhatHasExpiredBeforeItIsForgotten() {
            retention = BRIEF;
            similar("old", "later", 0.9);
            DocumentRef old = original("old", 1_000);
            passTo(1_100);

            verify(REMOTE, LATER, "later", old);

            requireSent(noMatchSent(REMOTE, 0));
        }

        @Test
        void shouldRememberWhatIsRepeatedForTheRetentionFromThenOn() {
            retention = REFRESHED;
            similar("old", "copy", 0.9);
            DocumentRef old = original("old", 1_000);
            DocumentRef quiet = original("quiet", 1_000);
            passTo(1_090);
            verify(REMOTE, LATER, "copy", old);

            assertThat(outlives(old, 1_189)).isTrue();
            assertThat(isOriginal(quiet)).isFalse();
            sent();
            verify(REMOTE, LATER, "copy", old);
            requireSent(matchSent(REMOTE, old, 0.9, "old", 1));
            assertThat(outlives(old, 1_288)).isTrue();
            assertThat(outlives(old, 1_289)).isFalse();
            assertThat(sent()).contains(removes(old));
        }

        @Test
        void shouldNotTakeForRepeatedWhatIsOnlyAskedFor() {
            retention = REFRESHED;
            similar("old", "unlike", Math.nextDown(THRESHOLD));
            similar("old", "checked", 0.9);
            DocumentRef old = original("old", 1_000);
            passTo(1_090);
            verify(REMOTE, LATER, "unlike", old);
            verify(CHECKER, LATER, "checked", old);
            role().verifyMore();

            assertThat(outlives(old, 1_100)).isFalse();
        }

        /** The clock that another relies on is noted for documents alone. */
        @Test
        void shouldNoteNothingForACheckOfWhatHasExpired() {
            retention = BRIEF;
            DocumentRef old = original("old", 1_000);
            passTo(1_100);

            verify(CHECKER, LATER, "checked", old);
            workOff();

            assertThat(state().expiry()).isEqualTo(CoordinatorState.Expiry.NONE);
        }

        @Test
        void shouldTakeForRepeatedWhatAnotherWaitedForWhilePending() {
            retention = REFRESHED;
            passTo(1_090);
            similar("late", "copy", 0.9);
            origin("late", null, 1_000);
            DocumentRef late = arrive("late");
            verify(REMOTE, LATER, "copy", late);
            answerAll(late);

            assertThat(outlives(late, 1_150)).isTrue();
        }

        @Test
        void shouldNoteRepeatsOnlyAHundredTimesARetention() {
            retention = new Retention(1_000, true);
            similar("old", "copy", 0.9);
            DocumentRef old = original("old", 1_000);

            passTo(1_010);
            verify(REMOTE, LATER, "copy", old);
            assertThat(state().lastRepeated(old)).isZero();
            passTo(1_011);
            verify(REMOTE, LATER, "copy", old);
            assertThat(state().lastRepeated(old)).isEqualTo(1_011);
        }

        @Test
        void shouldForgetRefreshedExpiriesWhenRepeatsCountNoMore() {
            retention = REFRESHED;
            similar("old", "copy", 0.9);
            DocumentRef old = original("old", 1_000);
            passTo(1_090);
            verify(REMOTE, LATER, "copy", old);
            assertThat(outlives(old, 1_100)).isTrue();

            retention = BRIEF;
            begin();

            assertThat(outlives(old, 1_190)).isFalse();
        }

        @Test
        void shouldReportTheEndOfOriginalsThatWereMatchedAndOfNoOthers() {
            retention = BRIEF;
            reportsEnds = true;
            similar("old", "copy", 0.9);
            similar("taken back", "copy", 0.9);
            DocumentRef old = original("old", 1_000);
            DocumentRef lonely = original("lonely", 1_000);
            DocumentRef takenBack = original("taken back", KEY, 1_090);
            verify(REMOTE, LATER, "copy", old, takenBack, lonely);
            restart();

            takeTombstone("tombstone", KEY);
            assertThat(ended()).containsExactly(provenance("taken back").place());
            passTo(1_101);
            expire();
            assertThat(ended()).containsExactly(provenance("old").place());
        }
    }

    @Nested
    class ReplacingVersions {
        @BeforeEach
        void replace() {
            versions = Versions.REPLACE;
        }

        /** The next version is decided in the same step, before the mark of the first one is noted. */
        @Test
        void shouldKeepTheMarkOfAVersionThatIsReplacedWhileItWaitsForItsTurn() {
            DocumentRef ahead = arrive("ahead");
            DocumentRef first = version("first", "x");
            answerAll(version("next", "x"));
            answerWithTooMany(first);
            judge(first, remotes(0)[0], 0.1, null);

            answerAll(ahead);

            requireReleased(unique("ahead"), uniqueBounded("first"), unique("next"));
        }

        @Test
        void shouldJudgeAsAnyOtherWhatHasTheIdOfADuplicate() {
            similar("other", "old", 0.9);
            similar("other", "new", 0.9);
            DocumentRef other = original("other");

            answerAll(version("old", "x"), other);
            answerAll(version("new", "x"), other);

            requireReleased(duplicate("old", other, "other", 0.9), duplicate("new", other, "other", 0.9));
        }

        @Test
        void shouldJudgeAsAnyOtherAfterATombstone() {
            similar("other", "new", 0.9);
            DocumentRef other = original("other");
            origin("old", KEY, 0);
            answerAll(version("old", "x"));
            takeTombstone("tombstone", KEY);

            answerAll(version("new", "x"), other);

            assertThat(released()).endsWith(unjudged("tombstone"), duplicate("new", other, "other", 0.9));
        }
    }
}
