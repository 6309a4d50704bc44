package io.neardup.streams;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.MeasurableStat;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.CumulativeSum;
import org.apache.kafka.common.metrics.stats.Value;
import org.apache.kafka.streams.StreamsMetrics;

/** Metrics of one task, in the group {@code neardup} beside those of Kafka Streams. */
final class TaskMetrics {
    private static final String GROUP = "neardup";

    private final StreamsMetrics metrics;
    private final String task;
    private final List<Sensor> sensors = new ArrayList<>();

    TaskMetrics(StreamsMetrics metrics, String task) {
        this.metrics = metrics;
        this.task = task;
    }

    /**
     * A total that rises. Counted by its owner and handed over from time to time, as a sensor costs more than a
     * counter.
     */
    Total total(String name, String description) {
        return total(name, description, Map.of());
    }

    /** One of several totals that have a name in common, and tags of their own. */
    Total total(String name, String description, Map<String, String> tags) {
        return new Total(sensor(name, description, tags, new CumulativeSum()));
    }

    /** A value that comes and goes. */
    Sensor gauge(String name, String description) {
        return sensor(name, description, Map.of(), new Value());
    }

    private Sensor sensor(String name, String description, Map<String, String> tags, MeasurableStat stat) {
        String sensorName = GROUP + "-" + name + "-" + String.join("-", tags.values()) + "-" + task;
        Sensor sensor = metrics.addSensor(sensorName, Sensor.RecordingLevel.INFO);
        Map<String, String> all = new LinkedHashMap<>(tags);
        all.put("task-id", task);
        sensor.add(new MetricName(name, GROUP, description, all), stat);
        sensors.add(sensor);
        return sensor;
    }

    void close() {
        sensors.forEach(metrics::removeSensor);
    }

    static final class Total {
        private final Sensor sensor;
        private long handedOver;

        private Total(Sensor sensor) {
            this.sensor = sensor;
        }

        void handOver(long total) {
            if (total != handedOver) {
                sensor.record((double) (total - handedOver));
                handedOver = total;
            }
        }
    }
}
