package io.neardup.streams.topology;

import io.neardup.engine.protocol.DocumentCoordinator;
import io.neardup.engine.protocol.DocumentCoordinator.InputOffset;
import io.neardup.engine.protocol.MigrationSource;
import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.streams.input.InputGenerations;
import io.neardup.streams.store.CutoverEvent;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/**
 * Applies a cutover to a coordinator: it fixes its positions, hands its inputs over at the gate, and reports when it is
 * empty, and when it is flushed. A report is sent in the transaction of the step in which it becomes true.
 *
 * <p>Records behind the fixed positions still come, as Kafka Streams had fetched them. They are skipped: the successor
 * reads them again.
 *
 * <p>Also without a cutover it skips records of the input that were deleted before they had left.
 */
final class CoordinatorHandover {
    private final int partition;
    private final DedupTopology flow;
    private final DocumentCoordinator<?> coordinator;
    private final MigrationSource migration;
    private final Consumer<CutoverEvent> report;
    private boolean isToBeFlushed;

    /** @param report notes an event in the transaction of the step */
    CoordinatorHandover(
            int partition, DedupTopology flow, DocumentCoordinator<?> coordinator, Consumer<CutoverEvent> report) {
        this.partition = partition;
        this.flow = flow;
        this.coordinator = coordinator;
        this.migration = coordinator.migrationSource();
        this.report = report;
        if (migration.current().isPresent()) {
            handOverInputs();
        }
    }

    /** The input topics, by the names that the coordinator has for them. */
    private Stream<String> names() {
        return flow.config().inputTopics().stream().map(flow.generations()::nameOf);
    }

    private TopicPartition input(String name) {
        return new TopicPartition(InputGenerations.topicOf(name), partition);
    }

    /** Skips a record that the successor takes; returns whether it did. */
    boolean skipIfHandedOver(InputOffset at) {
        boolean isHandedOver = migration.isHandedOver(at);
        if (isHandedOver) {
            coordinator.skipHandedOver(at);
        }
        return isHandedOver;
    }

    /** Does what the cutover asks by now, and skips deleted records. To be called at the end of each step. */
    void applyCutover() {
        if (migration.current().isEmpty()
                && flow.cutover().get().state().request().isPresent()) {
            fix();
        }
        skipDeleted();
        if (migration.current().isEmpty()) {
            return;
        }
        if (migration.isDrained()) {
            reportEmpty();
            reportFlushed();
        }
        handOverInputs();
    }

    /** Whether a cutover was applied and is not reported empty yet: there is work although no record comes. */
    boolean isDraining() {
        return migration.current().filter(left -> !left.isReportedEmpty()).isPresent();
    }

    private void fix() {
        Collection<String> recreated = flow.generations().recreated().toList();
        List<String> names = names().toList();
        migration.fix(
                names,
                // What the group has committed is of an earlier generation.
                name -> recreated.contains(InputGenerations.topicOf(name))
                        ? Handover.NOTHING_TAKEN
                        : flow.cutover().get().beginning(input(name)));
    }

    /** Lets the coordinator skip deleted records: in a quiet input no later record would show that they are gone. */
    private void skipDeleted() {
        if (flow.gate().isAnyDeleted()) {
            names().forEach(name -> {
                InputOffset at = new InputOffset(name, flow.gate().deletedBefore(input(name)));
                coordinator.skipGone(at);
                if (migration.isHandedOver(at) && !migration.hasReadAll(name)) {
                    coordinator.skipHandedOver(at);
                }
            });
        }
    }

    private void reportEmpty() {
        migration.current().filter(left -> !left.isReportedEmpty()).ifPresent(left -> {
            migration.noteEmpty();
            int storyPartitions = flow.config().writesStories() ? flow.config().indexPartitions() : 0;
            report.accept(
                    new CutoverEvent.Empty(partition, left.positions(), migration.eventMillis(), storyPartitions));
        });
    }

    /** Notes that all that other coordinators have sent it has come, as all are empty. */
    void noteFlush() {
        isToBeFlushed = true;
    }

    private void reportFlushed() {
        if (isToBeFlushed) {
            report.accept(new CutoverEvent.Flushed(partition));
            isToBeFlushed = false;
        }
    }

    /** Hands over the inputs of which all that this coordinator takes is read. */
    private void handOverInputs() {
        names().filter(migration::hasReadAll).map(this::input).forEach(flow.gate()::handOver);
    }
}
