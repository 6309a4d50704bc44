package io.neardup.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.streams.store.BandSnapshot;
import org.junit.jupiter.api.Test;

class InternalTopicsTest {
    /** What a task leaves elsewhere may be as old again when it comes back, and a restoring may take as long. */
    @Test
    void shouldKeepMarkersOfRemovalsFourTimesAsLongAsASnapshotIsUsed() {
        assertThat(BandSnapshot.AGE_MAX.multipliedBy(4)).isLessThanOrEqualTo(InternalTopics.DELETE_RETENTION);
    }
}
