package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.CoordinatorRules.Slice;
import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.engine.protocol.CoordinatorState.RefreshedExpiry;
import io.neardup.engine.protocol.CoordinatorState.Tombstone;
import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.engine.protocol.SequenceAllocator.SequenceBlock;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What every {@link CoordinatorState} must do; a subclass says how to make one. */
public abstract class CoordinatorStateContract {
    protected static final int COORDINATOR = 3;

    private static final Slice ALL = new Slice(Integer.MAX_VALUE, Long.MAX_VALUE);

    /** Those where a careless order of keys would show. */
    private static final long[] SEQUENCES = {
        0, 1, 127, 128, 255, 256, 65_535, 65_536, Integer.MAX_VALUE, 1L << 31, 1L << 40, DocumentRef.SEQUENCE_MAX
    };

    /** The state of coordinator 3 in a new instance, which finds what earlier ones left. */
    protected abstract CoordinatorState open();

    /** What was done up to now is in a transaction that is committed. */
    protected abstract void commit();

    /** The state after a crash: what was done after the last commit is lost, and nothing else. */
    protected abstract CoordinatorState crash();

    private static DocumentRef ref(long sequence) {
        return new DocumentRef(COORDINATOR, sequence);
    }

    @Test
    void shouldCountStarts() {
        assertThat(open().raiseEpoch()).isEqualTo(1);
        assertThat(open().raiseEpoch()).isEqualTo(2);

        CoordinatorState third = open();
        assertThat(third.raiseEpoch()).isEqualTo(3);
        assertThat(third.raiseEpoch()).isEqualTo(4);
    }

    @Test
    void shouldKeepWhatIsLeftToASuccessor() {
        Handover last = new Handover(Map.of("a", Handover.BEGINNING, "b", Long.MAX_VALUE - 1), true);
        CoordinatorState state = open();
        assertThat(state.handover()).isEmpty();
        state.note(new Handover(Map.of("a", 1L), false));
        state.note(last);
        commit();
        state.note(new Handover(Map.of("a", 2L), false));

        assertThat(crash().handover()).hasValue(last);
    }

    @Test
    void shouldFindTheBlocksInTheOrderOfTheirNumbers() {
        CoordinatorState state = open();
        for (long sequence : SEQUENCES) {
            state.begin(block("ünput", sequence));
        }
        state.forget(block("ünput", 255));

        assertThat(open().blocks())
                .extracting(SequenceBlock::firstSequence)
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
                        DocumentRef.SEQUENCE_MAX);
        assertThat(open().blocks()).contains(block("ünput", 1L << 40));
    }

    private static SequenceBlock block(String topic, long sequence) {
        return new SequenceBlock(topic, sequence * 2, sequence, 1_700_000_000_000L + sequence);
    }

    @Test
    void shouldKnowUpToWhereEachTopicHasLeft() {
        CoordinatorState state = open();
        state.notePosition("a", new InputPosition(7, false));
        state.notePosition("ä", new InputPosition(1L << 40, false));
        state.notePosition("a", new InputPosition(8, true));
        state.notePosition("b", new InputPosition(0, false));
        state.notePosition("c", new InputPosition(0, true));

        Map<String, InputPosition> left = Map.of(
                "a", new InputPosition(8, true),
                "ä", new InputPosition(1L << 40, false),
                "b", new InputPosition(0, false),
                "c", new InputPosition(0, true));
        assertThat(state.positions()).isEqualTo(left);
        assertThat(open().positions()).isEqualTo(left);
    }

    @Test
    void shouldFindTheLastThatIsDecidedOfARange() {
        CoordinatorState state = open();
        state.noteDecision(ref(256), Decision.UNIQUE);
        state.addOriginal(ref(127), original(127));
        state.addOriginal(ref(65_536), original(65_536));

        assertThat(state.lastDecided(0, 126)).isEmpty();
        assertThat(state.lastDecided(0, 127)).hasValue(127);
        assertThat(state.lastDecided(0, 255)).hasValue(127);
        assertThat(state.lastDecided(0, 65_535)).hasValue(256);
        assertThat(state.lastDecided(256, 256)).hasValue(256);
        assertThat(state.lastDecided(257, DocumentRef.SEQUENCE_MAX)).hasValue(65_536);
        assertThat(state.lastDecided(65_537, DocumentRef.SEQUENCE_MAX)).isEmpty();
    }

    @Test
    void shouldFindOriginalsAgain() {
        CoordinatorState state = open();
        for (long sequence : SEQUENCES) {
            state.addOriginal(ref(sequence), original(sequence));
        }

        CoordinatorState again = open();
        for (long sequence : SEQUENCES) {
            assertThat(state.original(ref(sequence))).contains(original(sequence));
            assertThat(again.original(ref(sequence))).contains(original(sequence));
        }
        assertThat(again.original(ref(2))).isEmpty();
    }

    @Test
    void shouldFindTheOriginalsOfARecordKeyUntilTheyAreRemoved() {
        CoordinatorState state = open();
        for (long sequence : SEQUENCES) {
            state.addOriginal(ref(sequence), original(sequence));
        }
        RecordKey key = new RecordKey(-1, 1);
        assertThat(open().originalsOf(key, DocumentRef.SEQUENCE_MAX, ALL))
                .extracting(CoordinatorState.Entry::ref)
                .containsExactly(ref(1), ref(127), ref(Integer.MAX_VALUE));

        remove(1);

        assertThat(open().originalsOf(key, DocumentRef.SEQUENCE_MAX, ALL))
                .extracting(CoordinatorState.Entry::ref)
                .containsExactly(ref(127), ref(Integer.MAX_VALUE));
        assertThat(open().original(ref(1))).isEmpty();
        assertThat(open().hasOriginal(ref(1))).isFalse();
        assertThat(open().hasOriginal(ref(127))).isTrue();
        assertThat(open().originalsOf(new RecordKey(0, 1), DocumentRef.SEQUENCE_MAX, ALL))
                .isEmpty();
    }

    @Test
    void shouldFindWhatWasTakenOverUntilItIsRemoved() {
        CoordinatorState state = open();
        DocumentRef source = new DocumentRef(5, 1L << 40);
        for (long sequence : SEQUENCES) {
            state.addOriginal(ref(sequence), original("a", new Origin(null, 0, new DocumentRef(5, sequence))));
        }
        state.addOriginal(ref(7), original(7));
        assertThat(open().originalsFrom(source))
                .extracting(CoordinatorState.Entry::ref)
                .containsExactly(ref(1L << 40));
        assertThat(open().originalsFrom(new DocumentRef(4, 1L << 40))).isEmpty();

        remove(1L << 40);

        assertThat(open().originalsFrom(source)).isEmpty();
        assertThat(open().originalsFrom(new DocumentRef(5, 0)))
                .extracting(CoordinatorState.Entry::ref)
                .containsExactly(ref(0));
    }

    private static Original original(String id, Origin origin) {
        return new Original(id, origin, BandKeys.of(new long[] {1}), Evidence.of(new byte[1]), BitSketch.NONE);
    }

    @Test
    void shouldKnowUpToWhereAllWasTakenOver() {
        assertThat(open().takenOver()).isEqualTo(CoordinatorState.TakenOver.NONE);

        open().noteTakenOver(new CoordinatorState.TakenOver(1L << 40, true));

        assertThat(open().takenOver()).isEqualTo(new CoordinatorState.TakenOver(1L << 40, true));
    }

    @Test
    void shouldFindNoMoreOriginalsOfAKeyThanASliceTakes() {
        CoordinatorState state = open();
        for (long sequence : SEQUENCES) {
            state.addOriginal(ref(sequence), original(sequence));
        }
        RecordKey key = new RecordKey(-1, 1);

        assertThat(state.originalsOf(key, 127, ALL)).containsExactly(entry(state, 1));
        assertThat(state.originalsOf(key, 1, ALL)).isEmpty();
        assertThat(state.originalsOf(key, 0, ALL)).isEmpty();
        assertThat(state.originalsOf(key, 1_000, new Slice(1, 1_000_000))).containsExactly(entry(state, 1));
        assertThat(state.originalsOf(key, 1_000, new Slice(10, 1))).containsExactly(entry(state, 1));
    }

    @Test
    void shouldReturnAnOriginalWithoutItsEvidence() {
        CoordinatorState state = open();
        state.addOriginal(ref(4_999), original(4_999));

        CoordinatorState.Entry entry = entry(open(), 4_999);

        assertThat(entry)
                .usingRecursiveComparison()
                .ignoringFields("bytes")
                .isEqualTo(original(4_999).entry(ref(4_999)));
        assertThat(entry.bytes()).isBetween(4_999L, 5_200L);
        assertThat(open().entry(ref(5_000))).isEmpty();
    }

    @Test
    void shouldKnowTombstonesUntilTheyAreForgotten() {
        CoordinatorState state = open();
        Tombstone a = new Tombstone(new RecordKey(-1, 0), 7);
        Tombstone b = new Tombstone(new RecordKey(0, -1), DocumentRef.SEQUENCE_MAX);
        Tombstone later = new Tombstone(a.key(), 9);
        state.note(a);
        state.note(b);
        assertThat(open().tombstones()).containsExactlyInAnyOrder(a, b);

        open().note(later);
        assertThat(open().tombstones()).containsExactlyInAnyOrder(later, b);

        open().forget(later);
        assertThat(open().tombstones()).containsExactly(b);
    }

    private static CoordinatorState.Entry entry(CoordinatorState state, long sequence) {
        return state.entry(ref(sequence)).orElseThrow();
    }

    private void remove(long sequence) {
        CoordinatorState state = open();
        state.removeOriginal(entry(state, sequence));
    }

    @Test
    void shouldFindTheOriginalsOfAnIdUntilTheyAreRemoved() {
        CoordinatorState state = open();
        for (long sequence : SEQUENCES) {
            state.addOriginal(ref(sequence), original(sequence % 2 == 0 ? "even" : "ödd", new Origin(null, 0)));
        }
        assertThat(open().originalsNamed("ödd"))
                .containsExactly(
                        ref(1), ref(127), ref(255), ref(65_535), ref(Integer.MAX_VALUE), ref(DocumentRef.SEQUENCE_MAX));

        remove(127);

        assertThat(open().originalsNamed("ödd")).hasSize(5).doesNotContain(ref(127));
        assertThat(open().originalsNamed("none")).isEmpty();
    }

    @Test
    void shouldKnowWhenAnOriginalWasLastRepeatedUntilItIsRemoved() {
        CoordinatorState state = open();
        for (long sequence : SEQUENCES) {
            state.addOriginal(ref(sequence), original(sequence));
            state.repeat(ref(sequence), 7);
            state.repeat(ref(sequence), (1L << 40) + sequence);
        }

        remove(255);

        assertThat(open().lastRepeated(ref(128))).isEqualTo((1L << 40) + 128);
        assertThat(open().lastRepeated(ref(255))).isZero();
        assertThat(open().lastRepeated(ref(2))).isZero();
    }

    @Test
    void shouldListRefreshedExpiriesInTheOrderOfRepeats() {
        CoordinatorState state = open();
        RefreshedExpiry first = new RefreshedExpiry(ref(256), 255);
        RefreshedExpiry second = new RefreshedExpiry(ref(1), 256);
        RefreshedExpiry third = new RefreshedExpiry(ref(255), 256);
        RefreshedExpiry last = new RefreshedExpiry(ref(0), 1L << 40);
        List.of(last, third, first, second).forEach(refreshed -> state.note(refreshed));

        assertThat(open().refreshed(-1, 10)).isEmpty();
        assertThat(open().refreshed(256, 10)).containsExactly(first, second, third);
        assertThat(open().refreshed(Long.MAX_VALUE, 2)).containsExactly(first, second);
        open().forget(second);
        assertThat(open().refreshed(Long.MAX_VALUE, 10)).containsExactly(first, third, last);
        assertThat(open().originalsFrom(0, Long.MAX_VALUE, ALL)).isEmpty();
    }

    @Test
    void shouldListOriginalsInOrderUpToAYoungerOne() {
        CoordinatorState state = open();
        for (long sequence : SEQUENCES) {
            state.addOriginal(ref(sequence), original(sequence));
        }

        assertThat(open().originalsFrom(1, 127, ALL))
                .extracting(CoordinatorState.Entry::ref)
                .containsExactly(ref(1), ref(127));
        assertThat(open().originalsFrom(1, 1_000, new Slice(3, Long.MAX_VALUE)))
                .extracting(CoordinatorState.Entry::ref)
                .containsExactly(ref(1), ref(127), ref(128));
        assertThat(open().originalsFrom(255, 1_000, new Slice(10, 600)))
                .describedAs("behind 255 and 256 bytes of evidence and what goes with it")
                .extracting(CoordinatorState.Entry::ref)
                .hasSizeBetween(2, 3)
                .startsWith(ref(255), ref(256));
        assertThat(open().originalsFrom(DocumentRef.SEQUENCE_MAX, 1_000, ALL))
                .singleElement()
                .isEqualTo(entry(state, DocumentRef.SEQUENCE_MAX));
    }

    @Test
    void shouldKnowHowFarItHasExpired() {
        assertThat(open().expiry()).isEqualTo(CoordinatorState.Expiry.NONE);

        open().noteExpiry(new CoordinatorState.Expiry(7, 1L << 40));

        assertThat(open().expiry()).isEqualTo(new CoordinatorState.Expiry(7, 1L << 40));
    }

    private static Original original(long sequence) {
        RecordKey key = sequence % 2 == 0 ? null : new RecordKey(-1, sequence % 3);
        return new Original(
                "ü" + sequence,
                new Origin(key, sequence % 1_000),
                BandKeys.of(new long[] {sequence, -1}),
                Evidence.of(new byte[(int) (sequence % 5_000)]),
                BitSketch.owning(new long[] {sequence, -1}));
    }

    @Test
    void shouldHaveNothingAfterACrashBeforeTheFirstCommit() {
        CoordinatorState state = open();
        state.raiseEpoch();
        state.begin(block("t", 0));
        state.addOriginal(ref(1), original(1));
        state.repeat(ref(1), 7);

        CoordinatorState after = crash();

        assertThat(after.blocks()).isEmpty();
        assertThat(after.hasOriginal(ref(1))).isFalse();
        assertThat(after.lastRepeated(ref(1))).isZero();
        assertThat(after.raiseEpoch()).isEqualTo(1);
    }

    @Test
    void shouldLoseWhatWasDoneAfterTheLastCommitInACrashAndNothingElse() {
        CoordinatorState state = open();
        RefreshedExpiry refreshed = new RefreshedExpiry(ref(127), 8);
        state.raiseEpoch();
        state.begin(block("t", 0));
        state.noteDecision(ref(2), Decision.UNIQUE);
        state.addOriginal(ref(1), original(1));
        state.addOriginal(ref(127), original(127));
        state.repeat(ref(127), 8);
        state.note(refreshed);
        commit();
        state.raiseEpoch();
        state.forget(block("t", 0));
        state.forgetDecision(ref(2));
        state.addOriginal(ref(3), original(3));
        state.removeOriginal(entry(state, 1));
        state.repeat(ref(127), 9);
        state.forget(refreshed);

        CoordinatorState after = crash();

        assertThat(after.raiseEpoch()).isEqualTo(2);
        assertThat(after.blocks()).containsExactly(block("t", 0));
        assertThat(after.decision(ref(2))).contains(Decision.UNIQUE);
        assertThat(after.original(ref(1))).contains(original(1));
        assertThat(after.hasOriginal(ref(3))).isFalse();
        assertThat(after.lastRepeated(ref(127))).isEqualTo(8);
        assertThat(after.refreshed(Long.MAX_VALUE, 10)).containsExactly(refreshed);
        assertThat(after.originalsFrom(0, Long.MAX_VALUE, ALL))
                .extracting(CoordinatorState.Entry::ref)
                .containsExactly(ref(1), ref(127));
    }

    @Test
    void shouldHoldTheOriginalsOfTheLastCommitAfterEachOfManyCrashes() {
        Random random = new Random(11);
        CoordinatorState state = open();
        TreeMap<Long, Original> originals = new TreeMap<>();
        TreeMap<Long, Original> committed = new TreeMap<>();
        for (int i = 0; i < 1_000; i++) {
            long sequence = random.nextInt(60);
            switch (random.nextInt(20)) {
                case 0 -> {
                    commit();
                    committed = new TreeMap<>(originals);
                }
                case 1 -> {
                    state = crash();
                    originals = new TreeMap<>(committed);
                }
                case 2, 3, 4, 5, 6, 7 -> {
                    state.entry(ref(sequence)).ifPresent(state::removeOriginal);
                    originals.remove(sequence);
                }
                default -> {
                    state.addOriginal(ref(sequence), original(sequence));
                    originals.put(sequence, original(sequence));
                }
            }
            assertThat(state.original(ref(sequence))).isEqualTo(Optional.ofNullable(originals.get(sequence)));
            if (i % 10 == 0) {
                assertThat(state.originalsFrom(0, Long.MAX_VALUE, ALL))
                        .extracting(entry -> entry.ref().sequence())
                        .containsExactlyElementsOf(originals.keySet());
            }
        }
    }

    @Test
    void shouldHoldWhatMapsWouldHoldUnderRandomOperations() {
        Random random = new Random(7);
        Map<Long, SequenceBlock> blocks = new TreeMap<>();
        Map<String, InputPosition> left = new HashMap<>();
        Map<DocumentRef, Decision> decisions = new HashMap<>();
        CoordinatorState state = open();
        for (int i = 0; i < 2_000; i++) {
            SequenceBlock block = block("t" + random.nextInt(3), random.nextInt(300));
            DocumentRef ref = ref(random.nextInt(300));
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
                    InputPosition position = new InputPosition(i, random.nextBoolean());
                    state.notePosition(block.topic(), position);
                    left.put(block.topic(), position);
                }
                case 3 -> {
                    Decision.Duplicate decision = new Decision.Duplicate(ref, "d" + i, Similarity.of(0.8));
                    state.noteDecision(ref, decision);
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
                assertThat(state.positions()).isEqualTo(left);
            }
        }
    }
}
