package io.neardup.service.lifecycle;

import io.neardup.streams.store.NodeNames;
import java.util.HashMap;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.processor.StandbyUpdateListener;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.apache.kafka.streams.processor.TaskId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators watch of Kafka Streams in this process: its tasks, what is left to restore of them, and some of its
 * metrics. The log has a line when there is something to restore, and one when it is done. Thread-safe.
 */
final class StreamsState implements StateRestoreListener, StandbyUpdateListener {
    private static final Logger LOG = LoggerFactory.getLogger(StreamsState.class);

    /** The nodes of the task that keeps stories. */
    private static final Set<String> OF_STORIES =
            Set.of(NodeNames.STORY_EVENTS_IN, NodeNames.STORY_KEEPER, NodeNames.STORIES_OUT, NodeNames.STORY_NOTES);

    private final KafkaStreams streams;
    private final String stories;
    private final Consumer<Throwable> onEnd;
    private final Map<TopicPartition, Left> left = new HashMap<>();
    private long restored;
    private long beganNanos;

    /** @param by if that thread has ended, as where its stream thread is replaced, Kafka Streams reports no end */
    private record Left(long records, Thread by) {}

    /**
     * Nothing is watched yet.
     *
     * @param stories the changelog of stories
     * @param onEnd takes what ends a thread that restores
     */
    StreamsState(KafkaStreams streams, String stories, Consumer<Throwable> onEnd) {
        this.streams = streams;
        this.stories = stories;
        this.onEnd = onEnd;
    }

    // ---- restoring, as Kafka Streams reports it

    @Override
    public synchronized void onRestoreStart(TopicPartition changelog, String store, long start, long end) {
        reportEnd();
        dropEnded();
        if (left.isEmpty()) {
            restored = 0;
            beganNanos = System.nanoTime();
        }
        left.put(changelog, new Left(Math.max(0, end - start), Thread.currentThread()));
    }

    /** @param count of the batch; markers of transactions, which are among what is left, are not in it */
    @Override
    public synchronized void onBatchRestored(TopicPartition changelog, String store, long batchEnd, long count) {
        if (restored == 0 && count > 0) {
            LOG.info("restoring from changelogs partitions={} records={}", left.size(), recordsLeft());
        }
        restored += count;
        left.computeIfPresent(changelog, (unused, before) -> new Left(Math.max(0, before.records - count), before.by));
    }

    @Override
    public synchronized void onRestoreEnd(TopicPartition changelog, String store, long total) {
        boolean wasLast = left.remove(changelog) != null && left.isEmpty();
        if (wasLast && restored > 0) {
            LOG.info("restored records={} seconds={}", restored, (System.nanoTime() - beganNanos) / 1_000_000_000);
        }
    }

    @Override
    public synchronized void onRestoreSuspended(TopicPartition changelog, String store, long total) {
        left.remove(changelog);
    }

    @Override
    public void onUpdateStart(TopicPartition changelog, String store, long start) {
        reportEnd();
    }

    @Override
    public void onBatchLoaded(
            TopicPartition changelog, String store, TaskId task, long batchEnd, long count, long end) {
        // Nobody waits for a standby.
    }

    @Override
    public void onUpdateSuspended(TopicPartition changelog, String store, long offset, long end, SuspendReason reason) {
        // Nobody waits for a standby.
    }

    /**
     * Kafka Streams calls this in its thread that restores. An error, as where memory is gone, ends that thread, and
     * its tasks with it: nobody hears of it, and Kafka Streams goes on as if they were restored.
     */
    private void reportEnd() {
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {
            if (failure instanceof Error) {
                onEnd.accept(failure);
            } else {
                LOG.error("a thread that restores has ended", failure);
            }
        });
    }

    private void dropEnded() {
        left.values().removeIf(of -> !of.by.isAlive());
    }

    synchronized ServiceStatus.Restoring restoring() {
        dropEnded();
        return new ServiceStatus.Restoring(left.size(), recordsLeft());
    }

    /**
     * Whether every task works but some that restore their stories, for which no document waits. Kafka Streams calls
     * that rebalancing.
     */
    boolean restoresStoriesAlone() {
        synchronized (this) {
            dropEnded();
            if (left.isEmpty()
                    || left.keySet().stream()
                            .anyMatch(changelog -> !changelog.topic().equals(stories))) {
                return false;
            }
        }
        // A node has the first metric since its task was made, the second since it runs.
        Set<String> made = tasksWith("record-e2e-latency-max");
        return !made.isEmpty() && tasksWith("process-total").containsAll(made);
    }

    /** Those with a node that has a metric of Kafka Streams, but of stories. */
    private Set<String> tasksWith(String metric) {
        return streams.metrics().keySet().stream()
                .filter(name -> name.group().equals("stream-processor-node-metrics")
                        && name.name().equals(metric)
                        && !OF_STORIES.contains(String.valueOf(name.tags().get("processor-node-id"))))
                .map(name -> String.valueOf(name.tags().get("task-id")))
                .collect(Collectors.toSet());
    }

    private long recordsLeft() {
        return left.values().stream().mapToLong(Left::records).sum();
    }

    // ---- the rest

    /** How many active tasks there are. */
    int tasks() {
        return streams.metadataForLocalThreads().stream()
                .mapToInt(thread -> thread.activeTasks().size())
                .sum();
    }

    /**
     * Connections to brokers of each consumer but those that restore, which do not notice that one is gone while they
     * have nothing to read. All other metrics of Kafka Streams are in JMX.
     */
    LongSummaryStatistics connections() {
        return streams.metrics().values().stream()
                .filter(metric -> metric.metricName().group().equals("consumer-metrics")
                        && metric.metricName().name().equals("connection-count"))
                .filter(metric -> !String.valueOf(metric.metricName().tags().get("client-id"))
                        .endsWith("-restore-consumer"))
                .mapToLong(metric -> ((Number) metric.metricValue()).longValue())
                .summaryStatistics();
    }

    /** Whether a broker can be asked; true before there are consumers. */
    boolean brokersAnswer() {
        LongSummaryStatistics found = connections();
        return found.getCount() == 0 || found.getSum() > 0;
    }
}
