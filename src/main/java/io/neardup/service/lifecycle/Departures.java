package io.neardup.service.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.streams.store.TopicNames;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Instances that leave because they were told to say so to the others, in the settings topic: these see no more than
 * that one has gone, as if it had died. All stand under one key, so that the topic does not grow with them.
 */
final class Departures implements Consumer<ConsumerRecord<byte[], byte[]>> {
    private static final Logger LOG = LoggerFactory.getLogger(Departures.class);
    private static final String KEY = "left/last";
    private static final int FORMAT = 1;
    private static final int HEARD_MAX = 1_000;

    /** A stop does not wait for a cluster that is away. */
    private static final int PATIENCE_MILLIS = 2_000;

    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private final String topic;
    private final Map<String, Object> clients;
    private final BlockingQueue<String> heard = new ArrayBlockingQueue<>(HEARD_MAX);

    /** The record's value. */
    private record Left(int format, String instance) {}

    Departures(String applicationId, Map<String, Object> clients) {
        this.topic = new TopicNames(applicationId).settings();
        this.clients = clients;
    }

    /** The next record of the topic. What of these cannot be read is skipped: it is of no more use than a hint. */
    @Override
    public void accept(ConsumerRecord<byte[], byte[]> record) {
        if (!KEY.equals(new String(record.key(), UTF_8))) {
            return;
        }
        try {
            Left left = JSON.readValue(record.value(), Left.class);
            if (left.format() != FORMAT) {
                throw new IOException("format: expected " + FORMAT + ", found " + left.format());
            } else if (!heard.offer(left.instance())) {
                throw new IOException("expected at most " + HEARD_MAX + " at once");
            }
        } catch (IOException e) {
            LOG.debug("skipped who left topic={} offset={} cause={}", topic, record.offset(), e.toString());
        }
    }

    /** Names of those that have said so since the last call. */
    List<String> heard() {
        List<String> names = new ArrayList<>();
        heard.drainTo(names);
        return names;
    }

    /** Says so, unless the cluster does not take it at once. */
    void say(String instance) {
        try {
            write(instance);
        } catch (ExecutionException | TimeoutException | KafkaException | JsonProcessingException e) {
            LOG.debug("could not say that this instance leaves; cause={}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(String instance)
            throws ExecutionException, InterruptedException, TimeoutException, JsonProcessingException {
        Map<String, Object> settings = new HashMap<>(clients);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE_MILLIS);
        KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
        try {
            String value = JSON.writeValueAsString(new Left(FORMAT, instance));
            producer.send(new ProducerRecord<>(topic, 0, KEY, value)).get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } finally {
            producer.close(Duration.ZERO);
        }
    }
}
