package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.CoordinatorHarness.Sent;
import io.neardup.engine.protocol.CoordinatorRules.CandidateRules;
import io.neardup.engine.protocol.Message.CheckId;
import io.neardup.engine.protocol.Message.CheckVerified;
import io.neardup.engine.protocol.Message.CheckVerify;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.SketchCut;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CheckHandlerTest {
    private static final CheckId CHECK = new CheckId(1, 2);
    private static final DocumentRef REMOTE = new DocumentRef(0, 5);
    private static final int CUT = 6;

    private final CoordinatorHarness harness = new CoordinatorHarness();

    private void ask(DocumentRef... candidates) {
        ask(BitSketch.NONE, candidates);
    }

    private void ask(BitSketch sketch, DocumentRef... candidates) {
        Evidence evidence = Evidence.of("asked".getBytes(StandardCharsets.UTF_8));
        harness.receive(new CheckVerify(CHECK, evidence, sketch, DocumentRefs.of(candidates)));
    }

    private CheckVerified answer() {
        List<Sent> sent = harness.sent();
        assertThat(sent).hasSize(1);
        assertThat(sent.get(0).receiver()).isEqualTo(CoordinatorHarness.CHECKER);
        return (CheckVerified) sent.get(0).message();
    }

    private Neighbour neighbour(DocumentRef ref, String name, double similarity, boolean isPending) {
        return new Neighbour(ref, name, CoordinatorHarness.seen(similarity), isPending);
    }

    @Test
    void shouldReturnOriginalsAndPendingDocuments() {
        harness.similar("asked", "a", 0.3);
        harness.similar("asked", "b", 0.9);
        DocumentRef a = harness.original("a");
        DocumentRef b = harness.arrive("b");
        harness.sent();

        ask(a, b, new DocumentRef(CoordinatorHarness.COORDINATOR, 77));

        assertThat(answer())
                .isEqualTo(new CheckVerified(
                        CHECK,
                        CoordinatorHarness.COORDINATOR,
                        List.of(neighbour(b, "b", 0.9, true), neighbour(a, "a", 0.3, false)),
                        2,
                        0));
    }

    @Test
    void shouldLeaveAPendingDocumentAsItIs() {
        harness.similar("asked", "a", 0.9);
        DocumentRef a = harness.arrive("a");
        harness.answer(a, 0, List.of(REMOTE));
        ask(a);
        harness.sent();

        harness.answer(a, 1, List.of());
        assertThat(harness.sent())
                .as("it asks about its own candidate alone")
                .containsExactly(harness.verifySent(a, harness.nowMillis(), "a", REMOTE));
        harness.judge(a, REMOTE, 0.1, "r");

        assertThat(harness.released()).containsExactly(CoordinatorHarness.unique("a"));
        assertThat(harness.sent()).as("nobody waited for it").isEmpty();
    }

    @Test
    void shouldDropTheUnlikeAndLeaveOutTheUnlikelier() {
        harness.withCandidates(new CandidateRules(8, 2, 2, SketchCut.always(CUT)));
        DocumentRef near = original("near", 1);
        DocumentRef far = original("far", CUT);
        DocumentRef middle = original("middle", CUT - 1);
        DocumentRef unlike = original("unlike", CUT + 1);
        harness.sent();

        ask(CoordinatorHarness.sketch(0), far, middle, unlike, near);

        CheckVerified answer = answer();
        assertThat(answer.nearest()).extracting(Neighbour::ref).containsExactlyInAnyOrder(far, near);
        assertThat(answer.truncated()).isOne();
        assertThat(answer.compared()).isEqualTo(2);
    }

    private DocumentRef original(String name, int differences) {
        harness.sketch(name, differences);
        return harness.original(name);
    }

    @Test
    void shouldReturnTheNearestAlone() {
        harness.withCandidates(new CandidateRules(8, 2, 100, SketchCut.NONE));
        DocumentRef[] originals = IntStream.range(0, 20)
                .mapToObj(i -> {
                    harness.similar("asked", "o" + i, i / 20.0);
                    return harness.original("o" + i);
                })
                .toArray(DocumentRef[]::new);
        harness.sent();

        ask(originals);

        CheckVerified answer = answer();
        assertThat(answer.compared()).isEqualTo(20);
        assertThat(answer.nearest()).hasSize(CheckVerified.NEAREST_MAX);
        assertThat(answer.nearest().get(0).ref()).isEqualTo(originals[19]);
    }

    @Test
    void shouldGiveWayWhenAStepHasComparedEnough() {
        harness.withVerifiedBytes(1);
        DocumentRef a = harness.original("a");
        DocumentRef b = harness.original("b");
        harness.role().verifyMore();
        harness.sent();

        ask(a, b);
        assertThat(harness.sent()).isEmpty();
        harness.role().verifyMore();

        assertThat(answer().compared()).isEqualTo(2);
    }
}
