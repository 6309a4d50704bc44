package io.neardup.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.lsh.BandKeys;
import io.neardup.protocol.Message.CheckCandidates;
import io.neardup.protocol.Message.CheckLookup;
import io.neardup.protocol.Message.CheckVerified;
import io.neardup.protocol.Message.CheckVerify;
import io.neardup.sketch.BitSketch;
import io.neardup.sketch.Evidence;
import io.neardup.sketch.Similarity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CheckTest {
    private static final CheckId ID = new CheckId(1, 2);
    private static final Ref A = new Ref(0, 1);
    private static final Ref B = new Ref(1, 1);
    private static final Ref C = new Ref(1, 2);

    private final SignedDocument document =
            new SignedDocument("d", BandKeys.of(new long[] {5, 6, 7}), Evidence.of(new byte[] {1}), BitSketch.NONE);
    private final Check check = new Check(ID, document, new Partitions(2, 3), 2);

    @Test
    void shouldAskEachBandPartitionForItsBuckets() {
        assertThat(check.lookups())
                .isEqualTo(Map.of(
                        0, new CheckLookup(ID, BandKeys.of(new long[] {5, 7})),
                        1, new CheckLookup(ID, BandKeys.of(new long[] {6}))));
        assertThat(check.result()).isEmpty();
    }

    @Test
    void shouldAskTheHomesAboutThoseThatShareMostWhenAllBandsHaveAnswered() {
        assertThat(check.receive(candidates(0, A, B, C))).isEmpty();
        assertThat(check.receive(candidates(0, A)))
                .as("an answer that is repeated")
                .isEmpty();

        assertThat(check.receive(candidates(1, C, B)))
                .isEqualTo(Map.of(1, new CheckVerify(ID, document.evidence(), BitSketch.NONE, Refs.of(List.of(B, C)))));
    }

    @Test
    void shouldTellTheNearestOfAllHomes() {
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
        check.receive(new CheckCandidates(ID, 1, new Found(Refs.NONE, 0, 1)));

        assertThat(check.result()).contains(new CheckResult("d", List.of(), 0, 0, 1));
        assertThat(check.result().orElseThrow().uniqueAbove()).isZero();
    }

    private static CheckCandidates candidates(int bandPartition, Ref... refs) {
        return new CheckCandidates(ID, bandPartition, new Found(Refs.of(List.of(refs)), 0));
    }
}
