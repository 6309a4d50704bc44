package io.neardup.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.lsh.BandKeys;
import io.neardup.sketch.Evidence;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What every {@link HomeState} must do; a subclass says how to make one. */
public abstract class HomeStateContract<P> {
    protected static final int HOME = 3;

    /** Those where a careless order of keys would show. */
    private static final long[] SEQUENCES = {
        0, 1, 127, 128, 255, 256, 65_535, 65_536, Integer.MAX_VALUE, 1L << 31, 1L << 40, Ref.SEQUENCE_MAX
    };

    /** The state of home 3 in a new instance, which finds what earlier ones left. */
    protected abstract HomeState<P> open();

    protected abstract P payload(int number);

    /** The document of a payload, as it is found again. */
    protected abstract SignedDocument signed(P payload);

    protected static SignedDocument document(String id) {
        byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
        return new SignedDocument(id, BandKeys.of(new long[] {id.hashCode(), 2}), Evidence.of(bytes));
    }

    @Test
    void shouldCountStarts() {
        assertThat(open().raiseAttempt()).isEqualTo(1);
        assertThat(open().raiseAttempt()).isEqualTo(2);

        HomeState<P> third = open();
        assertThat(third.raiseAttempt()).isEqualTo(3);
        assertThat(third.raiseAttempt()).isEqualTo(4);
    }

    @Test
    void shouldNeverGiveASequenceNumberTwice() {
        Set<Long> given = new HashSet<>();
        long last = -1;
        for (int count : new int[] {1, 0, 1_023, 1_024, 1_025, 3_000}) {
            HomeState<P> state = open();
            for (int i = 0; i < count; i++) {
                long next = state.nextSequence();
                assertThat(next).isGreaterThan(last);
                assertThat(given.add(next)).isTrue();
                last = next;
            }
        }
        assertThat(last).describedAs("numbers are not wasted").isLessThan(20_000);
    }

    @Test
    void shouldStartEmpty() {
        assertThat(open().held()).isEmpty();
        assertThat(open().original(new Ref(HOME, 0))).isEmpty();
    }

    @Test
    void shouldFindWhatIsHeldInTheOrderOfArrival() {
        HomeState<P> state = open();
        List<Held<P>> all = LongStream.of(SEQUENCES).mapToObj(this::pending).toList();
        all.forEach(state::hold);

        assertThat(state.held()).isEqualTo(all);
        assertThat(open().held()).isEqualTo(all);
    }

    private Held<P> pending(long sequence) {
        P payload = payload((int) (sequence % 1_000_003));
        return new Held.Pending<>(new Ref(HOME, sequence), 1_000 + sequence % 7, signed(payload), payload);
    }

    @Test
    void shouldFindTheDecisionsOfWhatMustWait() {
        HomeState<P> state = open();
        P a = payload(1);
        P b = payload(2);
        P c = payload(3);
        Decision duplicate = new Decision.Duplicate(new Ref(1, 9), "für", 0.75);
        state.hold(pendingOf(0, a));
        state.hold(pendingOf(1, b));
        state.hold(new Held.Decided<>(new Ref(HOME, 2), Decision.UNIQUE, c));

        state.decide(new Ref(HOME, 1), duplicate);

        assertThat(open().held())
                .containsExactly(
                        pendingOf(0, a),
                        new Held.Decided<>(new Ref(HOME, 1), duplicate, b),
                        new Held.Decided<>(new Ref(HOME, 2), Decision.UNIQUE, c));
    }

    private Held<P> pendingOf(long sequence, P payload) {
        return new Held.Pending<>(new Ref(HOME, sequence), 1_000, signed(payload), payload);
    }

    @Test
    void shouldForgetWhatIsReleased() {
        HomeState<P> state = open();
        state.hold(pendingOf(0, payload(1)));
        state.hold(pendingOf(1, payload(2)));
        state.decide(new Ref(HOME, 1), Decision.UNIQUE);

        state.release(new Ref(HOME, 0));
        state = open();
        assertThat(state.held()).hasSize(1);
        state.release(new Ref(HOME, 1));
        state = open();
        assertThat(state.held()).isEmpty();

        // Nothing is left of a released decision.
        state.hold(pendingOf(1, payload(2)));
        assertThat(open().held()).containsExactly(pendingOf(1, payload(2)));
    }

    @Test
    void shouldFindOriginalsAgain() {
        HomeState<P> state = open();
        for (long sequence : SEQUENCES) {
            state.addOriginal(new Ref(HOME, sequence), original(sequence));
        }

        HomeState<P> again = open();
        for (long sequence : SEQUENCES) {
            assertThat(state.original(new Ref(HOME, sequence))).contains(original(sequence));
            assertThat(again.original(new Ref(HOME, sequence))).contains(original(sequence));
        }
        assertThat(again.original(new Ref(HOME, 2))).isEmpty();
    }

    private static Original original(long sequence) {
        return new Original("ü" + sequence, Evidence.of(new byte[(int) (sequence % 5_000)]));
    }

    @Test
    void shouldHoldWhatAMapWouldHoldUnderRandomOperations() {
        Random random = new Random(7);
        SortedMap<Ref, Held<P>> expected = new TreeMap<>();
        HomeState<P> state = open();
        for (int i = 0; i < 2_000; i++) {
            int drawn = random.nextInt(10);
            if (drawn < 5 || expected.isEmpty()) {
                Held<P> held = pendingOf(state.nextSequence(), payload(i));
                expected.put(held.ref(), held);
                state.hold(held);
            } else if (drawn < 7) {
                Ref ref = any(expected, random);
                expected.computeIfPresent(ref, (r, held) -> new Held.Decided<>(ref, Decision.UNIQUE, held.payload()));
                state.decide(ref, Decision.UNIQUE);
            } else if (drawn < 9) {
                Ref ref = any(expected, random);
                expected.remove(ref);
                state.release(ref);
            } else if (random.nextInt(10) == 0) {
                state = open();
            }
            if (i % 50 == 0) {
                assertThat(state.held()).containsExactlyElementsOf(expected.values());
            }
        }
    }

    private static <T> Ref any(SortedMap<Ref, T> held, Random random) {
        return List.copyOf(held.keySet()).get(random.nextInt(held.size()));
    }
}
