package io.neardup.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.config.DuplicateValue;
import io.neardup.config.SeedRetention;
import io.neardup.document.JsonDocumentReader;
import io.neardup.document.Pointers;
import io.neardup.document.TextKind;
import io.neardup.family.MinHashFamily;
import io.neardup.lsh.Banding;
import io.neardup.metrics.ServiceCounts;
import io.neardup.protocol.CandidateRules;
import io.neardup.protocol.Found;
import io.neardup.protocol.HomeRules;
import io.neardup.protocol.Message.Candidates;
import io.neardup.protocol.Partitions;
import io.neardup.protocol.Ref;
import io.neardup.protocol.Retention;
import io.neardup.protocol.Versions;
import io.neardup.signing.Scopes;
import io.neardup.signing.Signing;
import io.neardup.sketch.Measure;
import io.neardup.sketch.SketchCut;
import io.neardup.sketch.Verification;
import io.neardup.streams.input.InputGate;
import io.neardup.streams.input.InputGenerations;
import io.neardup.streams.input.Seeding;
import io.neardup.text.LetterCase;
import io.neardup.text.Shingling;
import io.neardup.wire.Encoded;
import io.neardup.wire.StateLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.Stores;

/** A home with its stores, of which everything around it is made by hand. */
abstract class HomeProcessorHarness {
    static final OutputLimits ANYTHING = new OutputLimits(1 << 20, Long.MAX_VALUE, Long.MAX_VALUE, false);
    static final int HOME = 3;
    static final TopicPartition INPUT = new TopicPartition("documents", HOME);

    final MockProcessorContext<Routed, byte[]> context;
    InputGate gate = new InputGate(100, 1_000_000);
    OutputLimits.ByOutput limits = new OutputLimits.ByOutput(ANYTHING, ANYTHING, ANYTHING);
    final ServiceCounts counts = new ServiceCounts();
    InputGenerations generations = InputGenerations.FIRST;
    Optional<SourcePointer> source = Optional.empty();
    CutoverOrders orders = CutoverOrders.NONE;
    List<String> inputTopics = List.of(INPUT.topic());

    HomeProcessorHarness(Path folder) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        context = new MockProcessorContext<>(settings, new TaskId(0, HOME), folder.toFile());
        context.setCurrentSystemTimeMs(1_000);
        add(new ProgressStore(NodeNames.PROGRESS, false));
        add(Stores.keyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore(NodeNames.ORIGINALS), Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingDisabled()
                .build());
    }

    private void add(StateStore store) {
        store.init(context.getStateStoreContext(), store);
        context.addStateStore(store);
    }

    HomeProcessor processor() {
        return new HomeProcessor(new HomeSettings(
                "replies",
                new HomeRules(
                        0.7,
                        new CandidateRules(100, 25, 100, SketchCut.NONE),
                        10_000,
                        Retention.FOREVER,
                        Versions.COMPARE,
                        HomeBounds.BOUNDS),
                new Partitions(1, 26),
                new Signing(
                        new MinHashFamily(
                                new Shingling(LetterCase.LOWER, "char:9"), Measure.JACCARD, Verification.EXACT),
                        new Banding(26, 5),
                        42,
                        Scopes.IGNORED),
                () -> new JsonDocumentReader(new Pointers("/id", List.of("/text")), TextKind.STRING, 1_000_000),
                limits,
                Optional.of(new OutputRecords(DuplicateValue.RECORD, ANYTHING, Seeding.none())),
                Optional.empty(),
                gate,
                generations,
                new SeedRules("seeds", false, SeedRetention.SEEDING),
                inputTopics,
                () -> orders,
                counts,
                source,
                StateLayout.INDEX_DERIVED,
                Objects.requireNonNull(DedupTopology.layouts().getOrDefault("messages", 0))));
    }

    void answerWithNobody(HomeProcessor processor, long sequence, int attempt) {
        context.setRecordMetadata("replies", HOME, 0);
        Candidates none = new Candidates(new Ref(HOME, sequence), attempt, 0, Found.NOBODY);
        processor.process(new Record<>(new byte[0], Encoded.batch(List.of(none)), 0));
    }

    void process(HomeProcessor processor, long offset) {
        context.setRecordMetadata("documents", HOME, offset);
        byte[] value = ("{\"id\":\"" + offset + "\",\"text\":\"document number " + offset + "\"}").getBytes(UTF_8);
        processor.process(new Record<>(new byte[0], value, 0));
    }

    void punctuateAll() {
        context.scheduledPunctuators().stream()
                .filter(punctuator -> !punctuator.cancelled())
                .toList()
                .forEach(punctuator -> punctuator.getPunctuator().punctuate(context.currentSystemTimeMs()));
    }
}
