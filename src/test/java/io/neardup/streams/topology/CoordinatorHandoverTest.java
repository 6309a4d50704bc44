package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.streams.store.CommitListeners;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.CutoverEvent;
import io.neardup.streams.store.CutoverEvent.Asked;
import io.neardup.streams.store.CutoverEvent.Empty;
import io.neardup.streams.store.CutoverEvent.Flushed;
import io.neardup.streams.store.NodeNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a coordinator applies a cutover, from what is known of it to what it reports. */
class CoordinatorHandoverTest extends CoordinatorProcessorHarness {
    private static final Asked ASKED = new Asked("request", "other", 4, false);

    CoordinatorHandoverTest(@TempDir Path folder) {
        super(folder);
    }

    private void learn(CutoverEvent... events) {
        Cutover cutover = known.state();
        for (CutoverEvent event : events) {
            cutover = cutover.with(event, 1);
        }
        known = new KnownCutover(cutover, known.committed());
    }

    /** What the coordinator has noted for all, since the last call. */
    private List<CutoverEvent> noted() {
        List<CutoverEvent> noted = context.forwarded(NodeNames.NOTES).stream()
                .map(forward -> CutoverEvent.decode(
                        new String(forward.record().key().key(), UTF_8),
                        forward.record().value()))
                .toList();
        context.resetForwards();
        return noted;
    }

    /** Of an input that is left from an offset on. */
    private static Empty empty(long position) {
        return new Empty(COORDINATOR, Map.of("documents", position), 0, 0);
    }

    private CoordinatorProcessor started() {
        CoordinatorProcessor processor = running();
        gate.takeStart(INPUT);
        return processor;
    }

    /** It has released the record at offset 5, fixed what it leaves behind that, and skipped the next. */
    private CoordinatorProcessor fixedBehindTheFirst() {
        CoordinatorProcessor processor = started();
        process(processor, 5);
        answerWithNobody(processor, 0, 1);
        learn(ASKED);
        wakeUp(processor);
        process(processor, 6);
        return processor;
    }

    /** What the service sends to each coordinator when it reads of a cutover. */
    private void wakeUp(CoordinatorProcessor processor) {
        context.setRecordMetadata(REPLIES, COORDINATOR, 0);
        processor.process(new Record<>(
                new byte[0], KnownCutover.wakeUp(REPLIES, COORDINATOR).value(), 0));
    }

    @Test
    void shouldFixBehindWhatItHasTakenAndBeEmptyWhenThatHasLeft() {
        CoordinatorProcessor processor = started();
        process(processor, 5);
        noted();

        learn(ASKED);
        wakeUp(processor);

        assertThat(noted()).isEmpty();
        assertThat(gate.isClosed(INPUT)).isTrue();

        answerWithNobody(processor, 0, 1);

        assertThat(noted()).containsExactly(empty(6));
    }

    @Test
    void shouldFixWhereTheGroupWasSetToAsLongAsItHasTakenNothing() {
        CoordinatorProcessor processor = started();

        known = new KnownCutover(Cutover.NONE, Map.of(INPUT, 40L));
        learn(ASKED);
        wakeUp(processor);

        assertThat(noted()).containsExactly(empty(40));
    }

    /** What it skipped counts as read by what the group has committed. */
    @Test
    void shouldStayWhereItStoppedThoughItsInstanceHasNotReadOfIt() {
        fixedBehindTheFirst().close();
        known = KnownCutover.NONE;
        noted();

        CoordinatorProcessor again = running();

        assertThat(gate.takeStart(INPUT)).hasValue(new InputPosition(6));
        assertThat(gate.isClosed(INPUT)).isTrue();
        process(again, 6);
        process(again, 7);
        CommitListeners.before().fire();
        assertThat(context.forwarded("lookups")).isEmpty();
        assertThat(noted()).as("it has reported that").isEmpty();
    }

    @Test
    void shouldTakeNothingOfAnInputThatCameAfterItFixed() {
        CoordinatorProcessor processor = started();
        learn(ASKED);
        wakeUp(processor);
        processor.close();
        inputTopics = List.of(INPUT.topic(), "later");

        processor().init(context);

        assertThat(gate.isClosed(new TopicPartition("later", COORDINATOR))).isTrue();
    }

    /** After a crash in which records 5 and 6, behind which it had fixed, were not decided. */
    private CoordinatorProcessor startedAgain() {
        CoordinatorProcessor processor = started();
        process(processor, 5);
        process(processor, 6);
        learn(ASKED);
        wakeUp(processor);
        processor.close();
        noted();
        return running();
    }

    @Test
    void shouldReadUpToWhatItFixedAfterACrash() {
        CoordinatorProcessor second = startedAgain();

        assertThat(gate.takeStart(INPUT)).hasValue(new InputPosition(5, 7));
        assertThat(gate.isClosed(INPUT)).isFalse();
        process(second, 5);
        process(second, 6);
        assertThat(gate.isClosed(INPUT)).isTrue();
        process(second, 7);
        answerWithNobody(second, 0, 2);
        assertThat(noted()).isEmpty();
        answerWithNobody(second, 1, 2);

        assertThat(noted()).containsExactly(empty(7));
        second.close();
        running();
        punctuateAll();
        assertThat(noted()).as("once").isEmpty();
    }

    @Test
    void shouldBeEmptyWhereAllThatItHadToReadAgainIsGone() {
        startedAgain();
        gate.takeStart(INPUT);

        gate.noteDeleted(INPUT, 6);
        punctuateAll();
        assertThat(noted()).as("a record that it takes is there").isEmpty();
        gate.noteDeleted(INPUT, 9);
        punctuateAll();

        assertThat(noted()).containsExactly(empty(7));
        assertThat(gate.isClosed(INPUT)).isTrue();
    }

    /**
     * Of a quiet input whose records are gone. Tombstones of other inputs would wait for these, and be kept, for ever.
     * What is still there of what it has read must not be taken for new: it may be decided.
     */
    @ParameterizedTest
    @CsvSource({
        // nothing comes before, goes on from, has read up to
        "9, 7, 7",
        "6, 6, 7",
    })
    void shouldAwaitAgainWhatIsNotGoneOfWhatItHasRead(long deletedBefore, long offset, long readEnd) {
        CoordinatorProcessor processor = started();
        process(processor, 5);
        process(processor, 6);
        processor.close();
        CoordinatorProcessor again = running();
        gate.takeStart(INPUT);

        gate.noteDeleted(INPUT, deletedBefore);
        wakeUp(again);

        again.close();
        running();
        assertThat(gate.takeStart(INPUT)).hasValue(new InputPosition(offset, readEnd));
    }

    @Test
    void shouldLookAgainUntilItIsEmpty() {
        CoordinatorProcessor processor = started();
        process(processor, 5);
        learn(ASKED);
        wakeUp(processor);
        punctuateAll();
        assertThat(isAsking()).isTrue();

        answerWithNobody(processor, 0, 1);
        punctuateAll();
        punctuateAll();

        assertThat(isAsking()).isFalse();
    }

    /** Its tombstone is kept for what was in flight before it, and nothing comes any more that would end it. */
    @Test
    void shouldBeEmptyThoughATombstoneWasKeptLongAfterTheLastRecord() {
        CoordinatorProcessor processor = started();
        process(processor, 5);
        processTombstone(processor, 6);
        learn(ASKED);
        wakeUp(processor);
        punctuateAll();
        punctuateAll();
        answerWithNobody(processor, 0, 1);
        assertThat(noted()).isEmpty();

        punctuateAll();

        assertThat(noted()).containsExactly(empty(7));
        punctuateAll();
        assertThat(context.scheduledPunctuators())
                .filteredOn(punctuator -> punctuator.getInterval().compareTo(BandProcessor.AT_REST) < 0)
                .allMatch(CapturedPunctuator::cancelled);
    }

    @Test
    void shouldBeEmptyWhereATombstoneAndAllBeforeItIsGone() {
        CoordinatorProcessor processor = started();
        process(processor, 5);
        processTombstone(processor, 6);
        learn(ASKED);
        wakeUp(processor);
        processor.close();
        running();
        gate.takeStart(INPUT);
        punctuateAll();
        punctuateAll();

        gate.noteDeleted(INPUT, 9);
        punctuateAll();
        punctuateAll();

        assertThat(noted()).containsExactly(empty(7));
    }

    private void processTombstone(CoordinatorProcessor processor, long offset) {
        context.setRecordMetadata("documents", COORDINATOR, offset);
        processor.process(new Record<>(new byte[0], null, 0));
    }

    private void flush(CoordinatorProcessor processor) {
        context.setRecordMetadata(REPLIES, COORDINATOR, 0);
        ProducerRecord<byte[], byte[]> flush = KnownCutover.flush(REPLIES, COORDINATOR);
        processor.process(new Record<>(new byte[0], flush.value(), 0, flush.headers()));
    }

    @Test
    void shouldReportThatItIsFlushedAlsoAgainAndAfterACrash() {
        CoordinatorProcessor processor = started();
        learn(new Asked("request", "other", 4, true));
        wakeUp(processor);
        assertThat(noted()).containsExactly(empty(Handover.NOTHING_TAKEN));

        flush(processor);
        assertThat(noted()).containsExactly(new Flushed(COORDINATOR));
        wakeUp(processor);
        assertThat(noted()).isEmpty();

        CoordinatorProcessor again = running();
        flush(again);
        assertThat(noted()).containsExactly(new Flushed(COORDINATOR));
    }

    private boolean isAsking() {
        return context.scheduledPunctuators().stream()
                .anyMatch(punctuator ->
                        !punctuator.cancelled() && punctuator.getInterval().equals(Duration.ofSeconds(1)));
    }
}
