package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.config.Representative;
import io.neardup.config.Representative.Rule;
import io.neardup.engine.protocol.Provenance;
import io.neardup.record.Publishers;
import io.neardup.record.Story;
import io.neardup.streams.store.StoryEvent.Copy;
import io.neardup.streams.store.StoryRow;
import io.neardup.streams.store.StoryRows;
import io.neardup.streams.store.StoryStore;
import io.neardup.testing.VerdictStories;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoryFoldTest {
    private static final List<String> SOURCES = List.of(
            "",
            "www.one.com",
            "news.one.com",
            "two.org",
            "m.two.org",
            "Agency",
            "agency",
            "three.net",
            "a.four.it",
            "b.four.it",
            "c.four.it",
            "d.four.it",
            "five",
            "Five",
            "six",
            "seven",
            "eight",
            "nine.de",
            "www.nine.de",
            "ten");

    /** One partition of stories. */
    private static final class Stories {
        private final StoryRows rows = new StoryRows();
        private final StoryStore store = new StoryStore(rows);
        private final StoryFold fold;
        private final Map<String, StoryRow> known = new TreeMap<>();

        Stories(String rule) {
            fold = new StoryFold(store, StoryFoldTest::publisher, representative(rule));
        }

        void take(Copy copy) {
            StoryRow row = fold.take(store.story(copy.story()), copy);
            store.put(copy.story(), row);
            known.put(copy.story(), row);
        }

        Map<String, JsonNode> stories() {
            Map<String, JsonNode> stories = new TreeMap<>();
            known.keySet()
                    .forEach(place -> stories.put(
                            place, VerdictStories.comparable(story(place).encode())));
            return stories;
        }

        Story story(String place) {
            return fold.story(place, store.story(place));
        }
    }

    private static Representative representative(String rule) {
        return rule.startsWith("source:")
                ? new Representative(Rule.SOURCE, List.of(rule.substring(7).split(",", -1)))
                : new Representative(Rule.valueOf(rule.toUpperCase(Locale.ROOT)), List.of());
    }

    /** As that of the service is, for names that need no list of suffixes. */
    private static Optional<String> publisher(String source) {
        if (source.isEmpty() || source.equals(Publishers.UNKNOWN)) {
            return Optional.empty();
        }
        int last = source.lastIndexOf('.');
        return Optional.of(
                (last < 0 ? source : source.substring(source.lastIndexOf('.', last - 1) + 1)).toLowerCase(Locale.ROOT));
    }

    /** Documents at random places, often at the same time, each with its verdict. */
    static final class Documents {
        private final Random random;
        final VerdictStories verdicts;
        final List<Copy> copies = new ArrayList<>();
        private final Map<String, String> ids = new HashMap<>();

        Documents(long seed, String rule, int originals, int duplicates) {
            random = new Random(seed);
            verdicts = new VerdictStories(rule);
            List<Provenance> all = new ArrayList<>();
            for (int i = 0; i < originals; i++) {
                all.add(document("unique", ""));
            }
            for (int i = 0; i < duplicates; i++) {
                Provenance original = all.get(random.nextInt(random.nextInt(originals) + 1));
                int shingles = 50 + random.nextInt(50);
                double similarity = (double) shingles / 101;
                Provenance copy = document(
                        "duplicate", ",\"duplicateOfPlace\":\"" + original.place() + "\",\"similarity\":" + similarity);
                copies.add(new Copy(original, id(original), id(copy), copy, similarity));
            }
        }

        private String id(Provenance of) {
            return Objects.requireNonNull(ids.get(of.place()), of.place());
        }

        private Provenance document(String outcome, String fields) {
            String topic = random.nextBoolean() ? "documents" : "wire-2";
            int partition = random.nextInt(12);
            long offset = ids.size();
            String source = SOURCES.get(random.nextInt(SOURCES.size()));
            Provenance from = new Provenance(
                    topic + "-" + partition + "-" + offset, source, random.nextInt(20) - 1, random.nextInt(5));
            // Ids are not unique.
            ids.put(from.place(), "id" + random.nextInt(50));
            String named = source.isEmpty() ? "" : ",\"source\":\"" + source + "\"";
            String place = "\"topic\":\"%s\",\"partition\":%d,\"offset\":%d".formatted(topic, partition, offset);
            String verdict = "{%s,\"timestamp\":%d,\"length\":%d,\"outcome\":\"%s\",\"id\":\"%s\"%s%s}"
                    .formatted(
                            place,
                            from.timestampMillis(),
                            from.length(),
                            outcome,
                            ids.get(from.place()),
                            named,
                            fields);
            verdicts.add(verdict.getBytes(UTF_8));
            return from;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"first", "longest", "newest", "source:two.org,agency", "source:m.two.org,nobody,one.com"})
    void shouldTellWhatVerdictsTellInWhateverOrderEventsCome(String rule) {
        for (int seed = 0; seed < 30; seed++) {
            Documents documents = new Documents(seed, rule, 5, 1 + seed * 5);
            Stories inOrder = new Stories(rule);
            documents.copies.forEach(inOrder::take);

            List<Copy> shuffled = new ArrayList<>(documents.copies);
            Collections.shuffle(shuffled, new Random(seed));
            Stories inAnother = new Stories(rule);
            shuffled.forEach(inAnother::take);

            assertThat(inOrder.stories()).describedAs("seed %d", seed).isEqualTo(documents.verdicts.stories());
            assertThat(inAnother.rows.dump()).describedAs("seed %d", seed).isEqualTo(inOrder.rows.dump());
        }
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
        Stories stories = new Stories("first");
        copies.forEach(stories::take);
        Collections.shuffle(copies, random);
        Stories others = new Stories("first");
        copies.forEach(others::take);

        assertThat(others.rows.dump()).isEqualTo(stories.rows.dump());
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
        assertThat(stories.rows.dump()).hasSize(StoryFold.SOURCES_MAX + 2);
    }

    @Test
    void shouldCountUpToAThousandSourcesExactly() {
        Stories stories = new Stories("first");
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
            Stories stories = new Stories("first");
            for (int i = 1; i <= sources; i++) {
                stories.take(copy(i, "s" + i + ".com"));
            }
            String listed = stories.story("documents-0-0").sources().get(0).source();
            Map<String, String> before = stories.rows.dump();

            stories.take(copy(100_000, listed));

            Map<String, String> after = stories.rows.dump();
            assertThat(after.entrySet()).hasSameSizeAs(before.entrySet());
            after.entrySet().removeAll(before.entrySet());
            assertThat(after).describedAs("%d sources", sources).hasSize(sources < StoryRow.FEW_MAX ? 1 : 2);
            assertThat(after.values()).allMatch(row -> row.length() < 3_000);
        }
    }

    @Test
    void shouldWriteNoSourceThatIsNotKept() {
        Stories stories = new Stories("first");
        for (int i = 1; i <= 5_000; i++) {
            stories.take(copy(i, "s" + i + ".com"));
        }
        stories.rows.changelog().clear();
        for (int i = 10_001; i <= 10_050; i++) {
            stories.take(copy(i, "s" + i + ".com"));
        }

        // A source is kept instead of another, or not written at all; each copy writes the story.
        int kept = (int) stories.story("documents-0-0").sources().stream()
                .filter(source -> source.first() > 10_000)
                .count();
        assertThat(kept).isLessThan(25);
        assertThat(stories.rows.changelog())
                .filteredOn(row -> row.key()[0] == 1)
                .hasSize(2 * kept);
        assertThat(stories.rows.changelog())
                .filteredOn(row -> row.key()[0] == 0)
                .hasSize(50);
    }
}
