package io.neardup.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.neardup.config.DuplicateValue;
import io.neardup.config.SeedRetention;
import io.neardup.document.JsonDocumentReader;
import io.neardup.document.Pointers;
import io.neardup.document.TextKind;
import io.neardup.family.MinHashFamily;
import io.neardup.lsh.Banding;
import io.neardup.metrics.ServiceCounts;
import io.neardup.metrics.ServiceMetric;
import io.neardup.metrics.WaitingSources;
import io.neardup.protocol.CandidateRules;
import io.neardup.protocol.Found;
import io.neardup.protocol.HomeRules;
import io.neardup.protocol.InputPosition;
import io.neardup.protocol.Message.Candidates;
import io.neardup.protocol.Message.Lookup;
import io.neardup.protocol.Message.Started;
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
import io.neardup.streams.output.CommitListeners;
import io.neardup.text.LetterCase;
import io.neardup.text.Shingling;
import io.neardup.wire.Encoded;
import io.neardup.wire.MessageCodec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HomeProcessorTest {
    private static final OutputLimits ANYTHING = new OutputLimits(1 << 20, Long.MAX_VALUE, Long.MAX_VALUE, false);
    private static final int HOME = 3;
    private static final TopicPartition INPUT = new TopicPartition("documents", HOME);

    private final MockProcessorContext<Routed, byte[]> context;
    private InputGate gate = new InputGate(100, 1_000_000);
    private OutputLimits.ByOutput limits = new OutputLimits.ByOutput(ANYTHING, ANYTHING, ANYTHING);
    private final ServiceCounts counts = new ServiceCounts();
    private InputGenerations generations = InputGenerations.FIRST;
    private Optional<SourcePointer> source = Optional.empty();

    HomeProcessorTest(@TempDir Path folder) {
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

    private HomeProcessor processor() {
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
                counts,
                source));
    }

    /** An earlier life decides the document at offset 1, which waits for that at 0. */
    private void restartAfterADecision(OutputLimits.ByOutput limitsThen, long nowMillisThen) {
        HomeProcessor first = processor();
        first.init(context);
        process(first, 0);
        process(first, 1);
        answerWithNobody(first, 1, 1);
        first.close();
        context.resetForwards();
        limits = limitsThen;
        context.setCurrentSystemTimeMs(nowMillisThen);
        HomeProcessor second = processor();
        second.init(context);
        gate.takeStart(INPUT);
        process(second, 0);
        process(second, 1);
        punctuateAll();
    }

    @Test
    void shouldCountADocumentWhenItIsCommittedAndNotBefore() {
        HomeProcessor processor = processor();
        processor.init(context);
        process(processor, 0);
        answerWithNobody(processor, 0, 1);

        assertThat(context.forwarded("unique")).hasSize(1);
        assertThat(counts.total(ServiceMetric.DOCUMENTS, "unique", "").sum()).isZero();

        CommitListeners.after().tell();
        assertThat(counts.total(ServiceMetric.DOCUMENTS, "unique", "").sum()).isOne();
    }

    @Test
    void shouldCountNothingOfALifeThatEndsBeforeItsCommit() {
        HomeProcessor processor = processor();
        processor.init(context);
        process(processor, 0);
        answerWithNobody(processor, 0, 1);
        processor.close();

        CommitListeners.after().tell();

        assertThat(context.forwarded("unique")).hasSize(1);
        assertThat(counts.total(ServiceMetric.DOCUMENTS, "unique", "").sum()).isZero();
        counts.forEachGauge(ServiceMetric.PENDING, (labels, value) -> fail("left behind by the home of " + labels));
    }

    @Test
    void shouldLookAtTheSourcesOfWhatWaitsForLong() {
        source = Optional.of(new SourcePointer("/text"));
        HomeProcessor processor = processor();
        processor.init(context);
        process(processor, 0);
        process(processor, 1);

        context.setCurrentSystemTimeMs(5_999);
        CommitListeners.after().tell();
        assertThat(counts.waiting().most()).isEmpty();

        context.setCurrentSystemTimeMs(6_000);
        CommitListeners.after().tell();
        assertThat(counts.waiting().most()).contains(new WaitingSources.Most("document number 0", 1, 2));

        answerWithNobody(processor, 0, 1);
        answerWithNobody(processor, 1, 1);
        CommitListeners.after().tell();
        assertThat(counts.waiting().most()).isEmpty();
    }

    private double withdrawn() {
        CommitListeners.after().tell();
        return context.metrics().metrics().values().stream()
                .filter(metric -> metric.metricName().name().equals("withdrawn-total"))
                .mapToDouble(metric -> (double) metric.metricValue())
                .sum();
    }

    private void answerWithNobody(HomeProcessor processor, long sequence, int attempt) {
        context.setRecordMetadata("replies", HOME, 0);
        Candidates none = new Candidates(new Ref(HOME, sequence), attempt, 0, Found.NOBODY);
        processor.process(new Record<>(new byte[0], Encoded.batch(List.of(none)), 0));
    }

    @Test
    void shouldReleaseWhatAnEarlierLifeDecidedWithoutTheMarginsOfNewDocuments() {
        // New documents are refused when half an hour is left; this one has half an hour and a second.
        OutputLimits hour = new OutputLimits(1 << 20, 3_600_000, 3_600_000, false);

        restartAfterADecision(new OutputLimits.ByOutput(hour, hour, ANYTHING), 1_801_000);

        assertThat(context.forwarded("dead-letter")).describedAs("not decided").hasSize(1);
        assertThat(context.forwarded("unique")).describedAs("decided").hasSize(1);
        assertThat(withdrawn()).isZero();
    }

    @Test
    void shouldSendAwayAsADeadLetterWhatItsOutputCarriesNoMoreThoughItWasDecided() {
        OutputLimits little = new OutputLimits(10, Long.MAX_VALUE, Long.MAX_VALUE, false);

        restartAfterADecision(new OutputLimits.ByOutput(little, ANYTHING, ANYTHING), 2_000);

        assertThat(context.forwarded("unique")).isEmpty();
        assertThat(context.forwarded("dead-letter")).hasSize(2);
        KeyValueStore<Bytes, byte[]> originals = context.getStateStore(NodeNames.ORIGINALS);
        assertThat(originals.approximateNumEntries()).isZero();
        assertThat(withdrawn()).isEqualTo(1);
    }

    @Test
    void shouldSendAwayAsADeadLetterWhatHasBecomeTooOldWhileItWaited() {
        OutputLimits hour = new OutputLimits(1 << 20, 3_600_000, 3_600_000, false);
        limits = new OutputLimits.ByOutput(hour, hour, ANYTHING);
        HomeProcessor processor = processor();
        processor.init(context);
        process(processor, 0);
        process(processor, 1);
        answerWithNobody(processor, 1, 1);

        context.setCurrentSystemTimeMs(3_600_001);
        answerWithNobody(processor, 0, 1);
        punctuateAll();

        assertThat(context.forwarded("unique")).isEmpty();
        assertThat(context.forwarded("dead-letter")).hasSize(2);
        assertThat(withdrawn()).isEqualTo(2);
    }

    @Test
    void shouldPassOnATombstoneBehindWhatCameBefore() {
        HomeProcessor processor = processor();
        processor.init(context);
        process(processor, 0);
        context.setRecordMetadata("documents", HOME, 1);
        @SuppressWarnings("NullAway") // Kafka has no annotations to say that a record may have no value
        Record<byte[], byte[]> tombstone = new Record<>(new byte[] {7}, null, 0);
        processor.process(tombstone);
        assertThat(context.forwarded("unique")).isEmpty();

        answerWithNobody(processor, 0, 1);

        assertThat(context.forwarded("unique"))
                .extracting(forward -> forward.record().value() == null)
                .containsExactly(false, true);
    }

    @Test
    void shouldSendNothingThatGatheredOnceItIsClosed() {
        HomeProcessor processor = processor();
        processor.init(context);
        process(processor, 0);
        processor.close();

        CommitListeners.before().tell();

        assertThat(context.forwarded("lookups")).isEmpty();
    }

    private void process(HomeProcessor processor, long offset) {
        context.setRecordMetadata("documents", HOME, offset);
        byte[] value = ("{\"id\":\"" + offset + "\",\"text\":\"document number " + offset + "\"}").getBytes(UTF_8);
        processor.process(new Record<>(new byte[0], value, 0));
    }

    @Test
    void shouldReadATopicMadeAgainFromItsBeginningWhateverStoodAtItsOffsets() {
        HomeProcessor first = processor();
        first.init(context);
        process(first, 7);
        first.close();

        generations = new InputGenerations(Map.of("documents", 1), Set.of());
        HomeProcessor second = processor();
        second.init(context);

        assertThat(gate.takeStart(INPUT)).hasValue(InputGate.BEGINNING);
        process(second, 7);
        second.close();
        HomeProcessor third = processor();
        third.init(context);
        assertThat(gate.takeStart(INPUT)).describedAs("nothing has left").hasValue(new InputPosition(7, true));
    }

    /** Kafka Streams closes and initialises the same processor when it revives a task. */
    @Test
    void shouldReadWhatItHeldAgainWhenItsTaskIsRevived() {
        HomeProcessor processor = processor();
        processor.init(context);
        assertThat(gate.takeStart(INPUT)).isEmpty();
        process(processor, 7);
        process(processor, 8);

        processor.close();
        processor.init(context);

        assertThat(gate.takeStart(INPUT)).hasValue(new InputPosition(7, true));
        context.resetForwards();
        process(processor, 7);
        process(processor, 8);
        assertThat(context.forwarded("lookups")).isEmpty();
        CommitListeners.before().tell();
        assertThat(context.forwarded("lookups")).hasSize(1);
    }

    @Test
    void shouldAnnounceItselfToAllHomesWhenItStartsAgain() {
        HomeProcessor first = processor();
        first.init(context);
        punctuateAll();
        assertThat(context.forwarded("replies")).isEmpty();
        first.close();

        HomeProcessor second = processor();
        second.init(context);
        punctuateAll();
        CommitListeners.before().tell();

        assertThat(context.forwarded("replies")).singleElement().satisfies(forward -> {
            Record<? extends Routed, ? extends byte[]> sent = forward.record();
            assertThat(sent.key().partition()).isEqualTo(Routed.ALL);
            assertThat(MessageCodec.decodeToHome(sent.value())).containsExactly(new Started(HOME));
        });
    }

    private void punctuateAll() {
        context.scheduledPunctuators().stream()
                .filter(punctuator -> !punctuator.cancelled())
                .toList()
                .forEach(punctuator -> punctuator.getPunctuator().punctuate(context.currentSystemTimeMs()));
    }

    @Test
    void shouldAskForNothingMoreOnceItIsClosed() {
        HomeProcessor processor = processor();
        processor.init(context);
        process(processor, 7);
        processor.close();
        processor.init(context);

        processor.close();

        assertThat(gate.takeStart(INPUT)).isEmpty();
    }

    @Test
    void shouldCloseItsGateWhileTooManyDocumentsAreInFlight() {
        gate = new InputGate(2, 1_000_000);
        HomeProcessor processor = processor();
        processor.init(context);

        process(processor, 0);
        assertThat(gate.isClosed(INPUT)).isFalse();
        process(processor, 1);
        assertThat(gate.isClosed(INPUT)).isTrue();

        processor.close();
        assertThat(gate.isClosed(INPUT)).isFalse();
    }

    @Test
    void shouldOpenItsGateWhenDocumentsHaveLeft() {
        gate = new InputGate(100, 50);
        HomeProcessor processor = processor();
        processor.init(context);
        process(processor, 0);
        CommitListeners.before().tell();
        Lookup lookup = (Lookup) MessageCodec.decodeToBands(
                        context.forwarded("lookups").get(0).record().value())
                .get(0);
        Ref document = lookup.document();

        context.setRecordMetadata("replies", HOME, 0);
        Candidates none = new Candidates(document, 1, 0, Found.NOBODY);
        processor.process(new Record<>(new byte[0], Encoded.batch(List.of(none)), 0));

        assertThat(context.forwarded("unique")).hasSize(1);
        assertThat(gate.isClosed(INPUT)).isFalse();
    }

    @Test
    void shouldCloseItsGateWhileTooManyBytesAreInFlight() {
        gate = new InputGate(100, 50);
        HomeProcessor processor = processor();
        processor.init(context);

        process(processor, 0);

        assertThat(gate.isClosed(INPUT)).isTrue();
    }
}
