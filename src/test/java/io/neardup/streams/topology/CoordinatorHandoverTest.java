package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.streams.store.CommitListeners;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.MigrationEvent;
import io.neardup.streams.store.MigrationEvent.Asked;
import io.neardup.streams.store.MigrationEvent.Empty;
import io.neardup.streams.store.MigrationEvent.Flushed;
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

/** How a coordinator heeds a cutover, from its orders to what it notes. */
class CoordinatorHandoverTest extends CoordinatorProcessorHarness {
    private static final Asked ASKED = new Asked("request", "other", 4, false);

    CoordinatorHandoverTest(@TempDir Path folder) {
        super(folder);
    }

    private void order(MigrationEvent... events) {
        Cutover cutover = orders.cutover();
        for (MigrationEvent event : events) {
            cutover = cutover.with(event, 1);
        }
        orders = new CutoverOrders(cutover, orders.committed());
    }

    /** What the coordinator has noted for all, since the last call. */
    private List<MigrationEvent> noted() {
        List<MigrationEvent> noted = context.forwarded(NodeNames.NOTES).stream()
                .map(forward -> MigrationEvent.decode(
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
        order(ASKED);
        look(processor);
        process(processor, 6);
        return processor;
    }

    /** What the service sends to each coordinator when it reads of a cutover. */
    private void look(CoordinatorProcessor processor) {
        context.setRecordMetadata(REPLIES, COORDINATOR, 0);
        processor.process(new Record<>(
                new byte[0], CutoverOrders.look(REPLIES, COORDINATOR).value(), 0));
    }

    @Test
    void shouldFixBehindWhatItHasTakenAndBeEmptyWhenThatHasLeft() {
        CoordinatorProcessor processor = started();
        process(processor, 5);
        noted();

        order(ASKED);
        look(processor);

        assertThat(noted()).isEmpty();
        assertThat(gate.isClosed(INPUT)).isTrue();

        answerWithNobody(processor, 0, 1);

        assertThat(noted()).containsExactly(empty(6));
    }

    @Test
    void shouldFixWhereTheGroupWasSetToAsLongAsItHasTakenNothing() {
        CoordinatorProcessor processor = started();

        orders = new CutoverOrders(Cutover.NONE, Map.of(INPUT, 40L));
        order(ASKED);
        look(processor);

        assertThat(noted()).containsExactly(empty(40));
    }

    /** What it skipped counts as read by what the group has committed. */
    @Test
    void shouldStayWhereItStoppedThoughItsInstanceHasNotReadOfIt() {
        fixedBehindTheFirst().close();
        orders = CutoverOrders.NONE;
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
        order(ASKED);
        look(processor);
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
        order(ASKED);
        look(processor);
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

        gate.noteGone(INPUT, 6);
        punctuateAll();
        assertThat(noted()).as("a record that it takes is there").isEmpty();
        gate.noteGone(INPUT, 9);
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
    void shouldAwaitAgainWhatIsNotGoneOfWhatItHasRead(long goneBefore, long offset, long readEnd) {
        CoordinatorProcessor processor = started();
        process(processor, 5);
        process(processor, 6);
        processor.close();
        CoordinatorProcessor again = running();
        gate.takeStart(INPUT);

        gate.noteGone(INPUT, goneBefore);
        look(again);

        again.close();
        running();
        assertThat(gate.takeStart(INPUT)).hasValue(new InputPosition(offset, readEnd));
    }

    @Test
    void shouldLookAgainUntilItIsEmpty() {
        CoordinatorProcessor processor = started();
        process(processor, 5);
        order(ASKED);
        look(processor);
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
        order(ASKED);
        look(processor);
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
        order(ASKED);
        look(processor);
        processor.close();
        running();
        gate.takeStart(INPUT);
        punctuateAll();
        punctuateAll();

        gate.noteGone(INPUT, 9);
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
        ProducerRecord<byte[], byte[]> flush = CutoverOrders.flush(REPLIES, COORDINATOR);
        processor.process(new Record<>(new byte[0], flush.value(), 0, flush.headers()));
    }

    @Test
    void shouldReportThatItIsFlushedAlsoAgainAndAfterACrash() {
        CoordinatorProcessor processor = started();
        order(new Asked("request", "other", 4, true));
        look(processor);
        assertThat(noted()).containsExactly(empty(Handover.NOTHING_TAKEN));

        flush(processor);
        assertThat(noted()).containsExactly(new Flushed(COORDINATOR));
        look(processor);
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
