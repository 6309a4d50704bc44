package io.neardup.streams.topology;

import io.neardup.record.InputRecord;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Brings what is to be here before the input, or beside it, to who takes it. All leaves at once: this task has no
 * store, so nothing tells it of a commit, and what it had gathered by then would be lost with a kill.
 */
final class Relay extends ContextualProcessor<byte[], byte[], Routed, byte[]> {
    private final String sink;
    private final Function<InputRecord, Stream<Record<Routed, byte[]>>> way;

    Relay(String sink, Function<InputRecord, Stream<Record<Routed, byte[]>>> way) {
        this.sink = sink;
        this.way = way;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        way.apply(OutputRecords.input(record, context().recordMetadata().orElseThrow()))
                .forEach(brought -> context().forward(brought, sink));
    }
}
