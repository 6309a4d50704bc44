package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.CoordinatorRules.Slice;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.CoordinatorState;
import io.neardup.engine.protocol.CoordinatorState.Entry;
import io.neardup.engine.protocol.CoordinatorState.Expiry;
import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.engine.protocol.CoordinatorState.RefreshedExpiry;
import io.neardup.engine.protocol.CoordinatorState.TakenOver;
import io.neardup.engine.protocol.CoordinatorState.Tombstone;
import io.neardup.engine.protocol.Decision;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.engine.protocol.Origin;
import io.neardup.engine.protocol.Original;
import io.neardup.engine.protocol.Provenance;
import io.neardup.engine.protocol.RecordKey;
import io.neardup.engine.protocol.SequenceAllocator.SequenceBlock;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import io.neardup.simulation.SimulatedCoordinatorState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On the stores that the topology uses; that in memory is restored as it was committed. */
class KafkaCoordinatorStateTest {
    private static final Provenance FROM = new Provenance("documents-0-17", "Herald", 1_000, 5);
    private static final int COORDINATOR = 3;

    /** Those where a careless order of keys would show. */
    private static final long[] SEQUENCES = {
        0, 1, 127, 128, 255, 256, 65_535, 65_536, Integer.MAX_VALUE, 1L << 31, 1L << 40, DocumentRef.SEQUENCE_MAX
    };

    private static final List<String> NAMES = List.of("a", "ä", "ünput");

    private final OriginalStoreHarness disk;
    private final ProgressStore progress = new ProgressStore("progress");
    private Map<Bytes, byte[]> progressCommitted = Map.of();

    KafkaCoordinatorStateTest(@TempDir Path folder) {
        disk = new OriginalStoreHarness(folder, OriginalStore.secondaryKeys(Versions.REPLACE));
    }

    @AfterEach
    void closeStores() {
        progress.close();
        disk.close();
    }

    /** Whatever it is asked, it answers as the plain maps of the simulation do. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldAnswerAsPlainMapsDoAfterAnyStepsCommitsAndCrashes(int seed) {
        Random random = new Random(seed);
        SimulatedCoordinatorState expected = new SimulatedCoordinatorState();
        SimulatedCoordinatorState committed = expected.copy();
        CoordinatorState state = open();
        for (int i = 0; i < 3_000; i++) {
            switch (random.nextInt(60)) {
                case 0 -> {
                    commit();
                    committed = expected.copy();
                }
                case 1 -> {
                    state = crash();
                    expected = committed.copy();
                }
                case 2 -> state = open();
                default -> {
                    Consumer<CoordinatorState> step = step(random);
                    step.accept(expected);
                    step.accept(state);
                }
            }
            Function<CoordinatorState, Object> question = question(random);
            assertThat(question.apply(state)).as("after step %d", i).isEqualTo(question.apply(expected));
        }
    }

    private static Consumer<CoordinatorState> step(Random random) {
        long sequence = SEQUENCES[random.nextInt(SEQUENCES.length)];
        long number = random.nextLong() >>> (1 + random.nextInt(40));
        boolean flag = random.nextBoolean();
        DocumentRef ref = new DocumentRef(COORDINATOR, sequence);
        String name = NAMES.get(random.nextInt(NAMES.size()));
        SequenceBlock block = new SequenceBlock(name, 2 * sequence, sequence, number);
        Tombstone tombstone = new Tombstone(new RecordKey(-1, random.nextInt(3)), number);
        RefreshedExpiry refreshed = new RefreshedExpiry(ref, 254 + random.nextInt(4));
        Decision decision =
                flag ? Decision.UNIQUE : new Decision.Duplicate(ref, name, FROM, Similarity.of(random.nextDouble()));
        return switch (random.nextInt(17)) {
            case 0 -> state -> state.begin(block);
            case 1 -> state -> state.forget(block);
            case 2 ->
                state -> state.notePosition(
                        name, flag ? new InputPosition(number) : new InputPosition(number, number + sequence));
            case 3 -> state -> state.noteDecision(ref, decision);
            case 4 -> state -> state.forgetDecision(ref);
            case 5 -> state -> state.note(tombstone);
            case 6 -> state -> state.forget(tombstone);
            case 7 -> state -> state.note(refreshed);
            case 8 -> state -> state.forget(refreshed);
            case 9 -> state -> state.noteExpiry(new Expiry(sequence, number));
            case 10 -> state -> state.noteTakenOver(new TakenOver(sequence, flag));
            case 11 -> state -> state.note(new Handover(Map.of(name, Handover.NOTHING_TAKEN, "b", number), flag));
            case 12 -> state -> state.entry(ref).ifPresent(found -> state.noteRepeat(ref, number));
            case 13, 14 -> state -> state.entry(ref).ifPresent(state::removeOriginal);
            default -> state -> state.addOriginal(ref, original(sequence));
        };
    }

    private static Function<CoordinatorState, Object> question(Random random) {
        long sequence = SEQUENCES[random.nextInt(SEQUENCES.length)];
        long later = sequence + random.nextInt(1_000);
        long number = random.nextBoolean() ? 0 : sequence;
        DocumentRef ref = new DocumentRef(COORDINATOR, sequence);
        RecordKey key = new RecordKey(-1, random.nextInt(3));
        Slice slice = new Slice(1 + random.nextInt(4), Long.MAX_VALUE);
        String name = NAMES.get(random.nextInt(NAMES.size()));
        return switch (random.nextInt(14)) {
            case 0 -> CoordinatorState::raiseEpoch;
            case 1 -> CoordinatorState::blocks;
            case 2 -> CoordinatorState::positions;
            case 3 -> state -> state.decision(ref);
            case 4 -> state -> state.original(ref);
            case 5, 6 -> state -> withoutBytes(state.entry(ref).stream());
            case 7 ->
                state -> withoutBytes(state.originalsFrom(sequence, millis -> millis <= later % 1_000, slice).stream());
            case 8 -> state -> withoutBytes(state.originalsOf(key, number, later, slice).stream());
            case 9 -> state -> withoutBytes(state.originalsTakenOverAs(new DocumentRef(5, sequence)).stream());
            case 10 -> state -> withoutBytes(state.originalsWithId(name).stream());
            case 11 -> state -> Set.copyOf(state.tombstones());
            case 12 -> state -> List.of(state.expiry(), state.takenOver(), state.handover(), state.lastRepeated(ref));
            default -> state -> state.refreshed(254 + later % 4, slice.originals());
        };
    }

    private static List<Entry> withoutBytes(Stream<Entry> entries) {
        return entries.map(entry -> new Entry(entry.ref(), entry.id(), entry.origin(), entry.keys(), 0))
                .toList();
    }

    /** Some of a record key, some taken over, each id of several. */
    private static Original original(long sequence) {
        RecordKey key = sequence % 2 == 0 ? null : new RecordKey(-1, sequence % 3);
        DocumentRef source = sequence % 5 == 0 ? new DocumentRef(5, sequence) : null;
        return new Original(
                new SignedDocument(
                        NAMES.get((int) (sequence % 3)),
                        BandKeys.owning(new long[] {sequence, -1}),
                        Evidence.of(new byte[(int) (sequence % 5_000)]),
                        BitSketch.owning(new long[] {sequence, -1})),
                new Origin(key, sequence % 1_000, FROM, source));
    }

    @Test
    void shouldCountWhatOriginalsTakeWithTheirEvidence() {
        CoordinatorState state = open();
        for (long sequence : new long[] {1, 127, 255, 256, 4_999}) {
            state.addOriginal(new DocumentRef(COORDINATOR, sequence), original(sequence));
        }

        assertThat(state.entry(new DocumentRef(COORDINATOR, 4_999))
                        .orElseThrow()
                        .bytes())
                .isBetween(4_999L, 5_200L);
        assertThat(state.originalsOf(new RecordKey(-1, 1), 0, 1_000, new Slice(10, 1)))
                .hasSize(1);
        assertThat(state.originalsFrom(255, millis -> true, new Slice(10, 600)))
                .describedAs("behind 255 and 256 bytes of evidence and what goes with it")
                .hasSizeBetween(2, 3);
    }

    @Test
    void shouldKeepTheLayoutOfItsStores() {
        fill(open());

        assertThat(storedProgress())
                .containsExactly(
                        "00 -> 0a01",
                        "01000000000000012c -> 0a04646f637303ac02e807",
                        "02646f6373 -> 0a0307",
                        "03000000000000012c -> 0a010000",
                        "04 -> 0aac02e807",
                        "050000000000000001ffffffffffffffff -> 0a0000000000000001ffffffffffffffffac02");
        assertThat(storedOriginals())
                .containsExactly(
                        "000000000000012c -> 0a0161e807"
                                + "0e646f63756d656e74732d302d3137" + "06486572616c64" + "00000000000003e8" + "05" + "01"
                                + "0000000000000001ffffffffffffffff" + "010000000000000005"
                                + "010000000000000007" + "0109",
                        "01" + "0000000000000001ffffffffffffffff" + "000000000000012c -> ",
                        "02" + "ca978112ca1bbdcafac231b39a23dc4d" + "000000000000012c -> ",
                        "03000000000000012c -> 0ae807",
                        "0400000000000003e8000000000000012c -> 0a");
    }

    private List<String> storedProgress() {
        return progress.all().entrySet().stream()
                .map(entry -> entry(entry.getKey().get(), entry.getValue()))
                .toList();
    }

    private List<String> storedOriginals() {
        List<String> entries = new ArrayList<>();
        disk.forEach((key, value) -> entries.add(entry(key, value)));
        return entries;
    }

    private static Original original(String id, RecordKey key, BitSketch sketch) {
        BandKeys keys = BandKeys.owning(new long[] {5});
        return new Original(
                new SignedDocument(id, keys, Evidence.of(new byte[] {9}), sketch), new Origin(key, 1_000, FROM));
    }

    /** One of each kind. */
    private static void fill(CoordinatorState state) {
        DocumentRef ref = new DocumentRef(COORDINATOR, 300);
        RecordKey key = new RecordKey(1, -1);
        state.raiseEpoch();
        state.begin(new SequenceBlock("docs", 3, 300, 1_000));
        state.notePosition("docs", new InputPosition(3, 7));
        state.noteDecision(ref, Decision.UNIQUE);
        state.noteExpiry(new Expiry(300, 1_000));
        state.note(new Tombstone(key, 300));
        state.addOriginal(ref, original("a", key, BitSketch.owning(new long[] {7})));
        state.noteRepeat(ref, 1_000);
        state.note(new RefreshedExpiry(ref, 1_000));
    }

    @Test
    void shouldLogAnOriginalAsOneRecordWhateverItIsFoundBy() {
        CoordinatorState state = open();
        RecordKey key = new RecordKey(1, -1);
        Original original = original("a", key, BitSketch.NONE);
        for (int sequence = 0; sequence < 10; sequence++) {
            state.addOriginal(new DocumentRef(COORDINATOR, sequence), original);
        }
        disk.commit();

        assertThat(disk.store().committedOffset(OriginalStoreHarness.CHANGELOG)).isEqualTo(9);
        assertThat(state.originalsWithId("a")).hasSize(10);
    }

    @Test
    void shouldTellWhatIsHeldToWhoReadsTheChangelog() {
        CoordinatorState state = open();
        state.begin(new SequenceBlock("a", 100, 0, 1_000));
        state.notePosition("a", new InputPosition(110, 300));
        state.notePosition("b", new InputPosition(100));
        state.notePosition("a#1", new InputPosition(7, 8));
        UnreleasedInput input = new UnreleasedInput();
        progress.all().forEach((key, value) -> input.apply(3, key.get(), value));

        assertThat(input.unreleased())
                .containsExactly(
                        new UnreleasedInput.Unreleased("a", 3, 110, 190),
                        new UnreleasedInput.Unreleased("a#1", 3, 7, 1));
    }

    private static String entry(byte[] key, byte[] value) {
        return HexFormat.of().formatHex(key) + " -> " + HexFormat.of().formatHex(value);
    }

    /** In a new instance, which finds what earlier ones left. */
    private CoordinatorState open() {
        return new KafkaCoordinatorState(COORDINATOR, progress, disk.store());
    }

    private void commit() {
        progressCommitted = new TreeMap<>(progress.all());
        disk.commit();
    }

    /** What was done after the last commit is lost, and nothing else. */
    private CoordinatorState crash() {
        List.copyOf(progress.all().keySet()).forEach(progress::delete);
        progressCommitted.forEach(progress::put);
        disk.kill();
        return open();
    }
}
