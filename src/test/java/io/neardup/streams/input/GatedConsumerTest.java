package io.neardup.streams.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** No broker listens: what is paused is known without one. */
class GatedConsumerTest {
    private static final TopicPartition DOCUMENTS = new TopicPartition("documents", 3);
    private static final TopicPartition OTHER_COORDINATOR = new TopicPartition("documents", 4);
    private static final TopicPartition REPLIES = new TopicPartition("replies", 3);

    private final InputGate gate = new InputGate(10, 1_000);
    private final GatedConsumer consumer = new GatedConsumer(
            Map.of("bootstrap.servers", "127.0.0.1:1", "group.id", "test", "enable.auto.commit", "false"),
            gate,
            Seeding.none(),
            List.of("documents"),
            topic -> false,
            record -> false);

    @BeforeEach
    void assign() {
        consumer.assign(List.of(DOCUMENTS, OTHER_COORDINATOR, REPLIES));
    }

    @AfterEach
    void close() {
        consumer.close();
    }

    /** Both coordinators have all that may be in flight, or four documents. */
    private void hold(int documents) {
        gate.noteHeld(3, documents, 0, Set.of());
        gate.noteHeld(4, documents, 0, Set.of());
    }

    private void poll() {
        consumer.poll(Duration.ZERO);
    }

    @Test
    void shouldGoOnWhereACoordinatorSaysOnce() {
        gate.startAt(DOCUMENTS, new InputPosition(7, 8));
        gate.startAt(new TopicPartition("documents", 5), new InputPosition(8, 9));
        poll();
        assertThat(consumer.position(DOCUMENTS)).isEqualTo(7);

        consumer.seek(DOCUMENTS, 9);
        poll();
        assertThat(consumer.position(DOCUMENTS)).isEqualTo(9);
        assertThat(gate.takeStart(new TopicPartition("documents", 5)))
                .describedAs("another consumer's")
                .hasValue(new InputPosition(8, 9));
    }

    @Test
    void shouldGoToTheBeginningWhereACoordinatorAsksForIt() {
        consumer.seek(DOCUMENTS, 9);
        gate.startAt(DOCUMENTS, InputGate.EARLIEST);
        poll();
        consumer.pause(List.of(DOCUMENTS));
        assertThatThrownBy(() -> consumer.position(DOCUMENTS, Duration.ofMillis(1)))
                .describedAs("where that is only a broker knows")
                .isInstanceOf(TimeoutException.class);
    }

    @Test
    void shouldFetchNoInputWhileTooMuchIsInFlightButForACoordinatorToWhichTheGateIsOpen() {
        hold(10);
        poll();
        assertThat(consumer.paused()).containsExactlyInAnyOrder(DOCUMENTS, OTHER_COORDINATOR);
        gate.noteHeld(4, 10, 0, Set.of(DOCUMENTS.topic()));
        poll();
        assertThat(consumer.paused()).containsExactly(DOCUMENTS);
        hold(4);
        poll();
        assertThat(consumer.paused()).isEmpty();
    }

    @Test
    void shouldStayClosedWhenStreamsResumes() {
        hold(10);
        poll();

        consumer.pause(List.of(DOCUMENTS, REPLIES));
        consumer.resume(List.of(DOCUMENTS, REPLIES));

        assertThat(consumer.paused()).containsExactlyInAnyOrder(DOCUMENTS, OTHER_COORDINATOR);
    }

    @Test
    void shouldNotResumeWhatStreamsHasPaused() {
        consumer.pause(List.of(DOCUMENTS));
        hold(10);
        poll();

        hold(4);
        poll();
        assertThat(consumer.paused()).containsExactly(DOCUMENTS);

        consumer.resume(List.of(DOCUMENTS));
        assertThat(consumer.paused()).isEmpty();
    }

    @Test
    void shouldForgetWhatIsNoLongerAssigned() {
        hold(10);
        poll();
        consumer.assign(List.of(REPLIES));
        hold(4);
        poll();

        consumer.assign(List.of(DOCUMENTS, REPLIES));
        poll();

        assertThat(consumer.paused()).isEmpty();
    }
}
