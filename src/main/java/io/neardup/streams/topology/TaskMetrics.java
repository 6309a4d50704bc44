package io.neardup.streams.topology;

import io.neardup.streams.metrics.ServiceCounts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.MeasurableStat;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.CumulativeSum;
import org.apache.kafka.common.metrics.stats.Value;
import org.apache.kafka.streams.StreamsMetrics;

/**
 * Figures of one task: in the group {@code neardup} beside those of Kafka Streams as long as it lives, and in the
 * totals of the process. Handed over when what they tell of is committed.
 */
final class TaskMetrics {
    private static final String GROUP = "neardup";

    private final StreamsMetrics metrics;
    private final String task;
    private final List<Sensor> sensors = new ArrayList<>();
    private final List<ServiceCounts.Gauge> gauges = new ArrayList<>();

    TaskMetrics(StreamsMetrics metrics, String task) {
        this.metrics = metrics;
        this.task = task;
    }

    /**
     * A total that rises, counted by its owner.
     *
     * @param ofProcess what it is part of
     */
    Total total(String name, String description, LongAdder ofProcess) {
        return total(name, description, Map.of(), ofProcess);
    }

    /** One of several totals that have a name in common, and tags of their own. */
    Total total(String name, String description, Map<String, String> tags, LongAdder ofProcess) {
        return new Total(sensor(name, description, tags, new CumulativeSum()), ofProcess);
    }

    /** A value that comes and goes. */
    Level gauge(String name, String description, ServiceCounts.Gauge ofProcess) {
        gauges.add(ofProcess);
        return new Level(sensor(name, description, Map.of(), new Value()), ofProcess);
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
        gauges.forEach(ServiceCounts.Gauge::remove);
    }

    static final class Total {
        private final Sensor sensor;
        private final LongAdder ofProcess;
        private long handedOver;

        private Total(Sensor sensor, LongAdder ofProcess) {
            this.sensor = sensor;
            this.ofProcess = ofProcess;
        }

        /** @param total since the task started */
        void handOver(long total) {
            if (total != handedOver) {
                sensor.record((double) (total - handedOver));
                ofProcess.add(total - handedOver);
                handedOver = total;
            }
        }
    }

    static final class Level {
        private final Sensor sensor;
        private final ServiceCounts.Gauge ofProcess;

        private Level(Sensor sensor, ServiceCounts.Gauge ofProcess) {
            this.sensor = sensor;
            this.ofProcess = ofProcess;
        }

        void set(long value) {
            sensor.record((double) value);
            ofProcess.set(value);
        }
    }
}
