package io.neardup.streams.topology;

import io.neardup.engine.protocol.DocumentCoordinator;
import io.neardup.engine.protocol.DocumentCoordinator.InputOffset;
import io.neardup.engine.protocol.MigrationSource;
import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.streams.input.InputGenerations;
import io.neardup.streams.store.MigrationEvent;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/**
 * Lets a coordinator heed a cutover: it fixes its positions, closes the gate, and reports when it is empty, and when it
 * is flushed. A report leaves in the transaction of the step in which it becomes true.
 *
 * <p>Records behind the fixed positions still come, as Kafka Streams had fetched them. They are skipped: the successor
 * reads them again.
 *
 * <p>Also without a cutover it passes records of the input that were deleted before they had left.
 */
final class CoordinatorHandover {
    private final int partition;
    private final DedupTopology flow;
    private final DocumentCoordinator<?> coordinator;
    private final MigrationSource source;
    private final Consumer<MigrationEvent> report;
    private boolean isToBeFlushed;

    /** @param report notes an event in the transaction of the step */
    CoordinatorHandover(
            int partition, DedupTopology flow, DocumentCoordinator<?> coordinator, Consumer<MigrationEvent> report) {
        this.partition = partition;
        this.flow = flow;
        this.coordinator = coordinator;
        this.source = coordinator.migrationSource();
        this.report = report;
        if (source.current().isPresent()) {
            closeGate();
        }
    }

    /** The input topics, by the names that the coordinator has for them. */
    private Stream<String> names() {
        return flow.config().inputTopics().stream().map(flow.generations()::nameOf);
    }

    private TopicPartition input(String name) {
        return new TopicPartition(InputGenerations.topicOf(name), partition);
    }

    /** Skips a record that is handed over to the successor; returns whether it is. */
    boolean skipIfHandedOver(InputOffset at) {
        boolean isHandedOver = source.isHandedOver(at);
        if (isHandedOver) {
            coordinator.skipHandedOver(at);
        }
        return isHandedOver;
    }

    /** Does what is asked by now. To be called at the end of each step. */
    void heed() {
        if (source.current().isEmpty()
                && flow.cutover().get().cutover().request().isPresent()) {
            fix();
        }
        skipGone();
        if (source.current().isEmpty()) {
            return;
        }
        if (source.isDrained()) {
            reportEmpty();
            reportFlushed();
        }
        closeGate();
    }

    /** Whether there is something to heed though nothing comes. */
    boolean goesOn() {
        return source.current().filter(left -> !left.isReportedEmpty()).isPresent();
    }

    private void fix() {
        Collection<String> madeAgain = flow.generations().madeAgain().toList();
        List<String> names = names().toList();
        source.fix(
                names,
                // What the group has committed is of an earlier generation.
                name -> madeAgain.contains(InputGenerations.topicOf(name))
                        ? Handover.NOTHING_TAKEN
                        : flow.cutover().get().beginning(input(name)));
    }

    /** Of a quiet input no record may come to show that those before it were deleted. */
    private void skipGone() {
        if (flow.gate().isAnyGone()) {
            names().forEach(name -> {
                InputOffset at = new InputOffset(name, flow.gate().goneBefore(input(name)));
                coordinator.skipGone(at);
                if (source.isHandedOver(at) && !source.hasReadAll(name)) {
                    coordinator.skipHandedOver(at);
                }
            });
        }
    }

    private void reportEmpty() {
        source.current().filter(left -> !left.isReportedEmpty()).ifPresent(left -> {
            source.noteEmpty();
            int storyPartitions = flow.config().writesStories() ? flow.config().indexPartitions() : 0;
            report.accept(new MigrationEvent.Empty(partition, left.positions(), source.eventMillis(), storyPartitions));
        });
    }

    /** Notes that all that other coordinators have sent it has come, as all are empty. */
    void noteFlush() {
        isToBeFlushed = true;
    }

    private void reportFlushed() {
        if (isToBeFlushed) {
            report.accept(new MigrationEvent.Flushed(partition));
            isToBeFlushed = false;
        }
    }

    /** Of what is read up to where it is left. */
    private void closeGate() {
        names().filter(source::hasReadAll).map(this::input).forEach(flow.gate()::close);
    }
}
