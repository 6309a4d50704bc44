package io.neardup.streams.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.streams.metrics.ServiceCounts.Duplicate;
import io.neardup.streams.metrics.ServiceCounts.Histogram;
import io.neardup.streams.metrics.ServiceCounts.WaitingSource;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TaskCountsTest {
    private final ServiceCounts process = new ServiceCounts();
    private final TaskCounts first = process.ofTask();
    private final TaskCounts second = process.ofTask();

    @Test
    void shouldAddWhatIsNewOfEachTask() {
        first.total(ServiceMetric.DOCUMENTS, 3, "unique", "");
        second.total(ServiceMetric.DOCUMENTS, 10, "unique", "");
        first.total(ServiceMetric.DOCUMENTS, 5, "unique", "");
        first.total(ServiceMetric.DOCUMENTS, 2, "dead-letter", "blank-text");

        assertThat(process.sum(ServiceMetric.DOCUMENTS, "unique")).isEqualTo(15);
        assertThat(process.values(ServiceMetric.DOCUMENTS).sum()).isEqualTo(17);
    }

    @Test
    void shouldKeepTotalsButNoGaugesOfATaskThatCloses() {
        first.total(ServiceMetric.ASKED_AGAIN, 3);
        first.gauge(ServiceMetric.PENDING, 7, "0");
        second.gauge(ServiceMetric.PENDING, 5, "0");
        second.gauge(ServiceMetric.PENDING, 3, "1");
        // One value a partition, also while it moves: Prometheus takes no two.
        assertThat(process.byLabels(ServiceMetric.PENDING)).isEqualTo(Map.of(List.of("0"), 7L, List.of("1"), 3L));

        first.close();
        second.close();

        assertThat(process.values(ServiceMetric.ASKED_AGAIN).sum()).isEqualTo(3);
        assertThat(process.byLabels(ServiceMetric.PENDING)).isEmpty();
    }

    @Test
    void shouldTellOfTheOldestRecord() {
        first.gauge(ServiceMetric.PENDING_OLDEST_SECONDS, 60_000, "0");
        second.gauge(ServiceMetric.PENDING_OLDEST_SECONDS, 0, "1");

        assertThat(process.oldestPendingSeconds(100_000)).as("0 is none").isEqualTo(40);
    }

    @Test
    void shouldCountByTheHighestValueOfEachBucket() {
        Histogram histogram = new Histogram(1, 2);
        histogram.add(1, 1);
        histogram.add(1.5, 3);
        histogram.add(7, 2);

        assertThat(histogram.snapshot().counts()).containsExactly(1, 3, 2);
        assertThat(histogram.snapshot().sum()).isEqualTo(1 + 3 * 1.5 + 2 * 7);
    }

    @Test
    void shouldCountWhatWasNotedOnceAndNotBeforeItIsAdded() {
        first.note(ServiceMetric.ASKED_AGAIN);
        first.note(all -> all.histogram(ServiceMetric.DECISION_SECONDS).add(0.2, 1));
        first.note(all -> all.addLatest(new Duplicate("b", "a", 0.8, 1)));
        first.note(all -> all.sources().unique("example", 1));
        assertThat(process.values(ServiceMetric.ASKED_AGAIN).sum()).isZero();
        assertThat(decisions()).isZero();
        assertThat(process.latest()).isEmpty();
        assertThat(process.sources().most(9)).isEmpty();

        first.addNoted();
        first.addNoted();

        assertThat(process.values(ServiceMetric.ASKED_AGAIN).sum()).isOne();
        assertThat(decisions()).isOne();
        assertThat(process.latest()).hasSize(1);
        assertThat(process.sources().most(9))
                .singleElement()
                .returns("example", Sources.Source::name)
                .returns(1L, Sources.Source::documents);
    }

    private long decisions() {
        return process.histogram(ServiceMetric.DECISION_SECONDS).snapshot().total();
    }

    @Test
    void shouldKeepTheLatestDuplicates() {
        IntStream.range(0, 30).forEach(i -> first.note(all -> all.addLatest(new Duplicate("d" + i, "o", 0.8, i))));
        first.addNoted();
        assertThat(process.latest())
                .hasSize(ServiceCounts.LATEST_MAX)
                .first()
                .extracting(Duplicate::id)
                .isEqualTo("d29");
    }

    // ---- sources that wait

    @Test
    void shouldTellTheSourceThatMostOfAllTasksHave() {
        first.waiting(List.of("a", "a", "b", "", "", "", ""));
        second.waiting(List.of("b", "b"));

        assertThat(process.waiting()).contains(new WaitingSource("b", 3, 9));
    }

    @Test
    void shouldKeepOnlyWhatATaskFoundLast() {
        first.waiting(List.of("a"));
        first.waiting(List.of("b"));
        assertThat(process.waiting()).contains(new WaitingSource("b", 1, 1));

        first.close();
        second.waiting(List.of(""));
        assertThat(process.waiting()).isEmpty();
    }
}
