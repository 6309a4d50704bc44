package io.neardup.service.lifecycle;

import static io.neardup.testing.World.awaitRunning;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.testing.ApicurioProducer;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.RegistryServer;
import io.neardup.testing.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A topic that changed over from JSON to Avro, and a registry that is away. */
class AvroInputIT {
    private static final List<News> NEWS = NewsFeed.generate(300, 39);
    private static final Schema SCHEMA = new Schema.Parser()
            .parse("{\"type\":\"record\",\"name\":\"News\",\"fields\":[{\"name\":\"id\",\"type\":\"string\"},"
                    + "{\"name\":\"text\",\"type\":[\"null\",\"string\"]}]}");

    @RegisterExtension
    static final World WORLD = new World();

    @BeforeEach
    void createTopics() throws Exception {
        WORLD.createTopics(2);
    }

    /** Partition 1 has JSON alone; in partition 0 Avro comes after the first documents. */
    @Test
    void shouldHoldUpNothingButWhatWaitsForASchemaAndLoseNone() throws Exception {
        RegistryServer registry = WORLD.closeLater(new RegistryServer());
        registry.schema("ids/7", SCHEMA.toString());
        registry.failWith(503, "");
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        ApicurioProducer inFront = new ApicurioProducer(7, Map.of());
        ApicurioProducer inHeader = new ApicurioProducer(7, Map.of("apicurio.registry.headers.enabled", "true"));
        int readable = 0;
        for (int i = 0; i < NEWS.size(); i++) {
            News news = NEWS.get(i);
            boolean isJson = i % 2 == 1 || i < 20 || i % 6 == 0;
            readable += i % 2 == 1 || i < 20 ? 1 : 0;
            ProducerRecord<byte[], byte[]> record = isJson
                    ? new ProducerRecord<>(World.DOCUMENTS, i % 2, null, news.json())
                    : avro(i % 4 == 0 ? inFront : inHeader, news, i % 2);
            records.add(record);
        }
        WORLD.send(records);

        String[] settings = {"neardup.document.format=auto", "neardup.registry.url=" + registry.url()};
        DedupService service = WORLD.start(settings);
        awaitRunning(service);
        WORLD.awaitOutputs(readable);
        World.awaitNote(service, "input waits for a schema, as the registry cannot be reached: " + registry.url());
        assertThat(WORLD.outputs().size()).as("what needs no schema").isEqualTo(readable);
        WORLD.stop(service);

        // Nothing of what waits was committed.
        DedupService another = WORLD.start(settings);
        World.awaitNote(another, "input waits for a schema");
        registry.failWith(0, "");
        WORLD.awaitOutputs(NEWS.size());
        WORLD.stop(another);

        WORLD.requireOutputs(NEWS.size());
        assertThat(WORLD.outputs().of(Outputs.DEAD_LETTER)).isEmpty();
        assertThat(WORLD.outputs().of(Outputs.DUPLICATE_OF)).isNotEmpty();
        assertThat(WORLD.outputs().of(Outputs.UNIQUE).stream()
                        .map(ConsumerRecord::value)
                        .filter(value -> records.stream()
                                .anyMatch(sent -> sent.value() != null && Arrays.equals(sent.value(), value))))
                .as("byte for byte")
                .hasSameSizeAs(WORLD.outputs().of(Outputs.UNIQUE));
    }

    private static ProducerRecord<byte[], byte[]> avro(ApicurioProducer producer, News news, int partition) {
        GenericRecord value = new GenericData.Record(SCHEMA);
        value.put("id", news.id());
        value.put("text", news.text());
        ProducerRecord<byte[], byte[]> empty = new ProducerRecord<>(World.DOCUMENTS, partition, null, null);
        byte[] bytes = producer.value(value, empty.headers());
        return new ProducerRecord<>(World.DOCUMENTS, partition, null, null, bytes, empty.headers());
    }
}
