package io.neardup.service.lifecycle;

import io.neardup.streams.store.NodeNames;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators watch of Kafka Streams in this process: its tasks, what is left to restore of them, and some of its
 * metrics. The log has a line when there is something to restore, and one when it is done. Thread-safe.
 */
public final class StreamsState implements StateRestoreListener {
    private static final Logger LOG = LoggerFactory.getLogger(StreamsState.class);

    /** The nodes of the task that keeps stories. */
    private static final Set<String> OF_STORIES =
            Set.of(NodeNames.STORY_EVENTS_IN, NodeNames.STORY_KEEPER, NodeNames.STORIES_OUT, NodeNames.STORY_NOTES);

    private final KafkaStreams streams;
    private final String stories;
    private final Map<TopicPartition, Long> left = new HashMap<>();
    private long restored;
    private long beganNanos;

    /** @param stories the changelog of stories */
    StreamsState(KafkaStreams streams, String stories) {
        this.streams = streams;
        this.stories = stories;
    }

    // ---- restoring, as Kafka Streams reports it

    @Override
    public synchronized void onRestoreStart(TopicPartition changelog, String store, long start, long end) {
        if (left.isEmpty()) {
            restored = 0;
            beganNanos = System.nanoTime();
        }
        left.put(changelog, Math.max(0, end - start));
    }

    /** @param count of the batch; markers of transactions, which are among what is left, are not in it */
    @Override
    public synchronized void onBatchRestored(TopicPartition changelog, String store, long batchEnd, long count) {
        if (restored == 0 && count > 0) {
            LOG.info("restoring from changelogs partitions={} records={}", left.size(), recordsLeft());
        }
        restored += count;
        left.computeIfPresent(changelog, (unused, before) -> Math.max(0, before - count));
    }

    @Override
    public synchronized void onRestoreEnd(TopicPartition changelog, String store, long total) {
        boolean wasLast = left.remove(changelog) != null && left.isEmpty();
        if (wasLast && restored > 0) {
            LOG.info("restored records={} seconds={}", restored, seconds());
        }
    }

    @Override
    public synchronized void onRestoreSuspended(TopicPartition changelog, String store, long total) {
        left.remove(changelog);
    }

    synchronized ServiceStatus.Restoring restoring() {
        return new ServiceStatus.Restoring(
                left.size(), recordsLeft(), left.isEmpty() ? 0 : restored / Math.max(1, seconds()));
    }

    /**
     * Whether every task works but some that restore their stories, for which no document waits. Kafka Streams calls
     * that rebalancing.
     */
    boolean restoresStoriesAlone() {
        synchronized (this) {
            if (left.isEmpty()
                    || left.keySet().stream()
                            .anyMatch(changelog -> !changelog.topic().equals(stories))) {
                return false;
            }
        }
        // Each node has the one from when its task is made, the other from when it works.
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
        return left.values().stream().mapToLong(Long::longValue).sum();
    }

    private long seconds() {
        return (System.nanoTime() - beganNanos) / 1_000_000_000;
    }

    // ---- the rest

    /** How many active tasks there are. */
    int tasks() {
        return streams.metadataForLocalThreads().stream()
                .mapToInt(thread -> thread.activeTasks().size())
                .sum();
    }

    Figures figures() {
        return Figures.of(streams.metrics().values());
    }

    /**
     * Metrics of Kafka Streams at one moment; all its others are in JMX.
     *
     * @param consumers that read the input
     * @param connections of these to brokers
     */
    public record Figures(int consumers, long connections) {

        private static Figures of(Collection<? extends Metric> metrics) {
            int consumers = 0;
            double connections = 0;
            for (Metric metric : metrics) {
                MetricName name = metric.metricName();
                if (name.group().equals("consumer-metrics")
                        && name.name().equals("connection-count")
                        && readsInput(name)) {
                    consumers++;
                    connections += value(metric);
                }
            }
            return new Figures(consumers, (long) connections);
        }

        /** Those that restore do not notice that a connection is gone while they have nothing to read. */
        private static boolean readsInput(MetricName name) {
            return !String.valueOf(name.tags().get("client-id")).endsWith("-restore-consumer");
        }

        /** What was never measured is no number. */
        private static double value(Metric metric) {
            return metric.metricValue() instanceof Number number && !Double.isNaN(number.doubleValue())
                    ? number.doubleValue()
                    : 0;
        }

        /** Whether a broker can be asked; true before there are consumers. */
        boolean brokersAnswer() {
            return consumers == 0 || connections > 0;
        }
    }
}
