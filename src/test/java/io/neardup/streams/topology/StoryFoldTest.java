package io.neardup.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.neardup.config.Representative;
import io.neardup.config.Representative.Rule;
import io.neardup.engine.protocol.Provenance;
import io.neardup.record.Story;
import io.neardup.streams.store.StoryEvent.Copy;
import io.neardup.streams.store.StoryRow;
import io.neardup.streams.store.StoryStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.InMemoryKeyValueStore;
import org.junit.jupiter.api.Test;

class StoryFoldTest {
    /** One partition of stories. */
    private static final class Stories {
        /** The kinds of the rows that were put or deleted, in order. */
        private final List<Byte> written = new ArrayList<>();

        private final List<Bytes> deleted = new ArrayList<>();
        /** Where looks backwards began. */
        private final List<Bytes> looks = new ArrayList<>();

        private final KeyValueStore<Bytes, byte[]> rows = new InMemoryKeyValueStore("stories") {
            @Override
            public synchronized void put(Bytes key, byte[] value) {
                written.add(key.get()[0]);
                super.put(key, value);
            }

            @Override
            public synchronized byte[] delete(Bytes key) {
                written.add(key.get()[0]);
                deleted.add(key);
                return super.delete(key);
            }

            @Override
            public synchronized KeyValueIterator<Bytes, byte[]> reverseRange(Bytes from, Bytes to) {
                looks.add(to);
                return super.reverseRange(from, to);
            }
        };
        private final StoryStore store = new StoryStore(rows);
        private final StoryFold fold =
                new StoryFold(store, StoryFoldTest::publisher, new Representative(Rule.FIRST, List.of()));

        void take(Copy copy) {
            store.put(copy.story(), fold.take(store.story(copy.story()), copy));
        }

        Story story(String place) {
            return fold.story(place, store.story(place));
        }

        /** All rows, in bytes. */
        Map<String, String> dump() {
            Map<String, String> dump = new TreeMap<>();
            HexFormat hex = HexFormat.of();
            try (var all = rows.all()) {
                all.forEachRemaining(row -> dump.put(hex.formatHex(row.key.get()), hex.formatHex(row.value)));
            }
            return dump;
        }
    }

    /** As that of the service is, for names that need no list of suffixes. */
    private static Optional<String> publisher(String source) {
        return Optional.of(source.substring(source.lastIndexOf('.', source.lastIndexOf('.') - 1) + 1));
    }

    private static Copy copy(int number, String source) {
        return copy("documents-0-0", number, source);
    }

    static Copy copy(String story, int number, String source) {
        Provenance original = new Provenance(story, "zero.com", 1, 10);
        return new Copy(original, "0", "" + number, new Provenance("documents-1-" + number, source, number, 9), 0.8);
    }

    @Test
    void shouldEstimatePublishersBeyondAThousandSourcesInWhateverOrderTheyCome() {
        List<Copy> copies = new ArrayList<>();
        Map<String, Long> expected = new HashMap<>(Map.of("zero.com", 0L));
        Random random = new Random(1);
        for (int i = 1; i <= 30_000; i++) {
            String source =
                    "s" + random.nextInt(5_000) + ".publisher" + random.nextInt(2) + random.nextInt(1_500) + ".com";
            copies.add(copy(i, source));
            expected.merge(source, 1L, Long::sum);
        }
        Stories stories = new Stories();
        copies.forEach(stories::take);
        Collections.shuffle(copies, random);
        Stories others = new Stories();
        copies.forEach(others::take);

        assertThat(others.dump()).isEqualTo(stories.dump());
        Story story = stories.story("documents-0-0");
        long publishers = expected.keySet().stream()
                .map(source -> publisher(source).orElseThrow())
                .distinct()
                .count();
        assertThat(story.exact()).isFalse();
        assertThat(story.copies()).isEqualTo(30_000);
        // Three standard errors.
        assertThat((double) story.publishers()).isCloseTo((double) publishers, within(0.036 * publishers));
        assertThat(story.sources()).hasSize(StoryFold.SOURCES_MAX).allSatisfy(source -> assertThat(source.copies())
                .isEqualTo(expected.get(source.source())));
        assertThat(stories.dump()).hasSize(StoryFold.SOURCES_MAX + 2);
    }

    @Test
    void shouldCountUpToAThousandSourcesExactly() {
        Stories stories = new Stories();
        for (int i = 1; i < StoryFold.SOURCES_MAX; i++) {
            stories.take(copy(i, "s" + i + ".publisher" + i % 400 + ".com"));
        }

        Story story = stories.story("documents-0-0");
        assertThat(story.exact()).isTrue();
        assertThat(story.publishers()).isEqualTo(401);
        assertThat(story.sources()).hasSize(StoryFold.SOURCES_MAX);
        stories.take(copy(5_000, "one.more.com"));
        assertThat(stories.story("documents-0-0").exact()).isFalse();
    }

    @Test
    void shouldChangeAtMostTwoRowsWithOneMoreCopyHoweverManySourcesThereAre() {
        for (int sources : new int[] {2, 15, 900, 5_000}) {
            Stories stories = new Stories();
            for (int i = 1; i <= sources; i++) {
                stories.take(copy(i, "s" + i + ".com"));
            }
            String listed = stories.story("documents-0-0").sources().get(0).source();
            Map<String, String> before = stories.dump();

            stories.take(copy(100_000, listed));

            Map<String, String> after = stories.dump();
            assertThat(after.entrySet()).hasSameSizeAs(before.entrySet());
            after.entrySet().removeAll(before.entrySet());
            assertThat(after).describedAs("%d sources", sources).hasSize(sources < StoryRow.FEW_MAX ? 1 : 2);
            assertThat(after.values()).allMatch(row -> row.length() < 3_000);
        }
    }

    @Test
    void shouldWriteNoSourceThatIsNotKept() {
        Stories stories = new Stories();
        for (int i = 1; i <= 5_000; i++) {
            stories.take(copy(i, "s" + i + ".com"));
        }
        stories.written.clear();
        stories.deleted.clear();
        stories.looks.clear();
        for (int i = 10_001; i <= 10_050; i++) {
            stories.take(copy(i, "s" + i + ".com"));
        }

        // A source is kept instead of another, or not written at all; each copy writes the story.
        int kept = (int) stories.story("documents-0-0").sources().stream()
                .filter(source -> source.first() > 10_000)
                .count();
        assertThat(kept).isLessThan(25);
        assertThat(stories.written).filteredOn(kind -> kind == 1).hasSize(2 * kept);
        assertThat(stories.written).filteredOn(kind -> kind == 0).hasSize(50);
        // RocksDB passes what was deleted one by one: no look is to begin behind it.
        assertThat(stories.looks).isEqualTo(stories.deleted);
    }
}
