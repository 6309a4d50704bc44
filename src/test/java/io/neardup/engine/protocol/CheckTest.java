package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.Check.CheckResult;
import io.neardup.engine.protocol.Message.CheckCandidates;
import io.neardup.engine.protocol.Message.CheckId;
import io.neardup.engine.protocol.Message.CheckLookup;
import io.neardup.engine.protocol.Message.CheckVerified;
import io.neardup.engine.protocol.Message.CheckVerify;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CheckTest {
    private static final CheckId ID = new CheckId(1, 2);
    private static final DocumentRef A = new DocumentRef(0, 1);
    private static final DocumentRef B = new DocumentRef(1, 1);
    private static final DocumentRef C = new DocumentRef(1, 2);

    private final SignedDocument document =
            new SignedDocument("d", BandKeys.of(new long[] {5, 6, 7}), Evidence.of(new byte[] {1}), BitSketch.NONE);
    private final Check check = new Check(ID, document, new Partitions(2, 3), 2);

    @Test
    void shouldAskEachIndexPartitionForItsBuckets() {
        assertThat(check.lookups())
                .isEqualTo(Map.of(
                        0, new CheckLookup(ID, BandKeys.of(new long[] {5, 7})),
                        1, new CheckLookup(ID, BandKeys.of(new long[] {6}))));
        assertThat(check.result()).isEmpty();
    }

    @Test
    void shouldAskTheCoordinatorsAboutThoseThatShareMostWhenAllBandsHaveAnswered() {
        assertThat(check.receive(candidates(0, A, B, C))).isEmpty();
        assertThat(check.receive(candidates(0, A)))
                .as("an answer that is repeated")
                .isEmpty();

        assertThat(check.receive(candidates(1, C, B)))
                .isEqualTo(Map.of(
                        1, new CheckVerify(ID, document.evidence(), BitSketch.NONE, DocumentRefs.of(List.of(B, C)))));
    }

    @Test
    void shouldReturnTheNearestOfAllCoordinators() {
        check.receive(candidates(0, A));
        check.receive(candidates(1, B));
        Neighbour near = new Neighbour(B, "b", Similarity.of(0.8), false);
        Neighbour nearest = new Neighbour(A, "a", Similarity.of(0.9), true);
        check.receive(new CheckVerified(ID, 1, List.of(near), 1, 0));
        check.receive(new CheckVerified(ID, 1, List.of(near), 1, 0));
        assertThat(check.result()).isEmpty();
        check.receive(new CheckVerified(ID, 0, List.of(nearest), 1, 3));

        CheckResult result = check.result().orElseThrow();

        assertThat(result).isEqualTo(new CheckResult("d", List.of(nearest, near), 2, 3, 0));
        assertThat(result.originalAt(0.7)).as("pending ones are none").contains(near);
        assertThat(result.originalAt(0.85)).isEmpty();
        assertThat(result.uniqueAbove()).isEqualTo(0.8);
    }

    @Test
    void shouldEndWhereNobodySharesABucket() {
        check.receive(candidates(0));
        check.receive(new CheckCandidates(ID, 1, new Found(DocumentRefs.NONE, 0, 1)));

        assertThat(check.result()).contains(new CheckResult("d", List.of(), 0, 0, 1));
        assertThat(check.result().orElseThrow().uniqueAbove()).isZero();
    }

    private static CheckCandidates candidates(int indexPartition, DocumentRef... refs) {
        return new CheckCandidates(ID, indexPartition, new Found(DocumentRefs.of(List.of(refs)), 0));
    }
}
