package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.CoordinatorState;
import io.neardup.engine.protocol.CoordinatorState.Entry;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Origin;
import io.neardup.engine.protocol.Original;
import io.neardup.engine.protocol.RecordKey;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A coordinator of an index that release 0.1 made: instances of that release may run beside this one, and take over
 * again.
 */
class EarlierCoordinatorStateTest extends KafkaCoordinatorStateTest {
    private static final RecordKey KEY = new RecordKey(1, -1);

    EarlierCoordinatorStateTest(@TempDir Path folder) {
        super(folder);
    }

    @Override
    StateLayout layout() {
        return StateLayout.INDEX_LOGGED;
    }

    /** What release 0.1 writes of the same, byte for byte. */
    @Test
    @Override
    void shouldKeepTheLayoutOfItsStores() {
        fill(open());

        assertThat(storedProgress())
                .containsExactly(
                        "00 -> 0601",
                        "01000000000000012c -> 0604646f637303ac02e807",
                        "02646f6373 -> 06030101",
                        "03000000000000012c -> 060100",
                        "04 -> 06ac02e807",
                        "050000000000000001ffffffffffffffff -> 060000000000000001ffffffffffffffffac02");
        assertThat(storedOriginals())
                .containsExactly(
                        "000000000000012c -> 060161e80701" + "0000000000000001ffffffffffffffff" + "010000000000000005"
                                + "010000000000000007" + "0109",
                        "01" + "0000000000000001ffffffffffffffff" + "000000000000012c -> 06",
                        "02" + "ca978112ca1bbdcafac231b39a23dc4d" + "000000000000012c -> 06",
                        "03000000000000012c -> 06e807",
                        "0400000000000003e8000000000000012c -> 06");
    }

    private static Original original() {
        return new Original(
                "a", new Origin(KEY, 1_000), BandKeys.of(new long[] {5}), Evidence.of(new byte[] {9}), BitSketch.NONE);
    }

    @Test
    @Override
    void shouldLogAnOriginalAsOneRecordWhateverItIsFoundBy() {
        CoordinatorState state = open();
        state.addOriginal(new DocumentRef(COORDINATOR, 300), original());
        disk.commit();

        assertThat(logged())
                .containsExactly(
                        "000000000000012c: yes",
                        "01" + "0000000000000001ffffffffffffffff" + "000000000000012c: yes",
                        "02" + "ca978112ca1bbdcafac231b39a23dc4d" + "000000000000012c: yes");
    }

    /** Release 0.1 takes out of its index what the changelog says is gone, and nothing else. */
    @Test
    void shouldLogThatWhatAnOriginalWasFoundByIsGone() {
        CoordinatorState state = open();
        DocumentRef ref = new DocumentRef(COORDINATOR, 300);
        state.addOriginal(ref, original());
        disk.commit();
        disk.changelog().clear();
        Entry entry = state.entry(ref).orElseThrow();

        state.removeOriginal(entry);
        disk.commit();

        assertThat(logged())
                .containsExactly(
                        "000000000000012c: no",
                        "01" + "0000000000000001ffffffffffffffff" + "000000000000012c: no",
                        "02" + "ca978112ca1bbdcafac231b39a23dc4d" + "000000000000012c: no");
        assertThat(storedOriginals()).isEmpty();
    }

    /** By key: whether it has a value. */
    private List<String> logged() {
        return disk.changelog().stream()
                .map(record -> HexFormat.of().formatHex(record.key()) + ": " + (record.value() == null ? "no" : "yes"))
                .toList();
    }
}
