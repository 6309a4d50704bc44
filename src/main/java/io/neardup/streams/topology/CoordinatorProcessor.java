package io.neardup.streams.topology;

import io.neardup.config.NeardupConfig.SeedRetention;
import io.neardup.config.Signing;
import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.engine.protocol.DocumentCoordinator;
import io.neardup.engine.protocol.DocumentCoordinator.InputOffset;
import io.neardup.engine.protocol.Origin;
import io.neardup.engine.protocol.PredecessorChange.Completed;
import io.neardup.engine.protocol.Provenance;
import io.neardup.engine.protocol.RecordKey;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.engine.text.Hash128;
import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.record.Reason;
import io.neardup.record.Rejection;
import io.neardup.record.SourcePointer;
import io.neardup.streams.input.InputGate;
import io.neardup.streams.input.InputGenerations;
import io.neardup.streams.store.CommitListeners;
import io.neardup.streams.store.KafkaCoordinatorState;
import io.neardup.streams.store.MessageCodec;
import io.neardup.streams.store.NodeNames;
import io.neardup.streams.store.OriginalStore;
import io.neardup.streams.store.ProgressStore;
import io.neardup.streams.topology.Arrival.Role;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The coordinator of an input partition: documents and messages in, decisions and messages out. */
final class CoordinatorProcessor implements Processor<byte[], byte[], Routed, byte[]> {
    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration ASKING = Duration.ofSeconds(1);
    private static final Duration EXPIRING = Duration.ofMillis(200);

    private static final Logger LOG = LoggerFactory.getLogger(CoordinatorProcessor.class);

    private final DedupTopology flow;
    private final String repliesTopic;
    private final String seedsTopic;
    private final DocumentReader reader;
    private final Optional<SourcePointer> sources;
    private final Hash128 hash128 = new Hash128();
    // Made in init, which Streams calls before anything else.
    private Signing.DocumentSigner signer;
    private ProcessorContext<Routed, byte[]> context;
    private DocumentCoordinator<Arrival> coordinator;
    private CoordinatorPublisher publisher;
    private CoordinatorMetrics metrics;
    private CoordinatorHandover handover;
    private ScheduledWork answering;
    private ScheduledWork asking;
    private ScheduledWork expiring;
    /** What ends all that goes on beside the records. */
    private final List<Runnable> stops = new ArrayList<>();

    private int partition;

    @SuppressWarnings("NullAway.Init")
    CoordinatorProcessor(DedupTopology flow) {
        this.flow = flow;
        this.repliesTopic = flow.names().replies();
        this.seedsTopic = flow.names().seeds();
        this.reader = flow.config().documentReaders().get();
        this.sources = flow.config().source();
    }

    /**
     * Streams calls this again on the same processor when it revives a task: all that the last life left is made anew.
     */
    @Override
    public void init(ProcessorContext<Routed, byte[]> context) {
        this.context = context;
        signer = flow.signing().signer();
        partition = context.taskId().partition();
        metrics = new CoordinatorMetrics(partition, flow);
        publisher = new CoordinatorPublisher(context, flow, metrics);
        ProgressStore progress = context.getStateStore(NodeNames.PROGRESS);
        OriginalStore originals = context.getStateStore(NodeNames.ORIGINALS);
        coordinator = new DocumentCoordinator<>(
                partition,
                flow.rules(),
                flow.partitions(),
                flow.signing().judge(),
                new KafkaCoordinatorState(partition, progress, originals),
                publisher);
        handover = new CoordinatorHandover(partition, flow, coordinator, publisher::report);
        startAtPositions();
        stops.add(CommitListeners.after()
                .add(() -> metrics.report(
                        coordinator, signer.shingles(), flow.gate().pauses(partition), context.currentSystemTimeMs())));
        stops.add(CommitListeners.beforeEach(context, () -> {
            publisher.sendMessages();
            progress.writeChanges();
        }));
        step(SOON, now -> coordinator.announce()).request();
        answering = step(SOON, now -> coordinator.verifyMore());
        asking = step(ASKING, now -> {
            coordinator.askAgain(now);
            if (handover.isDraining()) {
                expire(); // No record may come any more that would ask for it.
            }
        });
        asking.request();
        expiring = step(EXPIRING, now -> expire());
        expiring.request();
        stops.add(
                context.schedule(BandProcessor.AT_REST, PunctuationType.WALL_CLOCK_TIME, now -> originals.confirm())
                        ::cancel);
    }

    private ScheduledWork step(Duration interval, LongConsumer action) {
        ScheduledWork step = new ScheduledWork(context, interval, now -> {
            action.accept(now);
            endStep();
        });
        stops.add(step::cancel);
        return step;
    }

    private void startAtPositions() {
        InputGenerations generations = flow.generations();
        Map<String, InputPosition> positions = coordinator.positions();
        positions.forEach((name, position) -> {
            if (generations.isPast(name)) {
                coordinator.expectNothingAgain(name);
            } else {
                startAt(InputGenerations.topicOf(name), position);
            }
        });
        // What the group has committed is of an earlier generation.
        generations
                .recreated()
                .filter(topic -> !positions.containsKey(generations.nameOf(topic)))
                .forEach(topic -> startAt(topic, InputGate.EARLIEST));
    }

    private void startAt(String topic, InputPosition position) {
        flow.gate().startAt(new TopicPartition(topic, partition), position);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        RecordMetadata metadata = context.recordMetadata().orElseThrow();
        long nowMillis = context.currentSystemTimeMs();
        expiring.request();
        if (metadata.topic().equals(repliesTopic)) {
            coordinator.receive(MessageCodec.decodeToCoordinator(record.value()));
            if (KnownCutover.isFlush(record.headers())) {
                handover.noteFlush();
            }
        } else {
            take(OutputRecords.input(record, metadata), nowMillis);
        }
        endStep();
    }

    private void take(InputRecord input, long nowMillis) {
        requireStarted(input);
        asking.request();
        if (input.topic().equals(seedsTopic)) {
            takeOfSeed(input, nowMillis);
            return;
        }
        InputOffset at = new InputOffset(flow.generations().nameOf(input.topic()), input.offset());
        if (!handover.skipIfHandedOver(at)) {
            Optional<Rejection> refused =
                    flow.limits().newDocuments().check(input, OutputLimits.bytesMax(input), nowMillis);
            take(at, input, Role.INPUT, refused, nowMillis);
        }
    }

    /** Output limits are not checked: of a seed only dead letters leave. */
    private void takeOfSeed(InputRecord carried, long nowMillis) {
        InputOffset at = new InputOffset(carried.topic(), carried.offset());
        Optional<String> ended = SeedRecords.endOf(carried);
        if (ended.isPresent()) {
            publisher.addHeld(carried);
            Arrival end = new Arrival(ended.get(), carried, Provenance.UNKNOWN, null, nowMillis, Role.SEED_END);
            endSeed(at, end, nowMillis);
        } else if (SeedRecords.isChange(carried)) {
            publisher.addHeld(carried);
            migrate(at, carried, nowMillis);
        } else {
            take(at, SeedRecords.seedRecord(carried), Role.SEED, SeedRecords.tooLarge(carried), nowMillis);
        }
    }

    private void endSeed(InputOffset at, Arrival arrival, long nowMillis) {
        Completed end = SeedRecords.completed(arrival.input());
        if (end == null) {
            coordinator.pass(at, arrival, nowMillis);
            return;
        }
        Map<String, Long> starts = new HashMap<>();
        end.starts().forEach((name, offset) -> {
            if (flow.generations().isPast(name)) {
                return; // Recreated since: it is read from its beginning.
            }
            starts.put(name, offset);
            if (!coordinator.hasMigrated()) {
                // The input is closed until all coordinators have reported that their end has left.
                startAt(InputGenerations.topicOf(name), new InputPosition(offset));
            }
        });
        coordinator.migrate(at, arrival, new Completed(starts, end.isSpread(), end.eventMillis()), nowMillis);
    }

    /** No output record: the predecessor has written it. */
    private void migrate(InputOffset at, InputRecord carried, long nowMillis) {
        Arrival arrival = unjudged(carried, Role.SEED, nowMillis);
        try {
            coordinator.migrate(at, arrival, SeedRecords.change(carried, signer), nowMillis);
        } catch (UnsignableException e) {
            LOG.warn(
                    "an original of the predecessor is skipped, as these settings do not compare it: later documents"
                            + " will not repeat it; partition={} offset={} cause={}",
                    carried.partition(),
                    carried.offset(),
                    e.getMessage());
            publisher.ended(SeedRecords.original(carried).origin().provenance());
            coordinator.pass(at, arrival, nowMillis);
        }
    }

    /** @param refused why it cannot be carried; empty where it can */
    private void take(InputOffset at, InputRecord input, Role role, Optional<Rejection> refused, long nowMillis) {
        publisher.addHeld(input);
        if (coordinator.decisionOfEarlierEpoch(at).isPresent()) {
            // It leaves as that, whatever the settings are by now, also where its text is refused.
            coordinator.pass(
                    at, read(input, reader.read(input), role, nowMillis).accepted(), nowMillis);
        } else if (refused.isPresent()) {
            coordinator.pass(at, rejected(input, refused.get(), role, nowMillis), nowMillis);
        } else if (input.value() == null) {
            takeTombstone(at, input, unjudged(input, role, nowMillis), nowMillis);
        } else {
            takeDocument(at, input, role, nowMillis);
        }
    }

    private Arrival read(InputRecord input, DocumentReader.Result result, Role role, long nowMillis) {
        if (result instanceof Document document) {
            Provenance provenance = provenance(input, document.text().characters());
            return new Arrival(document.id(), input, provenance, null, nowMillis, role);
        }
        return rejected(input, (Rejection) result, role, nowMillis);
    }

    private Arrival rejected(InputRecord input, Rejection rejection, Role role, long nowMillis) {
        String id = rejection.id() == null ? input.place() : rejection.id();
        return new Arrival(id, input, provenance(input, 0), rejection, nowMillis, role);
    }

    private static Arrival unjudged(InputRecord input, Role role, long nowMillis) {
        return new Arrival(input.place(), input, Provenance.UNKNOWN, null, nowMillis, role);
    }

    private Provenance provenance(InputRecord input, int length) {
        String source = sources.flatMap(pointer -> pointer.in(input)).orElse("");
        return new Provenance(flow.generations().placeOf(input), source, input.timestamp(), length);
    }

    /** Fails on a record fetched before the consumer moved to this coordinator's start: it would be lost or doubled. */
    private void requireStarted(InputRecord input) {
        TopicPartition from = new TopicPartition(input.topic(), partition);
        flow.gate().takeStart(from).ifPresent(position -> {
            throw new IllegalStateException(from + ": expected to be read from offset " + position.offset()
                    + " on after the start of its task, found the record at " + input.offset());
        });
    }

    private void takeTombstone(InputOffset at, InputRecord input, Arrival tombstone, long nowMillis) {
        byte[] key = input.key();
        if (key == null) {
            coordinator.pass(at, tombstone, nowMillis);
        } else {
            coordinator.takeTombstone(at, tombstone, recordKey(key), nowMillis);
        }
    }

    private Origin origin(Arrival arrival) {
        InputRecord input = arrival.input();
        byte[] key = input.key();
        return new Origin(key == null ? null : recordKey(key), Math.max(0, input.timestamp()), arrival.provenance());
    }

    /** A record of a seed may be older than what is retained, but not of the future. */
    private Origin originOfSeed(Arrival arrival, long nowMillis) {
        Origin ofRecord = origin(arrival);
        boolean isByRecord = flow.config().seedRetention() == SeedRetention.RECORD;
        return ofRecord.at(isByRecord ? Math.min(ofRecord.timestampMillis(), nowMillis) : nowMillis);
    }

    private RecordKey recordKey(byte[] key) {
        ByteBuffer hash = ByteBuffer.wrap(hash128.of(key));
        return new RecordKey(hash.getLong(), hash.getLong());
    }

    private void takeDocument(InputOffset at, InputRecord input, Role role, long nowMillis) {
        DocumentReader.Result result = reader.read(input);
        Arrival arrival = read(input, result, role, nowMillis);
        if (!(result instanceof Document document)) {
            coordinator.pass(at, arrival, nowMillis);
            return;
        }
        try {
            SignedDocument signed = signer.sign(document);
            if (role == Role.SEED) {
                boolean isJudged = flow.seeding().plan().judged();
                coordinator.seed(at, arrival, signed, originOfSeed(arrival, nowMillis), isJudged, nowMillis);
            } else {
                coordinator.arrive(at, arrival, signed, origin(arrival), nowMillis);
            }
        } catch (UnsignableException e) {
            Rejection rejection = new Rejection(Reason.of(e), e.getMessage(), document.id());
            coordinator.pass(at, arrival.rejected(rejection), nowMillis);
        }
    }

    /** Removes the next slice of originals; asks for another run while there is more, as when event time jumps. */
    private void expire() {
        if (coordinator.expireNext()) {
            expiring.request();
        }
    }

    private void endStep() {
        handover.applyCutover();
        if (coordinator.hasQueuedRequests()) {
            answering.request();
        }
        Set<String> suspending = coordinator.awaitedTopics();
        // After every record, and nearly always there are none.
        Set<String> awaited = suspending.isEmpty()
                ? Set.of()
                : suspending.stream().map(InputGenerations::topicOf).collect(Collectors.toUnmodifiableSet());
        if (coordinator.held() > 0 || !awaited.isEmpty() || handover.isDraining()) {
            asking.request();
        }
        long heldBytes = publisher.heldBytes() + coordinator.candidateBytes();
        flow.gate().noteHeld(partition, coordinator.held(), heldBytes, awaited);
    }

    @Override
    public void close() {
        stops.forEach(Runnable::run);
        stops.clear();
        flow.gate().forget(partition);
        metrics.close();
    }
}
