package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.lsh.BandKeys;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeetingsTest {

    @Test
    void shouldTellAPairOnceHoweverManyBandsItShares() {
        Meetings meetings = new Meetings(List.of(keys(1, 2, 3), keys(1, 2, 4), keys(5, 6, 4)), 10);

        assertThat(told(meetings)).containsExactly(List.of(0, 1), List.of(1, 2));
        assertThat(meetings.meet(0, 2)).isFalse();
        assertThat(meetings.bucketsFull()).isZero();
    }

    @Test
    void shouldNotMixKeysOfDifferentBands() {
        assertThat(told(new Meetings(List.of(keys(1, 2), keys(2, 1)), 10))).isEmpty();
    }

    @Test
    void shouldFindInAFullBucketOnlyWhatItTook() {
        Meetings meetings = new Meetings(List.of(keys(1), keys(1), keys(1), keys(1)), 2);

        assertThat(told(meetings))
                .containsExactlyInAnyOrder(List.of(0, 1), List.of(0, 2), List.of(1, 2), List.of(0, 3), List.of(1, 3));
        assertThat(meetings.meet(2, 3)).isFalse();
        assertThat(meetings.meet(1, 3)).isTrue();
        assertThat(meetings.bucketsFull()).isEqualTo(2);
    }

    @Test
    void shouldTellNothingOfNothing() {
        assertThat(told(new Meetings(List.of(), 1))).isEmpty();
    }

    private static BandKeys keys(long... keys) {
        return BandKeys.of(keys);
    }

    private static List<List<Integer>> told(Meetings meetings) {
        List<List<Integer>> pairs = new ArrayList<>();
        meetings.forEach((first, second) -> {
            pairs.add(List.of(first, second));
            assertThat(meetings.meet(first, second)).isTrue();
        });
        return pairs;
    }
}
