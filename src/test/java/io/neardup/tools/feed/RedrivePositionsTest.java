package io.neardup.tools.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.record.Reason;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedrivePositionsTest {
    @Test
    void shouldKeepAPositionForEachReason() {
        RedrivePositions positions = new RedrivePositions();
        positions.advance(List.of(Reason.NO_TEXT), 7);
        positions.advance(List.of(Reason.NO_TEXT, Reason.NOT_JSON), 5);

        RedrivePositions read = RedrivePositions.of(positions.metadata());

        assertThat(positions.metadata()).isEqualTo("not-json=5 no-text=7");
        assertThat(read.next(Reason.NO_TEXT)).isEqualTo(7);
        assertThat(read.next(Reason.NOT_JSON)).isEqualTo(5);
        assertThat(read.next(Reason.TOO_LARGE)).isZero();
        assertThat(read.first(List.of(Reason.NO_TEXT, Reason.NOT_JSON))).isEqualTo(5);
        assertThat(read.last()).isEqualTo(7);
    }

    @Test
    void shouldPassOverWhatIsNotKnown() {
        assertThat(RedrivePositions.of("").metadata()).isEmpty();
        assertThat(RedrivePositions.of("later-reason=3 no-text=7").metadata()).isEqualTo("no-text=7");
    }

    /** A cluster takes 4,096 bytes. */
    @Test
    void shouldFitIntoTheMetadataOfAnOffset() {
        RedrivePositions positions = new RedrivePositions();
        positions.advance(EnumSet.allOf(Reason.class), Long.MAX_VALUE);

        assertThat(positions.metadata()).hasSizeLessThan(1_000);
    }
}
