package io.neardup.streams.topology;

import io.neardup.streams.input.CoordinatorAssignor;
import io.neardup.streams.input.GatedConsumer;
import io.neardup.streams.input.InputGate;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.store.GuardedProducer;
import java.util.Collection;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;

/**
 * The clients of stream threads: those that Kafka Streams makes by itself, but for a main consumer that heeds the
 * {@link InputGate}, and a producer that commits whole steps only.
 */
public final class StreamsClients extends DefaultKafkaClientSupplier {
    private final InputGate gate;
    private final Seeding seeding;
    private final int coordinators;
    private final Collection<String> inputTopics;
    private final Collection<String> documentTopics;
    private final Predicate<String> maySkip;
    private final java.util.function.Consumer<Exception> onFence;

    /**
     * The clients of an instance.
     *
     * @param coordinators how many the index has
     * @param inputTopics of which partition p is read by coordinator p
     * @param documentTopics those, and those of seeds
     * @param maySkip whether to go on without records of an input topic that were deleted before they had left
     */
    public StreamsClients(
            InputGate gate,
            Seeding seeding,
            int coordinators,
            Collection<String> inputTopics,
            Collection<String> documentTopics,
            Predicate<String> maySkip,
            java.util.function.Consumer<Exception> onFence) {
        this.gate = gate;
        this.seeding = seeding;
        this.coordinators = coordinators;
        this.inputTopics = inputTopics;
        this.documentTopics = documentTopics;
        this.maySkip = maySkip;
        this.onFence = onFence;
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> settings) {
        return new GatedConsumer(
                CoordinatorAssignor.in(settings, coordinators, inputTopics), gate, seeding, documentTopics, maySkip);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> settings) {
        return new GuardedProducer(settings, onFence);
    }
}
