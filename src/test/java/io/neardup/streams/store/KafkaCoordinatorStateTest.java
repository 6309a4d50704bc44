package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.CoordinatorState;
import io.neardup.engine.protocol.CoordinatorState.Expiry;
import io.neardup.engine.protocol.CoordinatorState.InputPosition;
import io.neardup.engine.protocol.CoordinatorState.RefreshedExpiry;
import io.neardup.engine.protocol.CoordinatorState.Tombstone;
import io.neardup.engine.protocol.CoordinatorStateContract;
import io.neardup.engine.protocol.Decision;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Origin;
import io.neardup.engine.protocol.Original;
import io.neardup.engine.protocol.RecordKey;
import io.neardup.engine.protocol.SequenceAllocator.SequenceBlock;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import io.neardup.streams.topology.Routed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the stores that the topology uses; that in memory is restored as it was committed. */
class KafkaCoordinatorStateTest extends CoordinatorStateContract {
    private final OriginalStoreHarness disk;
    private final ProgressStore progress;
    private Map<Bytes, byte[]> progressCommitted = Map.of();

    KafkaCoordinatorStateTest(@TempDir Path folder) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        MockProcessorContext<Routed, byte[]> context =
                new MockProcessorContext<>(settings, new TaskId(0, COORDINATOR), folder.toFile());
        progress = new ProgressStore("progress");
        progress.init(context.getStateStoreContext(), progress);
        disk = new OriginalStoreHarness(folder, OriginalStore.secondaryKeys(Versions.REPLACE));
    }

    @AfterEach
    void closeStores() {
        progress.close();
        disk.close();
    }

    @Test
    void shouldKeepTheLayoutOfItsStores() {
        fill(open());

        assertThat(storedProgress())
                .containsExactly(
                        "00 -> 0801",
                        "01000000000000012c -> 0804646f637303ac02e807",
                        "02646f6373 -> 08030101",
                        "03000000000000012c -> 080100",
                        "04 -> 08ac02e807",
                        "050000000000000001ffffffffffffffff -> 080000000000000001ffffffffffffffffac02");
        assertThat(storedOriginals())
                .containsExactly(
                        "000000000000012c -> 080161e80701" + "0000000000000001ffffffffffffffff" + "010000000000000005"
                                + "010000000000000007" + "0109",
                        "01" + "0000000000000001ffffffffffffffff" + "000000000000012c -> ",
                        "02" + "ca978112ca1bbdcafac231b39a23dc4d" + "000000000000012c -> ",
                        "03000000000000012c -> 08e807",
                        "0400000000000003e8000000000000012c -> 08");
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

    /** One of each kind. */
    private static void fill(CoordinatorState state) {
        DocumentRef ref = new DocumentRef(COORDINATOR, 300);
        RecordKey key = new RecordKey(1, -1);
        state.raiseEpoch();
        state.begin(new SequenceBlock("docs", 3, 300, 1_000));
        state.notePosition("docs", new InputPosition(3, true));
        state.noteDecision(ref, Decision.UNIQUE);
        state.noteExpiry(new Expiry(300, 1_000));
        state.note(new Tombstone(key, 300));
        state.addOriginal(
                ref,
                new Original(
                        "a",
                        new Origin(key, 1_000),
                        BandKeys.of(new long[] {5}),
                        Evidence.of(new byte[] {9}),
                        BitSketch.owning(new long[] {7})));
        state.repeat(ref, 1_000);
        state.note(new RefreshedExpiry(ref, 1_000));
    }

    @Test
    void shouldLogAnOriginalAsOneRecordWhateverItIsFoundBy() {
        CoordinatorState state = open();
        RecordKey key = new RecordKey(1, -1);
        Original original = new Original(
                "a", new Origin(key, 1_000), BandKeys.of(new long[] {5}), Evidence.of(new byte[] {9}), BitSketch.NONE);
        for (int sequence = 0; sequence < 10; sequence++) {
            state.addOriginal(new DocumentRef(COORDINATOR, sequence), original);
        }
        disk.commit();

        assertThat(disk.store().committedOffset(OriginalStoreHarness.CHANGELOG)).isEqualTo(9);
        assertThat(state.originalsNamed("a")).hasSize(10);
    }

    @Test
    void shouldTellWhatIsHeldToWhoReadsTheChangelog() {
        CoordinatorState state = open();
        state.begin(new SequenceBlock("a", 100, 0, 1_000));
        state.begin(new SequenceBlock("a", 300, 1_024, 1_001));
        state.begin(new SequenceBlock("b", 100, 2_048, 1_001));
        state.begin(new SequenceBlock("a#1", 5, 3_072, 1_002));
        state.notePosition("a", new InputPosition(110, true));
        state.notePosition("b", new InputPosition(100, false));
        state.notePosition("a#1", new InputPosition(7, true));
        UnreleasedInput input = new UnreleasedInput();
        progress.all().forEach((key, value) -> input.apply(3, key.get(), value));

        assertThat(input.unreleased())
                .containsExactly(
                        new UnreleasedInput.Unreleased("a", 3, 110, 300 + 1_024 - 110),
                        new UnreleasedInput.Unreleased("a#1", 3, 7, 1_024 - 2));

        input.apply(3, HexFormat.of().parseHex("010000000000000400"), null);
        assertThat(input.unreleased().get(0).recordsMax()).isEqualTo(100 + 1_024 - 110);
    }

    private static String entry(byte[] key, byte[] value) {
        return HexFormat.of().formatHex(key) + " -> " + HexFormat.of().formatHex(value);
    }

    @Override
    protected CoordinatorState open() {
        return new KafkaCoordinatorState(COORDINATOR, progress, disk.store());
    }

    @Override
    protected void commit() {
        progressCommitted = new TreeMap<>(progress.all());
        disk.commit();
    }

    @Override
    protected CoordinatorState crash() {
        List.copyOf(progress.all().keySet()).forEach(progress::delete);
        progressCommitted.forEach(progress::put);
        disk.kill();
        return open();
    }
}
