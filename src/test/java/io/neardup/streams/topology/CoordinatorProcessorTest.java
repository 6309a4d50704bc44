package io.neardup.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.CoordinatorRules.Slice;
import io.neardup.engine.protocol.CoordinatorState;
import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.engine.protocol.Message.Started;
import io.neardup.streams.input.InputGate;
import io.neardup.streams.input.InputGenerations;
import io.neardup.streams.metrics.ServiceCounts.WaitingSource;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.store.CommitListeners;
import io.neardup.streams.store.DiskEntries;
import io.neardup.streams.store.KafkaCoordinatorState;
import io.neardup.streams.store.MessageCodec;
import io.neardup.streams.store.NodeNames;
import io.neardup.streams.store.OriginalStore;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CoordinatorProcessorTest extends CoordinatorProcessorHarness {

    CoordinatorProcessorTest(@TempDir Path folder) {
        super(folder);
    }

    /** An earlier epoch decides the document at offset 1, which waits for that at 0. */
    private void restartAfterADecision(OutputLimits.ByOutput limitsThen, long nowMillisThen) {
        CoordinatorProcessor first = running();
        process(first, 0);
        process(first, 1);
        answerWithNobody(first, 1, 1);
        first.close();
        context.resetForwards();
        limits = limitsThen;
        context.setCurrentSystemTimeMs(nowMillisThen);
        CoordinatorProcessor second = running();
        gate.takeStart(INPUT);
        process(second, 0);
        process(second, 1);
        punctuateAll();
    }

    private long decisionTimes() {
        return counts.histogram(ServiceMetric.DECISION_SECONDS).snapshot().total();
    }

    private long unique() {
        return counts.total(ServiceMetric.DOCUMENTS, "unique", "").sum();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCountADocumentWhenItIsCommittedAndNotBeforeNorInAnEpochThatHasEnded(boolean hasEnded) {
        CoordinatorProcessor processor = running();
        process(processor, 0);
        answerWithNobody(processor, 0, 1);
        assertThat(context.forwarded("unique")).hasSize(1);
        assertThat(unique()).isZero();
        assertThat(decisionTimes()).isZero();
        if (hasEnded) {
            processor.close();
        }

        CommitListeners.after().fire();
        CommitListeners.after().fire();

        assertThat(unique()).isEqualTo(hasEnded ? 0 : 1);
        assertThat(decisionTimes()).isEqualTo(hasEnded ? 0 : 1);
        assertThat(counts.byLabels(ServiceMetric.PENDING).isEmpty()).isEqualTo(hasEnded);
    }

    @Test
    void shouldLookAtTheSourcesOfWhatWaitsForLong() {
        source = Optional.of("/text");
        CoordinatorProcessor processor = running();
        process(processor, 0);
        process(processor, 1);

        context.setCurrentSystemTimeMs(5_999);
        CommitListeners.after().fire();
        assertThat(counts.waiting()).isEmpty();

        context.setCurrentSystemTimeMs(6_000);
        CommitListeners.after().fire();
        assertThat(counts.waiting()).contains(new WaitingSource("document number 0", 1, 2));

        answerWithNobody(processor, 0, 1);
        answerWithNobody(processor, 1, 1);
        CommitListeners.after().fire();
        assertThat(counts.waiting()).isEmpty();
    }

    private long withdrawn() {
        CommitListeners.after().fire();
        return counts.values(ServiceMetric.DOCUMENTS_WITHDRAWN).sum();
    }

    @Test
    void shouldReleaseWhatAnEarlierEpochDecidedWithoutTheMarginsOfNewDocuments() {
        // New documents are refused when half an hour is left; this one has half an hour and a second.
        OutputLimits hour = new OutputLimits(1 << 20, 3_600_000, 3_600_000, false);

        restartAfterADecision(new OutputLimits.ByOutput(hour, hour, ANYTHING), 1_801_000);

        assertThat(context.forwarded("dead-letter")).describedAs("not decided").hasSize(1);
        assertThat(context.forwarded("unique")).describedAs("decided").hasSize(1);
        assertThat(withdrawn()).isZero();
    }

    @Test
    void shouldDeadLetterWhatItsOutputCarriesNoMoreThoughItWasDecided() {
        OutputLimits little = new OutputLimits(10, Long.MAX_VALUE, Long.MAX_VALUE, false);

        restartAfterADecision(new OutputLimits.ByOutput(little, ANYTHING, ANYTHING), 2_000);

        assertThat(context.forwarded("unique")).isEmpty();
        assertThat(context.forwarded("dead-letter")).hasSize(2);
        OriginalStore originals = context.getStateStore(NodeNames.ORIGINALS);
        assertThat(DiskEntries.of(originals)).isEmpty();
        assertThat(withdrawn()).isEqualTo(1);
    }

    @Test
    void shouldDeadLetterWhatHasBecomeTooOldWhileItWaited() {
        OutputLimits hour = new OutputLimits(1 << 20, 3_600_000, 3_600_000, false);
        limits = new OutputLimits.ByOutput(hour, hour, ANYTHING);
        CoordinatorProcessor processor = running();
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
    void shouldSendAndAskForNothingMoreOnceItIsClosed() {
        CoordinatorProcessor processor = running();
        process(processor, 7);
        processor.close();
        CommitListeners.before().fire();
        assertThat(context.forwarded("lookups")).isEmpty();
        processor.init(context);
        processor.close();
        assertThat(gate.takeStart(INPUT)).isEmpty();
    }

    @Test
    void shouldReadATopicMadeAgainFromItsBeginningWhateverStoodAtItsOffsets() {
        CoordinatorProcessor first = running();
        process(first, 7);
        first.close();

        generations = new InputGenerations(Map.of("documents", 1), Set.of());
        CoordinatorProcessor second = running();

        assertThat(gate.takeStart(INPUT)).hasValue(InputGate.EARLIEST);
        process(second, 7);
        second.close();
        running();
        assertThat(gate.takeStart(INPUT)).describedAs("nothing has left").hasValue(new InputPosition(7, 8));
    }

    @Test
    void shouldTellOriginalsAtOneOffsetApartByTheGenerationsOfTheirTopic() {
        CoordinatorProcessor first = running();
        process(first, 7);
        answerWithNobody(first, 0, 1);
        first.close();
        generations = new InputGenerations(Map.of("documents", 1), Set.of());
        CoordinatorProcessor second = running();
        gate.takeStart(INPUT);
        process(second, 7);
        answerWithNobody(second, 1024, 2);

        CoordinatorState state = new KafkaCoordinatorState(
                COORDINATOR, context.getStateStore(NodeNames.PROGRESS), context.getStateStore(NodeNames.ORIGINALS));
        assertThat(state.originalsFrom(0, millis -> true, new Slice(10, Long.MAX_VALUE)))
                .extracting(original -> original.origin().provenance().place())
                .containsExactly("documents-3-7", "documents#1-3-7");
    }

    /** Kafka Streams closes and initialises the same processor when it revives a task. */
    @Test
    void shouldReadWhatItHeldAgainWhenItsTaskIsRevived() {
        CoordinatorProcessor processor = running();
        assertThat(gate.takeStart(INPUT)).isEmpty();
        process(processor, 7);
        process(processor, 8);

        processor.close();
        processor.init(context);

        assertThat(gate.takeStart(INPUT)).hasValue(new InputPosition(7, 9));
        context.resetForwards();
        process(processor, 7);
        process(processor, 8);
        assertThat(context.forwarded("lookups")).isEmpty();
        CommitListeners.before().fire();
        assertThat(context.forwarded("lookups")).hasSize(1);
    }

    @Test
    void shouldAnnounceItselfToAllCoordinatorsWhenItStartsAgain() {
        CoordinatorProcessor first = running();
        punctuateAll();
        assertThat(context.forwarded("replies")).isEmpty();
        first.close();

        running();
        punctuateAll();
        CommitListeners.before().fire();

        assertThat(context.forwarded("replies")).singleElement().satisfies(forward -> {
            Record<? extends Routed, ? extends byte[]> sent = forward.record();
            assertThat(sent.key().partition()).isEqualTo(Routed.ALL);
            assertThat(MessageCodec.decodeToCoordinator(sent.value())).containsExactly(new Started(COORDINATOR));
        });
    }

    @ParameterizedTest
    @CsvSource({"2, 1000000, 2, 0", "100, 50, 1, 0", "100, 20000, 1, 300"})
    void shouldCloseItsGateWhileTooManyDocumentsOrBytesAreInFlight(
            int documentsMax, int bytesMax, int documents, int headersOfEach) {
        headers = headersOfEach;
        gate = new InputGate(documentsMax, bytesMax);
        CoordinatorProcessor processor = running();
        for (int offset = 0; offset < documents; offset++) {
            assertThat(gate.isClosed(INPUT)).isFalse();
            process(processor, offset);
        }
        assertThat(gate.isClosed(INPUT)).isTrue();
        answerWithNobody(processor, 0, 1);
        assertThat(context.forwarded("unique")).hasSize(1);
        assertThat(gate.isClosed(INPUT)).isFalse();

        process(processor, documents);
        assertThat(gate.isClosed(INPUT)).isTrue();
        processor.close();
        assertThat(gate.isClosed(INPUT)).isFalse();
    }
}
