package io.neardup.service.lifecycle;

import java.util.Collection;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * What operators watch of Kafka Streams itself.
 *
 * @param threads that are alive
 * @param commits of all threads
 * @param commitSecondsMax the longest of late
 * @param rebalances that threads took part in
 * @param consumers that read the input
 * @param connections of these to brokers
 */
public record StreamsFigures(
        long threads, long commits, double commitSecondsMax, long rebalances, int consumers, long connections) {

    static StreamsFigures of(Collection<? extends Metric> metrics) {
        double threads = 0;
        double commits = 0;
        double commitMillis = 0;
        double rebalances = 0;
        int consumers = 0;
        double connections = 0;
        for (Metric metric : metrics) {
            MetricName name = metric.metricName();
            switch (name.group() + "/" + name.name()) {
                case "stream-metrics/alive-stream-threads" -> threads += value(metric);
                case "stream-thread-metrics/commit-total" -> commits += value(metric);
                case "stream-thread-metrics/commit-latency-max" -> commitMillis = Math.max(commitMillis, value(metric));
                case "consumer-coordinator-metrics/rebalance-total" -> rebalances += value(metric);
                case "consumer-metrics/connection-count" -> {
                    if (readsInput(name)) {
                        consumers++;
                        connections += value(metric);
                    }
                }
                default -> {
                    continue; // One of hundreds that others can see in JMX.
                }
            }
        }
        return new StreamsFigures(
                (long) threads, (long) commits, commitMillis / 1_000, (long) rebalances, consumers, (long) connections);
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
