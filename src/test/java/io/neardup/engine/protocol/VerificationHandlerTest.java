package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.Message.Answer;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What waits for its turn, or for a document that has still to be read again, is bounded. */
class VerificationHandlerTest extends CoordinatorHarness {
    private static final DocumentRef ASKER = new DocumentRef(0, 1);
    private static final DocumentRef OTHER = new DocumentRef(2, 1);

    /** Of these the bound allows one. */
    private static Verify large(DocumentRef asker, int epoch, DocumentRef... candidates) {
        return request(40 << 20, asker, epoch, candidates);
    }

    private static Verify request(int bytes, DocumentRef asker, int epoch, DocumentRef... candidates) {
        Evidence evidence = Evidence.of(new byte[bytes]);
        return new Verify(
                asker, epoch, 0, Long.MAX_VALUE, evidence, BitSketch.NONE, DocumentRefs.of(List.of(candidates)));
    }

    private long dropped() {
        return role().counts().requestsDropped();
    }

    @Test
    void shouldDropAndCountWhatComesAfterTheBound() {
        VerificationHandler.SessionQueue open = new VerificationHandler.SessionQueue(64 << 20, new ArrayDeque<>());
        for (int asker = 1; asker <= 4; asker++) {
            if (open.tryAdmit()) {
                open.add(new VerificationSession(large(new DocumentRef(1, asker), 1, OTHER), 1, answer -> {}));
            }
        }
        assertThat(open.dropped).isEqualTo(2);

        open.removeFirst();
        open.removeFirst();

        assertThat(open.queued).isEmpty();
        assertThat(open.tryAdmit()).isTrue();
        assertThat(open.dropped).isEqualTo(2);
    }

    @Test
    void shouldAnswerACheckOfATextThatIsLongerThanTheBound() {
        DocumentRef a = original("a");
        DocumentRef check = DocumentRef.ofCheck(1);

        receive(request(17 << 20, check, 1, a));
        role().verifyMore();

        assertThat(answered()).contains(check);
    }

    @Test
    void shouldAnswerOthersWhileSuspendedRequestsWait() {
        DocumentRef a = arrive("a");
        answerAll(a);
        DocumentRef notDecided = arrive("b");
        original("c");
        stop();
        receive(large(ASKER, 1, notDecided));

        receive(large(OTHER, 1, a));
        role().verifyMore();

        assertThat(dropped()).isZero();
        assertThat(answered()).contains(OTHER);
    }

    @Test
    void shouldAnswerTheOldestFirst() {
        DocumentRef a = original("a");

        role().receive(List.of(request(10, OTHER, 1, a), request(10, ASKER, 1, a)));
        role().verifyMore();

        assertThat(answered()).containsExactly(ASKER, OTHER);
    }

    private List<DocumentRef> answered() {
        return answers().stream().map(Answer::asker).toList();
    }

    @Test
    void shouldAnswerWhatWasNotSuspendedAtTheBoundWhenItIsAskedAgain() {
        DocumentRef a = arrive("a");
        stop();
        receive(large(ASKER, 1, a));
        receive(large(OTHER, 1, a));
        assertThat(dropped()).isOne();
        readAgain();
        sent();

        receive(large(OTHER, 1, a));
        role().verifyMore();

        assertThat(answered()).containsExactly(OTHER);
    }

    /** All that a request asks about share its evidence. */
    @Test
    void shouldCountTheEvidenceOfASuspendedRequestOnce() {
        DocumentRef[] all = {arrive("a"), arrive("b"), arrive("c")};
        stop();

        receive(large(ASKER, 1, all));

        assertThat(dropped()).isZero();
        receive(large(OTHER, 1, all[0]));
        assertThat(dropped()).isOne();
        receive(request(1, ASKER, 2, all));
        receive(large(OTHER, 1, all[0]));
        assertThat(dropped()).isOne();
    }

    @Test
    void shouldKeepNothingOfARequestThatCannotBeSuspendedAsAWhole() {
        DocumentRef a = arrive("a");
        DocumentRef b = arrive("b");
        stop();
        receive(request((64 << 20) - Long.BYTES, ASKER, 1, a, b));
        assertThat(dropped()).isOne();
        assertThat(role().awaitedTopics()).isEmpty();

        receive(large(OTHER, 1, a));

        assertThat(dropped()).isOne();
        assertThat(role().awaitedTopics()).isNotEmpty();
    }

    @Test
    void shouldKeepNoSuspendedRequestOfAnAskerThatHasStartedAnew() {
        DocumentRef a = arrive("a");
        stop();
        receive(large(ASKER, 1, a));

        receive(large(ASKER, 2, a));

        assertThat(dropped()).isZero();
        readAgain();
        assertThat(answers()).extracting(Answer::epoch).containsExactly(2);
    }
}
