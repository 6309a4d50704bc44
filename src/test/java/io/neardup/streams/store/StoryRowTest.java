package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.Provenance;
import io.neardup.streams.store.StoryEvent.Copy;
import io.neardup.streams.store.StoryEvent.Ended;
import io.neardup.streams.store.StoryEvent.Inherited;
import io.neardup.streams.store.StoryRow.Carrier;
import io.neardup.streams.store.StoryRow.SourceRow;
import io.neardup.streams.store.StoryRow.Sources;
import io.neardup.streams.store.StoryRow.Writing;
import io.neardup.streams.store.StoryStore.Due;
import io.neardup.streams.store.StoryStore.Timer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

/** The bytes of stories, as they lie on the disk and in topics. */
class StoryRowTest {
    private static final Provenance ORIGINAL = new Provenance("d-0-1", "a.b", -1, 300);
    private static final Provenance COPY = new Provenance("d-1-2", "", 2, 7);
    private static final StoryRow ROW = new StoryRow(
            new Carrier("o", ORIGINAL),
            new Carrier("c", COPY),
            1,
            -1,
            2,
            List.of(new Carrier("c", COPY)),
            new TreeMap<>(Map.of(75, 1L)),
            0.75,
            Sources.few(List.of(new SourceRow("a.b", 0, -1), new SourceRow("unknown", 1, 2))),
            new Writing(3, 1_000, 0, 128));

    private static final String OF_ORIGINAL = "05 642d302d31 03 612e62 ffffffffffffffff ac02 ";
    private static final String OF_COPY = "05 642d312d32 00 0000000000000002 07 ";

    private final StoryRows rows = new StoryRows();
    private final StoryStore store = new StoryStore(rows);

    private static String hex(String spaced) {
        return spaced.replace(" ", "");
    }

    @Test
    void shouldKeepTheLayoutOfAStory() {
        store.put("d-0-1", ROW);
        assertThat(rows.dump())
                .containsExactly(Map.entry(
                        hex("00 642d302d31"),
                        hex("01 01 01 6f" + OF_ORIGINAL + "01 01 63" + OF_COPY
                                + "01 ffffffffffffffff 0000000000000002 01 01 63" + OF_COPY
                                + "01 4b 01 3fe8000000000000 02 03 612e62 00 ffffffffffffffff"
                                + "07 756e6b6e6f776e 01 0000000000000002 02 01 03 e807 00 8001")));
        assertThat(store.story("d-0-1")).isEqualTo(ROW);
        assertThat(StoryRow.LAYOUT.decode(StoryRow.LAYOUT.encode(StoryRow.NONE)))
                .isEqualTo(StoryRow.NONE);
    }

    @Test
    void shouldKeepTheLayoutOfWhatBelongsToAStory() {
        store.put("d-0-1", 258, new SourceRow("a.b", 3, -1));
        store.put("d-0-1", 1, new SourceRow("unknown", 0, 2));
        store.putSketch("d-0-1", new byte[] {9});
        store.add(Timer.REVISION, new Due(256, "d-0-1"));
        store.add(Timer.END, new Due(1, "d-0-1"));
        store.markFolded("id", 299);
        assertThat(rows.dump())
                .containsExactly(
                        Map.entry(
                                hex("01 642d302d31 00 0000000000000001 756e6b6e6f776e"),
                                hex("01 07 756e6b6e6f776e 00 0000000000000002")),
                        Map.entry(
                                hex("01 642d302d31 00 0000000000000102 612e62"),
                                hex("01 03 612e62 03 ffffffffffffffff")),
                        Map.entry(hex("02 642d302d31"), hex("01 01 09")),
                        Map.entry(hex("03 0000000000000100 642d302d31"), "01"),
                        Map.entry(hex("04 0000000000000001 642d302d31"), "01"),
                        Map.entry("05", hex("01 02 6964 ac02")));
        assertThat(rows.dump().keySet().stream()
                        .map(key -> StoryStore.placeOf(Bytes.wrap(HexFormat.of().parseHex(key)))))
                .as("that of each but of timers and of what is folded")
                .containsExactly(
                        Optional.of("d-0-1"),
                        Optional.of("d-0-1"),
                        Optional.of("d-0-1"),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        assertThat(store.sources("d-0-1")).containsExactly(new SourceRow("unknown", 0, 2), new SourceRow("a.b", 3, -1));
        assertThat(store.sketch("d-0-1")).hasValue(new byte[] {9});
    }

    @Test
    void shouldKeepTheLayoutOfEvents() {
        Bytes key = Bytes.wrap(new byte[] {0, 'd'});
        List<StoryEvent> events = List.of(
                new Copy(ORIGINAL, "o", "ü", COPY, 0.75),
                new Ended("d-0-1"),
                new Inherited(key, Bytes.wrap(new byte[] {1, 2})),
                new Inherited(key, null));
        byte[] bytes = encoded(events);
        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo(hex("01 01" + OF_ORIGINAL + "01 6f 02 c3bc" + OF_COPY + "3fe8000000000000 02 05 642d302d31"
                        + "03 02 0064 01 02 0102 03 02 0064 00"));
        assertThat(StoryEvent.decode(bytes)).isEqualTo(events);
        LayoutContract.checkVersion(bytes, StoryEvent::decode);
        LayoutContract.checkVersion(StoryRow.LAYOUT.encode(ROW), StoryRow.LAYOUT::decode);
        LayoutContract.checkMutations(bytes, StoryEvent::decode, StoryRowTest::encoded);
        LayoutContract.checkMutations(StoryRow.LAYOUT.encode(ROW), StoryRow.LAYOUT::decode, StoryRow.LAYOUT::encode);
    }

    private static byte[] encoded(List<StoryEvent> events) {
        Batch<StoryEvent> batch = StoryEvent.batch();
        events.forEach(batch::add);
        return batch.take();
    }

    @Test
    void shouldDeleteAStoryAndNothingOfOthers() {
        for (String place : List.of("d-0-1", "d-0-10", "d-0-2")) {
            store.put(place, ROW);
            for (int i = 0; i < 5; i++) {
                store.put(place, -i, new SourceRow("s" + i, 1, 1));
            }
            store.putSketch(place, "sketch".getBytes(UTF_8));
        }
        Map<String, String> before = rows.dump();

        assertThat(store.delete("d-0-1")).isEqualTo(6);

        before.keySet().removeIf(key -> key.substring(2).startsWith("642d302d31") && !key.contains("642d302d3130"));
        assertThat(rows.dump()).isEqualTo(before);
    }

    @Test
    void shouldTellWhatIsDueInTheOrderOfTime() {
        for (long at : new long[] {300, 5, 1_000, 70}) {
            store.add(Timer.REVISION, new Due(at, "d-0-" + at));
        }
        store.add(Timer.END, new Due(1, "d-0-1"));
        assertThat(store.next(Timer.REVISION)).hasValue(5L);
        assertThat(store.due(Timer.REVISION, 300, 10)).extracting(Due::atMillis).containsExactly(5L, 70L, 300L);
        assertThat(store.due(Timer.REVISION, 300, 2)).hasSize(2);
        store.remove(Timer.REVISION, new Due(5, "d-0-5"));
        assertThat(store.next(Timer.REVISION)).hasValue(70L);
    }

    @Test
    void shouldLookForWhatIsDueBehindWhatWasRemoved() {
        store.add(Timer.REVISION, new Due(5, "d-0-5"));
        store.add(Timer.REVISION, new Due(70, "d-0-70"));
        store.remove(Timer.REVISION, new Due(5, "d-0-5"));
        assertThat(store.next(Timer.REVISION)).hasValue(70L);
        assertThat(store.next(Timer.REVISION)).hasValue(70L);
        assertThat(HexFormat.of().formatHex(rows.from().get())).isEqualTo(hex("03 0000000000000046"));

        store.add(Timer.REVISION, new Due(3, "d-0-3"));
        assertThat(store.next(Timer.REVISION)).hasValue(3L);
        assertThat(store.due(Timer.REVISION, 2, 10)).isEmpty();
        assertThat(new StoryStore(rows).next(Timer.REVISION)).hasValue(3L);
    }
}
