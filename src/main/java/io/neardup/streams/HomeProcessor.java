package io.neardup.streams;

import io.neardup.document.Arrival;
import io.neardup.document.Document;
import io.neardup.document.DocumentReader;
import io.neardup.document.InputRecord;
import io.neardup.document.ReadResult;
import io.neardup.document.Rejection;
import io.neardup.protocol.DocumentHome;
import io.neardup.protocol.SignedDocument;
import io.neardup.wire.MessageCodec;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/** The home of an input partition: documents and replies in, decisions and questions out. */
final class HomeProcessor implements Processor<byte[], byte[], Routed, byte[]> {
    private static final Duration GATHERING = Duration.ofMillis(HomePublisher.GATHER_MILLIS);
    private static final Duration ASKING = Duration.ofSeconds(1);

    private final HomeSettings settings;
    private final DocumentReader reader;
    private final Signing.Signer signer;
    // Made in init, which Streams calls before anything else.
    private ProcessorContext<Routed, byte[]> context;
    private DocumentHome<Arrival> home;
    private HomePublisher publisher;
    private KafkaHomeState state;
    private HomeMetrics metrics;
    private Chore flushing;
    private Chore asking;
    private int partition;
    private boolean started;
    private boolean gateClosed;

    @SuppressWarnings("NullAway.Init")
    HomeProcessor(HomeSettings settings) {
        this.settings = settings;
        this.reader = settings.reader().get();
        this.signer = settings.signing().signer();
    }

    /** Streams calls this again on the same processor when it revives a task: all that the last life left is made anew. */
    @Override
    public void init(ProcessorContext<Routed, byte[]> context) {
        this.context = context;
        started = false;
        gateClosed = false;
        partition = context.taskId().partition();
        metrics = new HomeMetrics(context.metrics(), context.taskId().toString());
        publisher = new HomePublisher(context, settings.outputs(), metrics);
        state = new KafkaHomeState(
                partition,
                context.getStateStore(DedupTopology.PENDING),
                context.getStateStore(DedupTopology.ORIGINALS),
                context.getStateStore(DedupTopology.COUNTERS),
                this::signAgain);
        home = new DocumentHome<>(
                partition,
                settings.rules(),
                settings.partitions(),
                settings.signing().judge(),
                state);
        flushing = new Chore(context, GATHERING, this::endStep);
        asking = new Chore(context, ASKING, this::askAgain);
        asking.request();
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        RecordMetadata metadata = context.recordMetadata().orElseThrow();
        long nowMillis = context.currentSystemTimeMs();
        ensureStarted(nowMillis);
        if (metadata.topic().equals(settings.repliesTopic())) {
            MessageCodec.decodeToHome(record.value()).forEach(message -> home.receive(message, publisher));
        } else {
            take(OutputRecords.input(record, metadata), nowMillis);
        }
        endStep(nowMillis);
    }

    private void take(InputRecord input, long nowMillis) {
        Optional<Rejection> refused = settings.outputLimits().check(input, nowMillis);
        if (refused.isPresent()) {
            publisher.deadLetter(input, refused.get(), nowMillis);
        } else if (input.value() == null) {
            home.pass(new Arrival(input.place(), input), publisher);
        } else {
            judge(input, nowMillis);
        }
    }

    private void judge(InputRecord input, long nowMillis) {
        ReadResult result = reader.read(input);
        if (result instanceof Document document) {
            home.arrive(new Arrival(document.id(), input), signer.sign(document), nowMillis, publisher);
        } else {
            publisher.deadLetter(input, (Rejection) result, nowMillis);
        }
    }

    /** Held documents are signed again after a start; then they must still be readable, and carried by the outputs. */
    private SignedDocument signAgain(Arrival arrival) {
        InputRecord input = arrival.input();
        Optional<Rejection> refused = settings.outputLimits().check(input, context.currentSystemTimeMs());
        ReadResult result = reader.read(input);
        if (refused.isEmpty() && result instanceof Document document) {
            return signer.sign(document);
        }
        String detail = refused.orElseGet(() -> (Rejection) result).detail();
        throw new IllegalStateException(
                "record " + input.place() + " was taken by an earlier run and would not be by these"
                        + " settings: " + detail
                        + "; restore the settings neardup.document.* and those of the output topics until"
                        + " it has left");
    }

    private void askAgain(long nowMillis) {
        ensureStarted(nowMillis);
        home.askAgain(nowMillis, publisher);
        metrics.handOver(home);
        endStep(nowMillis);
    }

    /** Not in init: nothing can be forwarded there. */
    private void ensureStarted(long nowMillis) {
        if (!started) {
            started = true;
            home.start(nowMillis, publisher);
        }
    }

    private void endStep(long nowMillis) {
        publisher.endStep(nowMillis);
        if (publisher.isGathering()) {
            flushing.request();
        }
        if (home.held() > 0) {
            asking.request();
        }
        moveGate();
    }

    private void moveGate() {
        int heldMax = settings.pendingMax();
        long bytesMax = settings.pendingBytesMax();
        if (!gateClosed && (home.held() >= heldMax || state.heldBytes() >= bytesMax)) {
            gateClosed = true;
            settings.gate().close(partition);
        } else if (gateClosed && home.held() <= heldMax / 2 && state.heldBytes() <= bytesMax / 2) {
            gateClosed = false;
            settings.gate().open(partition);
        }
    }

    @Override
    public void close() {
        settings.gate().open(partition);
        metrics.close();
    }
}
