package io.neardup.examples;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** A consumer of unique documents, with Kafka's clients alone. */
public final class UniqueReader implements AutoCloseable {
    private final KafkaConsumer<String, String> consumer;

    public UniqueReader(String servers, String group) {
        consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers", servers,
                        "group.id", group,
                        "isolation.level", "read_committed", // else it sees what was aborted, too
                        "auto.offset.reset", "earliest",
                        "enable.auto.commit", "false"),
                new StringDeserializer(),
                new StringDeserializer());
        consumer.subscribe(List.of("unique"));
    }

    /** Hands on what has come within a second, and notes that it was done with. */
    public void read(BiConsumer<String, String> documents) {
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofSeconds(1))) {
            documents.accept(record.key(), record.value()); // no value: a tombstone takes earlier ones of its key back
        }
        consumer.commitSync();
    }

    @Override
    public void close() {
        consumer.close();
    }

    public static void main(String[] servers) {
        try (UniqueReader reader = new UniqueReader(servers[0], "reader")) {
            while (true) {
                reader.read((key, document) -> System.out.println(key + " " + document));
            }
        }
    }
}
