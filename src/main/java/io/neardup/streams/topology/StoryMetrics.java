package io.neardup.streams.topology;

import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.metrics.TaskCounts;
import io.neardup.streams.store.CommitListeners;

/** What the stories of a partition come to, counted as it is committed. For one thread, in which it was made. */
final class StoryMetrics implements AutoCloseable {
    private final TaskCounts counts;
    private final Runnable stopAfterCommits;
    private long events;
    private long begun;
    private long written;
    private long ended;

    StoryMetrics(ServiceCounts process) {
        counts = process.ofTask();
        // Lets all be seen from the start, as none.
        count();
        stopAfterCommits = CommitListeners.after().add(this::count);
    }

    void event() {
        events++;
    }

    /** @param revision the first one is 1 */
    void written(long revision) {
        written++;
        begun += revision == 1 ? 1 : 0;
    }

    void ended() {
        ended++;
    }

    private void count() {
        counts.total(ServiceMetric.STORY_EVENTS, events);
        counts.total(ServiceMetric.STORIES, begun, "begun");
        counts.total(ServiceMetric.STORIES, written, "written");
        counts.total(ServiceMetric.STORIES, ended, "ended");
    }

    @Override
    public void close() {
        stopAfterCommits.run();
        counts.close();
    }
}
