package io.neardup.streams.topology;

import io.neardup.record.AvroValues;
import io.neardup.record.InputRecord;
import io.neardup.streams.input.CoordinatorAssignor;
import io.neardup.streams.input.GatedConsumer;
import io.neardup.streams.input.InputGate;
import io.neardup.streams.store.GuardedProducer;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;

/**
 * The clients of stream threads: those that Kafka Streams makes by itself, but for a main consumer that heeds the
 * {@link InputGate}, and a producer that commits whole steps only.
 */
public final class StreamsClients extends DefaultKafkaClientSupplier {
    private final DedupTopology flow;
    private final Predicate<String> maySkip;

    /**
     * The clients of an instance.
     *
     * @param flow by whose inputs partition p is read by coordinator p
     * @param maySkip whether to go on without records of an input topic that were deleted before they had left
     */
    public StreamsClients(DedupTopology flow, Predicate<String> maySkip) {
        this.flow = flow;
        this.maySkip = maySkip;
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> settings) {
        Map<String, Object> ofCoordinators = CoordinatorAssignor.settingsWith(
                settings, flow.seeding().coordinators(), flow.config().inputTopics());
        Optional<AvroValues> avro = flow.config().avro();
        Predicate<ConsumerRecord<byte[], byte[]>> isUnreadable =
                record -> avro.isPresent() && lacksSchema(avro.get(), record);
        return new GatedConsumer(
                ofCoordinators, flow.gate(), flow.seeding(), flow.gatedTopics(), maySkip, isUnreadable);
    }

    /** Of what coordinators read: a document of a seed may be read by another instance than the one that relayed it. */
    private boolean lacksSchema(AvroValues avro, ConsumerRecord<byte[], byte[]> record) {
        int bytesMax = flow.config().documentBytesMax();
        if (flow.config().inputTopics().contains(record.topic())) {
            return avro.lacksSchema(OutputRecords.copy(record), bytesMax);
        }
        if (!record.topic().equals(flow.names().seeds()) || SeedRecords.isEnd(record.headers())) {
            return false;
        }
        InputRecord carried = OutputRecords.copy(record);
        return !SeedRecords.isChange(carried) && avro.lacksSchema(SeedRecords.seedRecord(carried), bytesMax);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> settings) {
        return new GuardedProducer(settings);
    }
}
