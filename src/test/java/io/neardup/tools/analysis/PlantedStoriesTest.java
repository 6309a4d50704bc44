package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.text.ShingleSet;
import io.neardup.tools.analysis.Tuning.Finding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stories in three templates, of which it is known which repeat which: some have an edited copy, and one is everywhere,
 * edited each time anew. What {@link Tuner} proposes must find the copies, and no stories that only share a template.
 */
class PlantedStoriesTest {
    private static final int TEMPLATES = 3;
    private static final int STORIES = 150;
    private static final int STORY_WORDS = 80;
    private static final int COPIES = 60;
    private static final int EVERYWHERE = 50;

    private final SplittableRandom random = new SplittableRandom(1);
    private final List<String> originals = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    /** The story of each text, and the template that it is in. */
    private final List<Integer> stories = new ArrayList<>();

    private final List<String> templates = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {30, 250})
    void shouldTellStoriesApartInTemplatesThatAreLittleOrMostOfTheText(int templateWords) throws IOException {
        plant(templateWords);

        assertFindsTheStories(TextLines.tune(texts));
    }

    private void plant(int templateWords) {
        List<String> kinds = IntStream.range(0, TEMPLATES)
                .mapToObj(i -> words(templateWords))
                .toList();
        IntStream.range(0, STORIES).forEach(story -> originals.add(words(STORY_WORDS)));
        for (int story = 0; story < STORIES; story++) {
            add(story, kinds.get(story % TEMPLATES), originals.get(story));
        }
        for (int story = 0; story < COPIES; story++) {
            add(story, kinds.get(story % TEMPLATES), edited(originals.get(story)));
        }
        for (int copy = 0; copy < EVERYWHERE; copy++) {
            add(STORIES - 1, kinds.get(copy % TEMPLATES), edited(originals.get(STORIES - 1)));
        }
    }

    private void add(int story, String template, String text) {
        stories.add(story);
        templates.add(template);
        texts.add(template + " " + text);
    }

    private String words(int count) {
        return Stream.generate(this::word).limit(count).collect(Collectors.joining(" "));
    }

    private String word() {
        return Integer.toString(46_656 + random.nextInt(200_000), 36);
    }

    /** One word in twenty is another. */
    private String edited(String story) {
        return Stream.of(story.split(" "))
                .map(word -> random.nextInt(20) == 0 ? word() : word)
                .collect(Collectors.joining(" "));
    }

    private void assertFindsTheStories(Tuning tuning) {
        assertThat(tuning.finding()).isEqualTo(Finding.PARTED);
        SimilarityCounts copies = new SimilarityCounts();
        SimilarityCounts others = new SimilarityCounts();
        List<ShingleSet> sets = TextLines.sets(
                TextLines.texts(texts), tuning.proposed().shingling().shingler(0));
        for (int first = 0; first < texts.size(); first++) {
            for (int second = first + 1; second < texts.size(); second++) {
                double jaccard = sets.get(first).jaccard(sets.get(second));
                if (!stories.get(first).equals(stories.get(second))) {
                    others.add(jaccard, 1);
                } else if (templates.get(first).equals(templates.get(second))) {
                    copies.add(jaccard, 1);
                }
            }
        }
        double threshold = tuning.proposal().threshold();
        assertThat(others.pairsFrom(threshold))
                .describedAs("pairs of other stories that are called duplicates")
                .isZero();
        assertThat(copies.pairs()).isGreaterThan(COPIES);
        assertThat(copies.pairsFrom(threshold))
                .describedAs("pairs of one story and template that are found")
                .isEqualTo(copies.pairs());
    }
}
