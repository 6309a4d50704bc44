package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.Message.Lookup;
import io.neardup.simulation.SimulatedBandState;
import java.util.List;
import org.junit.jupiter.api.Test;

class BandIndexTest {
    private static final BandKeys KEYS = BandKeys.owning(new long[] {11, 22});

    private final BandIndex index = new BandIndex(3, 2, new SimulatedBandState());

    @Test
    void shouldPutNoneThatLiesOutsideIntoTheBuckets() {
        DocumentRef a = new DocumentRef(0, 1);
        DocumentRef outside = DocumentRef.outside(7);

        assertThat(found(a)).isEmpty();
        assertThat(found(outside)).containsExactly(a);
        assertThat(found(outside)).containsExactly(a);
        assertThat(found(new DocumentRef(1, 0))).containsExactly(a);
    }

    private DocumentRefs found(DocumentRef document) {
        return index.receive(List.of(new Lookup(document, 1, KEYS)))
                .get(0)
                .found()
                .candidates();
    }
}
