package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Message.Lookup;
import io.neardup.simulation.SimulatedBandState;
import java.util.List;
import org.junit.jupiter.api.Test;

class BandIndexTest {
    private static final int INDEX_PARTITION = 3;
    private static final DocumentRef A = new DocumentRef(0, 1);
    private static final DocumentRef B = new DocumentRef(1, 0);
    private static final BandKeys KEYS = BandKeys.owning(new long[] {11, 22});
    private static final BandKeys HALF = BandKeys.owning(new long[] {11, 99});

    private final BandIndex index = new BandIndex(INDEX_PARTITION, 2, new SimulatedBandState());

    @Test
    void shouldAnswerWithTheEpochItWasAskedIn() {
        assertThat(index.receive(List.of(new Lookup(A, 4, KEYS))))
                .containsExactly(new Candidates(A, 4, INDEX_PARTITION, new Found(DocumentRefs.NONE, 0, 0)));
    }

    @Test
    void shouldAnswerARepeatedLookupWithAllOthersLaterOnesToo() {
        assertThat(found(A, KEYS)).isEmpty();
        assertThat(found(B, KEYS)).containsExactly(A);

        assertThat(found(A, KEYS)).containsExactly(B);
        assertThat(found(B, KEYS)).containsExactly(A);
    }

    @Test
    void shouldPutNoCheckIntoTheBuckets() {
        DocumentRef check = DocumentRef.ofCheck(7);
        index.receive(List.of(new Lookup(A, 1, HALF)));

        assertThat(found(check, KEYS)).containsExactly(A);
        assertThat(found(check, KEYS)).containsExactly(A);
        assertThat(found(B, KEYS)).containsExactly(A);
    }

    private DocumentRefs found(DocumentRef document, BandKeys keys) {
        return index.receive(List.of(new Lookup(document, 1, keys)))
                .get(0)
                .found()
                .candidates();
    }
}
