package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.Check.CheckResult;
import io.neardup.engine.protocol.DocumentCoordinator.MessageOutbox;
import io.neardup.engine.protocol.Message.Answer;
import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Message.Lookup;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.protocol.Message.ToCoordinator;
import io.neardup.engine.protocol.Message.ToIndex;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CheckTest extends CoordinatorHarness {
    private static final DocumentRef ID = DocumentRef.ofCheck(300);
    private static final DocumentRef A = new DocumentRef(0, 1);
    private static final DocumentRef B = new DocumentRef(1, 1);
    private static final DocumentRef C = new DocumentRef(1, 2);

    private final SignedDocument document =
            new SignedDocument("d", BandKeys.owning(new long[] {5, 6, 7}), Evidence.of(new byte[] {1}), BitSketch.NONE);
    private final Check check = new Check(300, document, new Partitions(2, 3), this);

    @BeforeEach
    void ask() {
        check.begin();
    }

    @Test
    void shouldAskEachIndexPartitionForItsBuckets() {
        requireSent(
                new Sent(0, new Lookup(ID, 1, BandKeys.owning(new long[] {5, 7}))),
                new Sent(1, new Lookup(ID, 1, BandKeys.owning(new long[] {6}))));
        assertThat(check.result()).isEmpty();
    }

    @Test
    void shouldAskTheCoordinatorsWhenAllBandsHaveAnswered() {
        sent();
        check.receive(candidates(0, A, B, C));
        check.receive(candidates(0, A));
        requireNothingSent();

        check.receive(candidates(1, C, B));

        requireSent(verifySent(0, A), verifySent(1, C, B));
    }

    private Sent verifySent(int request, DocumentRef... candidates) {
        DocumentRefs refs = DocumentRefs.of(List.of(candidates));
        return new Sent(
                candidates[0].coordinator(),
                new Verify(ID, 1, request, Long.MAX_VALUE, document.evidence(), BitSketch.NONE, refs));
    }

    @Test
    void shouldReturnTheNearestOfAllCoordinators() {
        check.receive(candidates(0, A));
        check.receive(candidates(1, B));
        Neighbour near = neighbour(B, "b", 0.8);
        Neighbour nearest = new Neighbour(A, "a", provenance("a"), Similarity.of(0.9), true);
        check.receive(answer(1, near, 0));
        check.receive(answer(1, near, 0));
        assertThat(check.result()).isEmpty();
        check.receive(answer(0, nearest, 3));

        CheckResult result = check.result().orElseThrow();

        assertThat(result).isEqualTo(new CheckResult("d", List.of(nearest, near), 2, 3, 0));
        assertThat(result.originalAt(0.7)).as("pending ones are none").contains(near);
        assertThat(result.originalAt(0.85)).isEmpty();
        assertThat(result.uniqueAbove()).isEqualTo(0.8);
    }

    private static Answer answer(int request, Neighbour neighbour, int beyond) {
        return new Answer(ID, 1, request, List.of(neighbour), null, DocumentRefs.NONE, DocumentRefs.NONE, 1, beyond);
    }

    @Test
    void shouldEndWhereNobodySharesABucket() {
        check.receive(candidates(0));
        check.receive(new Candidates(ID, 1, 1, new Found(DocumentRefs.NONE, 0, 1)));

        assertThat(check.result()).contains(new CheckResult("d", List.of(), 0, 0, 1));
        assertThat(check.result().orElseThrow().uniqueAbove()).isZero();
    }

    @Test
    void shouldTakeAnAnswerOfAnotherThreadWhenAllIsAsked() throws Exception {
        AtomicReference<Check> asking = new AtomicReference<>();
        Thread reader = new Thread(() -> Objects.requireNonNull(asking.get()).receive(candidates(0, A)));
        List<Thread.State> seen = new ArrayList<>();
        Check asked = new Check(300, document, new Partitions(2, 3), new MessageOutbox() {
            @Override
            public void toIndex(int indexPartition, ToIndex message) {
                if (seen.isEmpty()) {
                    reader.start();
                }
                while (reader.getState() == Thread.State.RUNNABLE) {
                    Thread.onSpinWait();
                }
                seen.add(reader.getState());
            }

            @Override
            public void toCoordinator(int coordinator, ToCoordinator message) {}
        });
        asking.set(asked);

        asked.begin();
        reader.join();

        assertThat(seen).containsExactly(Thread.State.BLOCKED, Thread.State.BLOCKED);
    }

    private static Candidates candidates(int indexPartition, DocumentRef... refs) {
        return new Candidates(ID, 1, indexPartition, new Found(DocumentRefs.of(List.of(refs)), 0, 0));
    }
}
