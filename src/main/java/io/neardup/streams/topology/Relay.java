package io.neardup.streams.topology;

import io.neardup.record.InputRecord;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Forwards seed documents, a predecessor's originals and story rows to the partition that takes them. All leaves at
 * once: this task has no store, so nothing tells it of a commit, and what it had gathered by then would be lost with a
 * kill.
 */
final class Relay extends ContextualProcessor<byte[], byte[], Routed, byte[]> {
    private final String sink;
    private final Function<InputRecord, Stream<Record<Routed, byte[]>>> route;

    Relay(String sink, Function<InputRecord, Stream<Record<Routed, byte[]>>> route) {
        this.sink = sink;
        this.route = route;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        route.apply(OutputRecords.input(record, context().recordMetadata().orElseThrow()))
                .forEachOrdered(brought -> context().forward(brought, sink));
    }
}
