package io.neardup.streams.topology;

import io.neardup.engine.protocol.Decision;
import io.neardup.engine.protocol.Decision.Bound;
import io.neardup.engine.protocol.DocumentCoordinator.Outbox;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Message;
import io.neardup.engine.protocol.Message.ToCoordinator;
import io.neardup.engine.protocol.Message.ToIndex;
import io.neardup.engine.protocol.Provenance;
import io.neardup.record.InputRecord;
import io.neardup.record.Rejection;
import io.neardup.streams.store.CutoverEvent;
import io.neardup.streams.store.MessageCodec;
import io.neardup.streams.store.NodeNames;
import io.neardup.streams.store.StoryEvent;
import io.neardup.streams.topology.Arrival.Role;
import io.neardup.streams.topology.SeedRecords.SeedRead;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Turns what a coordinator sends into records. Outputs leave with the step that released them, and the verdict on a
 * record beside it. Messages gather until the transaction of their step is about to be committed, or
 * {@link CommitBatcher there are many}; each receiver gets all of a transaction in order, so that no remove overtakes
 * the lookup of its document. Where a transaction is aborted, they are gone with what sent them.
 */
final class CoordinatorPublisher implements Outbox<Arrival> {
    /** Objects of a header beside its bytes: some 80 of the heap, of which as few as 2 were on the wire. */
    private static final int HEADER_HEAP_BYTES = 80;

    private final ProcessorContext<Routed, byte[]> context;
    private final OutputRecords records;
    private final boolean writesRecords;
    private final boolean writesVerdicts;
    private final OutputLimits.ByOutput limits;
    private final CoordinatorMetrics metrics;
    private final CommitBatcher<Message> toIndex;
    private final CommitBatcher<Message> toCoordinators;
    private final CommitBatcher<Message> toCheckers;
    private final Optional<CommitBatcher<StoryEvent>> toStories;
    private final int storyPartitions;
    private long heldBytes;

    CoordinatorPublisher(ProcessorContext<Routed, byte[]> context, DedupTopology flow, CoordinatorMetrics metrics) {
        this.context = context;
        this.records = new OutputRecords(
                flow.config().duplicatesValue(),
                flow.limits().deadLetter(),
                flow.seeding(),
                flow.config().fingerprint());
        this.writesRecords = flow.config().writesRecords();
        this.writesVerdicts = flow.config().writesVerdicts();
        this.limits = flow.limits();
        this.metrics = metrics;
        this.storyPartitions = flow.config().indexPartitions();
        toIndex = new CommitBatcher<>(context, NodeNames.LOOKUPS, MessageCodec::batch);
        toCoordinators = new CommitBatcher<>(context, NodeNames.REPLIES, MessageCodec::batch);
        toStories = flow.config().writesStories()
                ? Optional.of(new CommitBatcher<>(context, NodeNames.STORY_EVENTS, StoryEvent::batch))
                : Optional.empty();
        toCheckers = new CommitBatcher<>(context, NodeNames.CHECKS_OF_COORDINATOR, MessageCodec::batch);
    }

    @Override
    public void toIndex(int indexPartition, ToIndex message) {
        toIndex.add(indexPartition, message);
    }

    @Override
    public void toCoordinator(int coordinator, ToCoordinator message) {
        if (DocumentRef.isCheck(coordinator)) {
            toCheckers.add(0, message);
        } else {
            toCoordinators.add(coordinator, message);
        }
    }

    @Override
    public void toAllCoordinators(ToCoordinator message) {
        toCoordinators.add(Routed.ALL, message);
    }

    @Override
    public boolean release(DocumentRef ref, Arrival arrival, Decision decision) {
        long bytes = OutputLimits.bytesMax(arrival.input());
        heldBytes -= bytes + headerBytes(arrival.input());
        if (arrival.role() != Role.INPUT) {
            releaseOfSeed(ref, arrival);
            return true;
        }
        Optional<Rejection> rejectedBefore = Optional.ofNullable(arrival.rejection());
        Optional<Rejection> refusedByOutput =
                rejectedBefore.isEmpty() && writesRecords ? sendOutput(arrival, decision, bytes) : Optional.empty();
        Optional<Rejection> rejection = rejectedBefore.or(() -> refusedByOutput);
        rejection.ifPresent(found -> deadLetter(arrival, found));
        if (rejection.isEmpty()) {
            count(arrival, decision);
        }
        if (writesVerdicts) {
            context.forward(records.verdict(arrival, decision, rejection, nowMillis()), NodeNames.VERDICTS);
        }
        if (refusedByOutput.isPresent() && decision instanceof Decision.Unique) {
            // Since it was taken its output's limits were lowered, or its timestamp has become too old. A duplicate of
            // it may have left already.
            metrics.withdraw();
        }
        return refusedByOutput.isEmpty();
    }

    private void releaseOfSeed(DocumentRef ref, Arrival arrival) {
        if (arrival.rejection() != null) {
            deadLetter(arrival, arrival.rejection());
        } else if (arrival.role() == Role.SEED_END) {
            SeedRead read = new SeedRead(arrival.id(), ref.coordinator(), ref.sequence());
            context.forward(read.note(nowMillis()), NodeNames.NOTES);
        }
    }

    @Override
    public void ended(Provenance original) {
        toStory(new StoryEvent.Ended(original.place()));
    }

    private void toStory(StoryEvent event) {
        toStories.ifPresent(batches -> batches.add(StoryProcessor.partitionOf(event.story(), storyPartitions), event));
    }

    /** Reports to all instances, and the successor, how far this coordinator is with a cutover. */
    void report(CutoverEvent event) {
        context.forward(Routed.note(event.key(), event.value(), nowMillis()), NodeNames.NOTES);
    }

    /** Sends a record to the output of its decision; why that does not carry it, if it does not. */
    private Optional<Rejection> sendOutput(Arrival arrival, Decision decision, long bytes) {
        boolean isDuplicate = decision instanceof Decision.Duplicate;
        Set<Bound> bounds = OutputRecords.bounds(decision);
        // What is not judged and not rejected is a tombstone.
        Record<Routed, byte[]> output = decision instanceof Decision.Duplicate duplicate
                ? records.duplicate(arrival, duplicate)
                : records.unique(arrival, bounds);
        boolean asItCame = !isDuplicate && bounds.isEmpty();
        long outputBytes = asItCame ? bytes : OutputLimits.bytesMax(output);
        Optional<Rejection> refused =
                (isDuplicate ? limits.duplicates() : limits.unique()).check(arrival.input(), outputBytes, nowMillis());
        if (refused.isEmpty()) {
            context.forward(output, isDuplicate ? NodeNames.DUPLICATES : NodeNames.UNIQUE);
        }
        return refused;
    }

    private void count(Arrival arrival, Decision decision) {
        if (decision instanceof Decision.Duplicate repeated) {
            metrics.duplicate(arrival, repeated, nowMillis());
            toStory(new StoryEvent.Copy(
                    repeated.provenance(),
                    repeated.originalId(),
                    arrival.id(),
                    arrival.provenance(),
                    repeated.similarity().value()));
        } else {
            metrics.unique(arrival, decision, nowMillis());
        }
    }

    private void deadLetter(Arrival arrival, Rejection rejection) {
        if (writesRecords) {
            context.forward(records.deadLetter(arrival.input(), rejection, nowMillis()), NodeNames.DEAD_LETTER);
        }
        metrics.deadLetter(rejection.reason());
    }

    private long nowMillis() {
        return context.currentSystemTimeMs();
    }

    /** A record was taken that {@link #release} is to get. */
    void addHeld(InputRecord taken) {
        heldBytes += OutputLimits.bytesMax(taken) + headerBytes(taken);
    }

    private static long headerBytes(InputRecord held) {
        return (long) HEADER_HEAP_BYTES * held.headers().size();
    }

    /** Of the records that are taken and not released: {@link OutputLimits#bytesMax}, and what headers take beside. */
    long heldBytes() {
        return heldBytes;
    }

    void sendMessages() {
        toIndex.sendAll();
        toCoordinators.sendAll();
        toCheckers.sendAll();
        toStories.ifPresent(CommitBatcher::sendAll);
    }
}
