package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.engine.protocol.DocumentCoordinator.InputOffset;
import io.neardup.simulation.SimulatedCoordinatorState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SequenceAllocatorTest {
    private static final int COORDINATOR = 3;

    private final SimulatedCoordinatorState state = new SimulatedCoordinatorState();
    private SequenceAllocator sequences = new SequenceAllocator(COORDINATOR, state);

    /** By offset, the ref that the record there got last. */
    private final Map<InputOffset, DocumentRef> lastRefs = new HashMap<>();

    private ArrivalOrder allocate(String topic, long offset, long nowMillis) {
        InputOffset at = new InputOffset(topic, offset);
        ArrivalOrder order = sequences.allocate(at, nowMillis);
        sequences.endStep();
        lastRefs.put(at, order.ref());
        return order;
    }

    private void restart() {
        sequences = new SequenceAllocator(COORDINATOR, state);
    }

    private boolean isHeld(String topic, long offset) {
        InputPosition position = sequences.positions().get(topic);
        return position != null && position.isHeld() && offset >= position.offset();
    }

    private void leave(String topic, long offset) {
        InputOffset at = new InputOffset(topic, offset);
        sequences.noteReleased(at, lastRefs.getOrDefault(at, new DocumentRef(COORDINATOR, 0)));
        sequences.endStep();
    }

    @Test
    void shouldTakeTimesFromTheClockAndNeverBackwards() {
        assertThat(allocate("a", 0, 1_000).arrivalMillis()).isEqualTo(1_000);
        assertThat(allocate("a", 1, 1_100).arrivalMillis()).isEqualTo(1_100);
        assertThat(allocate("b", 0, 500).arrivalMillis()).isEqualTo(1_100);
        assertThat(allocate("a", 5_000, 600).arrivalMillis()).isEqualTo(1_100);
    }

    @Test
    void shouldNeverGiveANumberToTwoRecords() {
        Random random = new Random(3);
        Map<InputOffset, DocumentRef> given = new HashMap<>();
        Map<String, Long> next = new HashMap<>(Map.of("a", 0L, "b", 0L));
        long nowMillis = 0;
        for (int i = 0; i < 20_000; i++) {
            nowMillis += random.nextInt(20);
            String topic = random.nextBoolean() ? "a" : "b";
            int drawn = random.nextInt(1_000);
            long offset = next.getOrDefault(topic, 0L);
            if (drawn == 0) {
                restart();
                sequences.positions().forEach((name, position) -> next.put(name, position.offset()));
            } else if (drawn < 50 && isHeld(topic, offset - 1)) {
                leave(topic, offset - 1);
            } else {
                InputOffset at = new InputOffset(topic, offset);
                DocumentRef ref = allocate(topic, at.offset(), nowMillis).ref();
                assertThat(given.getOrDefault(at, ref)).isEqualTo(ref);
                given.put(at, ref);
                next.put(topic, at.offset() + 1 + random.nextInt(3) / 2);
            }
        }
        assertThat(new HashSet<>(given.values())).hasSameSizeAs(given.keySet());
        assertThat(state.blocks()).describedAs("what has left is forgotten").hasSizeLessThan(100);
    }

    @Test
    void shouldNotTakeWhatLeavesOfTheOldTopicForRecordsOfTheNew() {
        DocumentRef old = allocate("a", 999, 0).ref();
        allocate("a", 990, 0);
        allocate("a", 999, 0);

        sequences.noteReleased(new InputOffset("a", 999), old);
        sequences.endStep();

        restart();
        assertThat(sequences.positions()).isEqualTo(Map.of("a", new InputPosition(990, 1_000)));
    }

    @Test
    void shouldReportOnceWhatIsSkippedWhenReadAgain() {
        DocumentRef first = allocate("a", 0, 0).ref();
        DocumentRef second = allocate("a", 1, 0).ref();
        allocate("a", 3, 0);
        assertThat(sequences.takeSkipped()).describedAs("never read").isEmpty();
        restart();

        allocate("a", 3, 0);

        assertThat(sequences.takeSkipped()).contains(first, second).allMatch(ref -> !sequences.isInFlight(ref));
        assertThat(sequences.takeSkipped()).isEmpty();
    }

    @Test
    void shouldReportWhatIsSkippedOfATopicThatIsGone() {
        DocumentRef first = allocate("a", 0, 0).ref();
        DocumentRef other = allocate("b", 0, 0).ref();
        restart();

        sequences.expectNothingAgain("a");

        assertThat(sequences.takeSkipped()).contains(first).doesNotContain(other);
        assertThat(sequences.isInFlight(first)).isFalse();
        assertThat(sequences.isPast(first)).describedAs("nobody need keep it").isTrue();
        assertThat(sequences.isInFlight(other)).isTrue();
        assertThat(sequences.isPast(other)).isFalse();
    }

    @Test
    void shouldReportWhatIsSkippedOfATopicThatIsCutOff() {
        DocumentRef kept = allocate("a", 100, 0).ref();
        restart();

        allocate("a", 50, 0);

        assertThat(sequences.takeSkipped()).contains(kept);
    }

    @Test
    void shouldSkipNoNumbersBehindThoseOfTheNextBlock() {
        DocumentRef last = allocate("a", 9, 0).ref();
        DocumentRef next = allocate("a", 10, SequenceAllocator.BLOCK_MILLIS).ref();
        DocumentRef between = new DocumentRef(COORDINATOR, last.sequence() + 1);
        assertThat(between).isNotEqualTo(next);
        restart();

        sequences.expectNothingAgain("a");

        assertThat(sequences.takeSkipped()).contains(last, next).doesNotContain(between);
    }
}
