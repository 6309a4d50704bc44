package io.neardup.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** No broker listens: what is paused is known without one. */
class GatedConsumerTest {
    private static final TopicPartition DOCUMENTS = new TopicPartition("documents", 3);
    private static final TopicPartition OTHER_HOME = new TopicPartition("documents", 4);
    private static final TopicPartition REPLIES = new TopicPartition("replies", 3);

    private final InputGate gate = new InputGate();
    private final GatedConsumer consumer = new GatedConsumer(
            Map.of("bootstrap.servers", "127.0.0.1:1", "group.id", "test", "enable.auto.commit", "false"),
            gate,
            List.of("documents"));

    @BeforeEach
    void assign() {
        consumer.assign(List.of(DOCUMENTS, OTHER_HOME, REPLIES));
    }

    @AfterEach
    void close() {
        consumer.close();
    }

    private void poll() {
        consumer.poll(Duration.ZERO);
    }

    @Test
    void shouldGoOnWhereAHomeSaysOnce() {
        gate.startAt(DOCUMENTS, 7);
        gate.startAt(new TopicPartition("documents", 5), 8);
        poll();
        assertThat(consumer.position(DOCUMENTS)).isEqualTo(7);

        consumer.seek(DOCUMENTS, 9);
        poll();
        assertThat(consumer.position(DOCUMENTS)).isEqualTo(9);
        assertThat(gate.takeStart(new TopicPartition("documents", 5)))
                .describedAs("another consumer's")
                .hasValue(8);
    }

    @Test
    void shouldNotFetchTheInputOfAHomeWhoseGateIsClosed() {
        gate.close(3);
        poll();
        assertThat(consumer.paused()).containsExactly(DOCUMENTS);

        gate.open(3);
        poll();
        assertThat(consumer.paused()).isEmpty();
    }

    @Test
    void shouldStayClosedWhenStreamsResumes() {
        gate.close(3);
        poll();

        consumer.pause(List.of(DOCUMENTS, REPLIES));
        consumer.resume(List.of(DOCUMENTS, REPLIES));

        assertThat(consumer.paused()).containsExactly(DOCUMENTS);
    }

    @Test
    void shouldNotResumeWhatStreamsHasPaused() {
        consumer.pause(List.of(DOCUMENTS));
        gate.close(3);
        poll();

        gate.open(3);
        poll();
        assertThat(consumer.paused()).containsExactly(DOCUMENTS);

        consumer.resume(List.of(DOCUMENTS));
        assertThat(consumer.paused()).isEmpty();
    }

    @Test
    void shouldForgetWhatIsNoLongerAssigned() {
        gate.close(3);
        poll();
        consumer.assign(List.of(REPLIES));
        gate.open(3);
        poll();

        consumer.assign(List.of(DOCUMENTS, REPLIES));
        poll();

        assertThat(consumer.paused()).isEmpty();
    }
}
