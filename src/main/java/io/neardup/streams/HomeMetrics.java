package io.neardup.streams;

import io.neardup.protocol.DocumentHome;
import java.util.Map;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.CumulativeSum;
import org.apache.kafka.common.metrics.stats.Value;
import org.apache.kafka.streams.StreamsMetrics;

/**
 * What a home counts, as metrics of the group {@code neardup} beside those of Kafka Streams: {@code unique-total}, {@code
 * duplicates-total}, {@code dead-letters-total}, {@code candidates-dropped-total} (left out because a document had too
 * many) and {@code held} (documents in flight). Counted here and handed over from time to time: a sensor costs more.
 */
final class HomeMetrics {
    private static final String GROUP = "neardup";

    private final StreamsMetrics metrics;
    private final Counter unique;
    private final Counter duplicates;
    private final Counter deadLetters;
    private final Counter candidatesDropped;
    private final Sensor held;

    HomeMetrics(StreamsMetrics metrics, String task) {
        this.metrics = metrics;
        unique = new Counter(metrics, task, "unique-total", "Documents sent to the unique output");
        duplicates = new Counter(metrics, task, "duplicates-total", "Documents sent to the duplicates output");
        deadLetters = new Counter(metrics, task, "dead-letters-total", "Records sent to the dead-letter output");
        candidatesDropped = new Counter(
                metrics, task, "candidates-dropped-total", "Candidates left out because a document had too many");
        held = metrics.addSensor("neardup-held-" + task, Sensor.RecordingLevel.INFO);
        held.add(new MetricName("held", GROUP, "Documents in flight", Map.of("task-id", task)), new Value());
    }

    /** A total that rises; what was counted since the last hand-over waits here. */
    static final class Counter {
        private final Sensor sensor;
        private long counted;
        private long handedOver;

        Counter(StreamsMetrics metrics, String task, String name, String description) {
            sensor = metrics.addSensor("neardup-" + name + "-" + task, Sensor.RecordingLevel.INFO);
            sensor.add(new MetricName(name, GROUP, description, Map.of("task-id", task)), new CumulativeSum());
        }

        void handOver(long total) {
            if (total != handedOver) {
                sensor.record((double) (total - handedOver));
                handedOver = total;
            }
        }

        void handOver() {
            handOver(counted);
        }

        Sensor sensor() {
            return sensor;
        }
    }

    void unique() {
        unique.counted++;
    }

    void duplicate() {
        duplicates.counted++;
    }

    void deadLetter() {
        deadLetters.counted++;
    }

    void handOver(DocumentHome<?> home) {
        unique.handOver();
        duplicates.handOver();
        deadLetters.handOver();
        candidatesDropped.handOver(home.candidatesDropped());
        held.record(home.held());
    }

    void close() {
        metrics.removeSensor(unique.sensor());
        metrics.removeSensor(duplicates.sensor());
        metrics.removeSensor(deadLetters.sensor());
        metrics.removeSensor(candidatesDropped.sensor());
        metrics.removeSensor(held);
    }
}
