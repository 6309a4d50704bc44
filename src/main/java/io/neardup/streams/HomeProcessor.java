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
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/** The home of an input partition: documents and replies in, decisions and questions out. */
final class HomeProcessor implements Processor<byte[], byte[], Routed, byte[]> {
    private static final long CHORES_MILLIS = 1_000;

    private final HomeSettings settings;
    private final DocumentReader reader;
    private final Signing.Signer signer;
    // Made in init, which Streams calls before anything else.
    private ProcessorContext<Routed, byte[]> context;
    private DocumentHome<Arrival> home;
    private HomePublisher publisher;
    private HomeMetrics metrics;
    private int partition;
    private boolean started;
    private long nextChoresMillis;

    @SuppressWarnings("NullAway.Init")
    HomeProcessor(HomeSettings settings) {
        this.settings = settings;
        this.reader = settings.reader().get();
        this.signer = settings.signing().signer();
    }

    @Override
    public void init(ProcessorContext<Routed, byte[]> context) {
        this.context = context;
        partition = context.taskId().partition();
        metrics = new HomeMetrics(context.metrics(), context.taskId().toString());
        publisher = new HomePublisher(context, settings.outputs(), metrics);
        KafkaHomeState state = new KafkaHomeState(
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
        context.schedule(
                Duration.ofMillis(HomePublisher.GATHER_MILLIS), PunctuationType.WALL_CLOCK_TIME, this::punctuate);
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

    private SignedDocument signAgain(Arrival arrival) {
        ReadResult result = reader.read(arrival.input());
        if (result instanceof Document document) {
            return signer.sign(document);
        }
        throw new IllegalStateException("record " + arrival.input().place()
                + " was accepted by an earlier run and is not by these settings: " + ((Rejection) result).detail()
                + "; restore the neardup.document.* settings until it has left");
    }

    private void punctuate(long nowMillis) {
        ensureStarted(nowMillis);
        if (nowMillis >= nextChoresMillis) {
            nextChoresMillis = nowMillis + CHORES_MILLIS;
            home.askAgain(nowMillis, publisher);
            metrics.handOver(home);
        }
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
        if (home.held() >= settings.pendingMax()) {
            settings.gate().close(partition);
        } else if (home.held() <= settings.pendingMax() / 2) {
            settings.gate().open(partition);
        }
    }

    @Override
    public void close() {
        settings.gate().open(partition);
        metrics.close();
    }
}
