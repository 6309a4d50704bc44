package io.neardup.streams.topology;

import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.engine.protocol.DocumentCoordinator;
import io.neardup.engine.protocol.DocumentCoordinator.InputOffset;
import io.neardup.engine.protocol.MigrationSource;
import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.record.InputRecord;
import io.neardup.streams.input.InputGate;
import io.neardup.streams.input.InputGenerations;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.Cutover.CutoverStage;
import io.neardup.streams.store.MigrationEvent;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Lets a coordinator heed a cutover: it fixes its positions, closes the gate, and reports that, when it is empty, and
 * when it is flushed. A report leaves in the transaction of the step in which it becomes true.
 *
 * <p>Records behind the fixed positions still come, as Kafka Streams had fetched them. As long as the request may turn
 * out to have been undone before, they are held back: Kafka Streams takes them for read, and would not bring them
 * again.
 */
final class CoordinatorHandover {
    private final int partition;
    private final Collection<String> inputTopics;
    private final CoordinatorSettings settings;
    private final MigrationSource source;
    private final Consumer<MigrationEvent> report;
    private final Deque<InputRecord> heldBack = new ArrayDeque<>();
    private @Nullable String flush;

    /** @param report notes an event in the transaction of the step */
    CoordinatorHandover(
            int partition,
            Collection<String> inputTopics,
            CoordinatorSettings settings,
            MigrationSource source,
            Consumer<MigrationEvent> report) {
        this.partition = partition;
        this.inputTopics = inputTopics;
        this.settings = settings;
        this.source = source;
        this.report = report;
        source.takeFrom(names().keySet());
        if (isUndone()) {
            source.resume();
        }
        closeGate();
    }

    /** The input topics, by the names that the coordinator has for them. */
    private Map<String, String> names() {
        Map<String, String> topics = new HashMap<>();
        inputTopics.forEach(topic -> topics.put(settings.generations().nameOf(topic), topic));
        return topics;
    }

    private Cutover cutover() {
        return settings.cutover().get().cutover();
    }

    private boolean isUndone() {
        return source.current()
                .filter(left -> cutover().isUndone(left.request()))
                .isPresent();
    }

    /**
     * Where to read on after a start.
     *
     * @param positions of the coordinator, by topic
     * @return the same and of topics of which nothing was taken, where that is not as the group has committed
     */
    Map<String, InputPosition> starts(Map<String, InputPosition> positions) {
        Map<String, InputPosition> starts = new HashMap<>(positions);
        // What was held back is read by what the group has committed, and is not; also where it was undone since.
        source.last().ifPresent(left -> left.positions()
                .forEach((topic, fixed) -> starts.computeIfPresent(
                        topic, (t, at) -> at.offset() > fixed ? at : new InputPosition(at.offset(), true))));
        source.beginnings()
                .forEach((topic, offset) -> starts.put(
                        topic, offset == Handover.BEGINNING ? InputGate.BEGINNING : new InputPosition(offset, true)));
        return starts;
    }

    /** Whether a record is left to the successor. */
    boolean leaves(DocumentCoordinator<?> coordinator, InputOffset at, InputRecord input) {
        if (!source.isLeft(at)) {
            return false;
        }
        coordinator.leaveToSuccessor(at);
        if (!isFinal()) {
            heldBack.add(input);
        }
        return true;
    }

    /** Whether what is left is left for good. */
    private boolean isFinal() {
        Cutover now = cutover();
        return now.stage().compareTo(CutoverStage.FIXED) >= 0
                && source.current().map(Handover::request).equals(now.request().map(MigrationEvent.Asked::request));
    }

    /**
     * Does what is asked by now. To be called at the end of each step.
     *
     * @param take takes a record of the input
     */
    void heed(DocumentCoordinator<?> coordinator, Consumer<InputRecord> take) {
        if (isUndone()) {
            resume(take);
        }
        if (source.current().isEmpty()) {
            cutover().request().ifPresent(this::fix);
        }
        if (source.current().isPresent()) {
            passGone(coordinator);
        }
        if (source.isDrained()) {
            reportEmpty();
            reportFlushed();
        }
        closeGate();
    }

    /** Whether there may be something to heed though nothing comes. */
    boolean goesOn() {
        Optional<Handover> left = source.current();
        return left.isPresent()
                ? !left.get().isEmpty() || !isFinal()
                : cutover().request().isPresent();
    }

    private void resume(Consumer<InputRecord> take) {
        source.resume();
        settings.gate().reopen(partition);
        for (InputRecord next = heldBack.poll(); next != null; next = heldBack.poll()) {
            take.accept(next);
        }
    }

    private void fix(MigrationEvent.Asked asked) {
        List<String> madeAgain = settings.generations().madeAgain().toList();
        Map<String, String> topics = names();
        Handover left = source.fix(asked.request(), topics.keySet(), name -> {
            String topic = InputGenerations.topicOf(name);
            // What the group has committed is of an earlier generation.
            return madeAgain.contains(topic)
                    ? Handover.BEGINNING
                    : settings.cutover().get().beginning(new TopicPartition(topic, partition));
        });
        Map<String, Long> positions = new HashMap<>(left.positions());
        positions.keySet().retainAll(topics.keySet());
        report.accept(new MigrationEvent.Fixed(asked.request(), partition, positions));
    }

    /** Of a quiet input no record behind the end may come to show that what lay before it was deleted. */
    private void passGone(DocumentCoordinator<?> coordinator) {
        names().forEach((name, topic) -> {
            long gone = settings.gate().goneBefore(new TopicPartition(topic, partition));
            InputOffset at = new InputOffset(name, gone);
            if (source.isLeft(at) && !source.hasReadAll(name)) {
                coordinator.leaveToSuccessor(at);
            }
        });
    }

    private void reportEmpty() {
        source.current().filter(left -> !left.isEmpty()).ifPresent(left -> {
            source.noteEmpty();
            report.accept(new MigrationEvent.Empty(left.request(), partition, source.eventMillis()));
        });
    }

    /** Notes that all that other coordinators have sent it has come, as all are empty. */
    void noteFlush(String request) {
        flush = request;
    }

    /** Whether that came, and this coordinator has not reported that it is done. */
    boolean isToBeFlushed() {
        return flush != null;
    }

    private void reportFlushed() {
        source.current()
                .filter(Handover::isEmpty)
                .filter(left -> left.request().equals(flush))
                .ifPresent(left -> report.accept(new MigrationEvent.Flushed(left.request(), partition)));
        flush = null;
    }

    /** Of what is read up to where it is left. */
    private void closeGate() {
        source.current().ifPresent(left -> {
            names().keySet().stream()
                    .filter(source::hasReadAll)
                    .map(name -> new TopicPartition(InputGenerations.topicOf(name), partition))
                    .forEach(settings.gate()::close);
            if (isFinal()) {
                heldBack.clear();
            }
        });
    }
}
