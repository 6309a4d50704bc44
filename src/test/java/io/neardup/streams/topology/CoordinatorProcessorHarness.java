package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.config.Signing;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.DocumentRefs;
import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.streams.input.InputGate;
import io.neardup.streams.input.InputGenerations;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.store.Encoded;
import io.neardup.streams.store.NodeNames;
import io.neardup.streams.store.OriginalStore;
import io.neardup.streams.store.OriginalsMemory;
import io.neardup.streams.store.ProgressStore;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.ProcessorRecordContext;
import org.apache.kafka.streams.processor.internals.RecordCollector;
import org.junit.jupiter.api.AfterEach;

/** A coordinator with its stores, of which everything around it is made by hand. */
abstract class CoordinatorProcessorHarness {
    static final OutputLimits ANYTHING = new OutputLimits(1 << 20, Long.MAX_VALUE, Long.MAX_VALUE, false);
    static final int COORDINATOR = 3;
    static final String REPLIES = "neardup-replies";
    static final TopicPartition INPUT = new TopicPartition("documents", COORDINATOR);

    final MockProcessorContext<Routed, byte[]> context;
    InputGate gate = new InputGate(100, 1_000_000);
    OutputLimits.ByOutput limits = new OutputLimits.ByOutput(ANYTHING, ANYTHING, ANYTHING);
    final ServiceCounts counts = new ServiceCounts();
    InputGenerations generations = InputGenerations.FIRST;
    Optional<String> source = Optional.empty();
    KnownCutover known = KnownCutover.NONE;
    List<String> inputTopics = List.of(INPUT.topic());
    /** That a document has, all of them empty. */
    int headers;

    CoordinatorProcessorHarness(Path folder) {
        context = context(COORDINATOR, folder);
        context.setCurrentSystemTimeMs(1_000);
        OriginalStore originals = new OriginalStore(
                NodeNames.ORIGINALS,
                new OriginalsMemory(8 << 20),
                System::currentTimeMillis,
                OriginalStore.secondaryKeys(Versions.COMPARE),
                TopicPartition::toString);
        add(new ProgressStore(NodeNames.PROGRESS), context, Map.of());
        add(originals, context, Map.of());
    }

    @AfterEach
    void closeOriginals() {
        StateStore originals = context.getStateStore(NodeNames.ORIGINALS);
        originals.close();
    }

    static MockProcessorContext<Routed, byte[]> context(int partition, Path folder) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        return new MockProcessorContext<>(settings, new TaskId(0, partition), folder.toFile());
    }

    /**
     * Opens a store for a processor. What it writes to its changelog goes nowhere.
     *
     * @param offsets of changelogs, as the task knows them
     */
    static void add(StateStore store, MockProcessorContext<?, ?> context, Map<TopicPartition, Long> offsets) {
        StateStoreContext mock = context.getStateStoreContext();
        ProcessorRecordContext record = new ProcessorRecordContext(0, 0, 0, INPUT.topic(), new RecordHeaders());
        ClassLoader loader = StateStoreContext.class.getClassLoader();
        Object collector = Proxy.newProxyInstance(
                loader, new Class<?>[] {RecordCollector.class}, (proxy, method, arguments) -> offsets);
        store.init(
                (StateStoreContext) Proxy.newProxyInstance(
                        loader,
                        new Class<?>[] {InternalProcessorContext.class, RecordCollector.Supplier.class},
                        (proxy, method, arguments) -> switch (method.getName()) {
                            case "recordCollector" -> collector;
                            case "recordContext" -> record;
                            case "logChange" -> null;
                            default -> method.invoke(mock, arguments);
                        }),
                store);
        context.addStateStore(store);
    }

    CoordinatorProcessor processor() {
        List<String> settings = new ArrayList<>(List.of(
                "neardup.bands.partitions=1",
                "neardup.banding=26x5",
                "neardup.retention=forever",
                "neardup.verified.max=100",
                "neardup.input.topics=" + String.join(",", inputTopics)));
        source.ifPresent(pointer -> settings.add("neardup.source=" + pointer));
        NeardupConfig config = NeardupConfig.of(new Settings().pairs(settings));
        DedupTopology flow = new DedupTopology(
                config,
                Signing.of(config, 42),
                limits,
                gate,
                generations,
                Seeding.none(),
                () -> known,
                counts,
                TopicPartition::toString,
                topic -> topic);
        return new CoordinatorProcessor(flow);
    }

    /** A processor that is initialised. */
    CoordinatorProcessor running() {
        CoordinatorProcessor processor = processor();
        processor.init(context);
        return processor;
    }

    void answerWithNobody(CoordinatorProcessor processor, long sequence, int epoch) {
        context.setRecordMetadata(REPLIES, COORDINATOR, 0);
        Candidates none =
                new Candidates(new DocumentRef(COORDINATOR, sequence), epoch, 0, new Found(DocumentRefs.NONE, 0, 0));
        processor.process(new Record<>(new byte[0], Encoded.batch(List.of(none)), 0));
    }

    void process(CoordinatorProcessor processor, long offset) {
        context.setRecordMetadata("documents", COORDINATOR, offset);
        byte[] value = ("{\"id\":\"" + offset + "\",\"text\":\"document number " + offset + "\"}").getBytes(UTF_8);
        Header[] empty = Stream.generate(() -> new RecordHeader("", new byte[0]))
                .limit(headers)
                .toArray(Header[]::new);
        processor.process(new Record<>(new byte[0], value, 0, new RecordHeaders(empty)));
    }

    void punctuateAll() {
        context.scheduledPunctuators().stream()
                .filter(punctuator -> !punctuator.cancelled())
                .toList()
                .forEach(punctuator -> punctuator.getPunctuator().punctuate(context.currentSystemTimeMs()));
    }
}
