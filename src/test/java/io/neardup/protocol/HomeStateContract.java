package io.neardup.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.lsh.BandKeys;
import io.neardup.sketch.Evidence;
import io.neardup.sketch.Similarity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What every {@link HomeState} must do; a subclass says how to make one. */
public abstract class HomeStateContract {
    protected static final int HOME = 3;

    /** Those where a careless order of keys would show. */
    private static final long[] SEQUENCES = {
        0, 1, 127, 128, 255, 256, 65_535, 65_536, Integer.MAX_VALUE, 1L << 31, 1L << 40, Ref.SEQUENCE_MAX
    };

    /** The state of home 3 in a new instance, which finds what earlier ones left. */
    protected abstract HomeState open();

    private static Ref ref(long sequence) {
        return new Ref(HOME, sequence);
    }

    @Test
    void shouldCountStarts() {
        assertThat(open().raiseAttempt()).isEqualTo(1);
        assertThat(open().raiseAttempt()).isEqualTo(2);

        HomeState third = open();
        assertThat(third.raiseAttempt()).isEqualTo(3);
        assertThat(third.raiseAttempt()).isEqualTo(4);
    }

    @Test
    void shouldStartEmpty() {
        HomeState state = open();

        assertThat(state.blocks()).isEmpty();
        assertThat(state.left()).isEmpty();
        assertThat(state.decision(ref(0))).isEmpty();
        assertThat(state.original(ref(0))).isEmpty();
    }

    @Test
    void shouldFindTheBlocksInTheOrderOfTheirNumbers() {
        HomeState state = open();
        for (long sequence : SEQUENCES) {
            state.begin(block("ünput", sequence));
        }
        state.forget(block("ünput", 255));

        assertThat(open().blocks())
                .extracting(NumberBlock::firstSequence)
                .containsExactly(
                        0L,
                        1L,
                        127L,
                        128L,
                        256L,
                        65_535L,
                        65_536L,
                        (long) Integer.MAX_VALUE,
                        1L << 31,
                        1L << 40,
                        Ref.SEQUENCE_MAX);
        assertThat(open().blocks()).contains(block("ünput", 1L << 40));
    }

    private static NumberBlock block(String topic, long sequence) {
        return new NumberBlock(topic, sequence * 2, sequence, 1_700_000_000_000L + sequence);
    }

    @Test
    void shouldKnowUpToWhereEachTopicHasLeft() {
        HomeState state = open();
        state.left("a", 7);
        state.left("ä", 1L << 40);
        state.left("a", 8);

        assertThat(state.left()).isEqualTo(Map.of("a", 8L, "ä", 1L << 40));
        assertThat(open().left()).isEqualTo(Map.of("a", 8L, "ä", 1L << 40));
    }

    @Test
    void shouldFindTheDecisionsUntilTheyAreForgotten() {
        HomeState state = open();
        Decision.Duplicate decision = new Decision.Duplicate(new Ref(1, 9), "für", Similarity.of(0.75));
        state.decide(ref(1), decision);
        state.decide(ref(256), decision);
        state.decide(ref(7), Decision.UNIQUE);

        state.forgetDecision(ref(256));

        assertThat(open().decision(ref(1))).contains(decision);
        assertThat(open().decision(ref(256))).isEmpty();
        assertThat(open().decision(ref(7))).contains(Decision.UNIQUE);
    }

    @Test
    void shouldFindOriginalsAgain() {
        HomeState state = open();
        for (long sequence : SEQUENCES) {
            state.addOriginal(ref(sequence), original(sequence));
        }

        HomeState again = open();
        for (long sequence : SEQUENCES) {
            assertThat(state.original(ref(sequence))).contains(original(sequence));
            assertThat(again.original(ref(sequence))).contains(original(sequence));
        }
        assertThat(again.original(ref(2))).isEmpty();
    }

    @Test
    void shouldFindTheOriginalsOfARecordKeyUntilTheyAreRemoved() {
        HomeState state = open();
        for (long sequence : SEQUENCES) {
            state.addOriginal(ref(sequence), original(sequence));
        }
        RecordKey key = new RecordKey(-1, 1);
        assertThat(open().originalsOf(key)).containsExactly(ref(1), ref(127), ref(Integer.MAX_VALUE));

        open().removeOriginal(ref(1), original(1));

        assertThat(open().originalsOf(key)).containsExactly(ref(127), ref(Integer.MAX_VALUE));
        assertThat(open().original(ref(1))).isEmpty();
        assertThat(open().originalsOf(new RecordKey(0, 1))).isEmpty();
    }

    @Test
    void shouldFindTheOriginalsOfAnIdUntilTheyAreRemoved() {
        HomeState state = open();
        for (long sequence : SEQUENCES) {
            state.addOriginal(ref(sequence), named(sequence % 2 == 0 ? "even" : "ödd"));
        }
        assertThat(open().originalsNamed("ödd"))
                .containsExactly(
                        ref(1), ref(127), ref(255), ref(65_535), ref(Integer.MAX_VALUE), ref(Ref.SEQUENCE_MAX));

        open().removeOriginal(ref(127), named("ödd"));

        assertThat(open().originalsNamed("ödd")).hasSize(5).doesNotContain(ref(127));
        assertThat(open().originalsNamed("none")).isEmpty();
    }

    private static Original named(String id) {
        return new Original(id, new Origin(null, 0), BandKeys.of(new long[] {1}), Evidence.of(new byte[1]));
    }

    @Test
    void shouldKnowWhenAnOriginalWasLastRepeatedUntilItIsRemoved() {
        HomeState state = open();
        for (long sequence : SEQUENCES) {
            state.addOriginal(ref(sequence), original(sequence));
            state.repeat(ref(sequence), 7);
            state.repeat(ref(sequence), (1L << 40) + sequence);
        }

        state.removeOriginal(ref(255), original(255));

        assertThat(open().lastRepeated(ref(128))).isEqualTo((1L << 40) + 128);
        assertThat(open().lastRepeated(ref(255))).isZero();
        assertThat(open().lastRepeated(ref(2))).isZero();
    }

    @Test
    void shouldListThoseSetAsideInTheOrderOfRepeats() {
        HomeState state = open();
        HomeState.SetAside first = new HomeState.SetAside(ref(256), 255);
        HomeState.SetAside second = new HomeState.SetAside(ref(1), 256);
        HomeState.SetAside third = new HomeState.SetAside(ref(255), 256);
        HomeState.SetAside last = new HomeState.SetAside(ref(0), 1L << 40);
        List.of(last, third, first, second).forEach(state::setAside);

        assertThat(open().setAside(-1, 10)).isEmpty();
        assertThat(open().setAside(256, 10)).containsExactly(first, second, third);
        assertThat(open().setAside(Long.MAX_VALUE, 2)).containsExactly(first, second);
        open().forget(second);
        assertThat(open().setAside(Long.MAX_VALUE, 10)).containsExactly(first, third, last);
        assertThat(open().originalsFrom(0, Long.MAX_VALUE, 10)).isEmpty();
    }

    @Test
    void shouldListOriginalsInOrderUpToAYoungerOne() {
        HomeState state = open();
        for (long sequence : SEQUENCES) {
            state.addOriginal(ref(sequence), original(sequence));
        }

        assertThat(open().originalsFrom(1, 127, 10))
                .extracting(HomeState.Entry::ref)
                .containsExactly(ref(1), ref(127));
        assertThat(open().originalsFrom(1, 1_000, 3))
                .extracting(HomeState.Entry::ref)
                .containsExactly(ref(1), ref(127), ref(128));
        assertThat(open().originalsFrom(Ref.SEQUENCE_MAX, 1_000, 3))
                .singleElement()
                .isEqualTo(new HomeState.Entry(ref(Ref.SEQUENCE_MAX), original(Ref.SEQUENCE_MAX)));
    }

    @Test
    void shouldKnowHowFarItHasExpired() {
        assertThat(open().expiry()).isEqualTo(HomeState.Expiry.NONE);

        open().expired(new HomeState.Expiry(7, 1L << 40));

        assertThat(open().expiry()).isEqualTo(new HomeState.Expiry(7, 1L << 40));
    }

    private static Original original(long sequence) {
        RecordKey key = sequence % 2 == 0 ? null : new RecordKey(-1, sequence % 3);
        return new Original(
                "ü" + sequence,
                new Origin(key, sequence % 1_000),
                BandKeys.of(new long[] {sequence, -1}),
                Evidence.of(new byte[(int) (sequence % 5_000)]));
    }

    @Test
    void shouldHoldWhatMapsWouldHoldUnderRandomOperations() {
        Random random = new Random(7);
        Map<Long, NumberBlock> blocks = new TreeMap<>();
        Map<String, Long> left = new HashMap<>();
        Map<Ref, Decision> decisions = new HashMap<>();
        HomeState state = open();
        for (int i = 0; i < 2_000; i++) {
            NumberBlock block = block("t" + random.nextInt(3), random.nextInt(300));
            Ref ref = ref(random.nextInt(300));
            switch (random.nextInt(6)) {
                case 0 -> {
                    state.begin(block);
                    blocks.put(block.firstSequence(), block);
                }
                case 1 -> {
                    state.forget(block);
                    blocks.remove(block.firstSequence());
                }
                case 2 -> {
                    state.left(block.topic(), i);
                    left.put(block.topic(), (long) i);
                }
                case 3 -> {
                    Decision.Duplicate decision = new Decision.Duplicate(ref, "d" + i, Similarity.of(0.8));
                    state.decide(ref, decision);
                    decisions.put(ref, decision);
                }
                case 4 -> {
                    state.forgetDecision(ref);
                    decisions.remove(ref);
                }
                default -> state = open();
            }
            assertThat(state.decision(ref)).isEqualTo(Optional.ofNullable(decisions.get(ref)));
            if (i % 50 == 0) {
                assertThat(state.blocks()).containsExactlyElementsOf(blocks.values());
                assertThat(state.left()).isEqualTo(left);
            }
        }
    }
}
