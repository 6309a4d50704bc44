package io.neardup.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Invented news documents, numbered from 0. A document depends on the seed and its number alone, so any of them can be
 * made at any time.
 *
 * <p>A share of them are near-duplicates: an earlier document that is none itself, drawn evenly from all of them, with
 * some words replaced, sentences added, or the end cut off. Their Jaccard similarity to it is 0.7 or more (char:9),
 * mostly around 0.85. Unrelated ones are at about 0.01. Every document is distinct.
 *
 * <p>Immutable: several threads may use one.
 */
public final class NewsDocuments {
    /** Smaller ones would hold no text worth comparing. */
    public static final int BYTES_MIN = 600;

    /** Larger ones would not fit into a record of Kafka's default limit. */
    public static final int BYTES_MAX = 500_000;

    private static final int ENVELOPE_BYTES = 155;
    /** Beside the text's characters: escapes, and letters of several bytes. */
    private static final double BYTES_PER_CHAR = 1.014;

    private static final double LENGTH_MIN = 0.75;
    private static final double LENGTH_SPREAD = 0.5;
    private static final double REPLACED_MAX = 0.04;
    private static final double CUT_MAX = 0.1;
    private static final int ADDING_CHARS_MIN = 1_500;

    private final long seed;
    private final int bytes;
    private final double duplicates;
    private final Vocabulary vocabulary = new Vocabulary();
    private final NewsStory stories = new NewsStory(vocabulary);

    /**
     * Makes no document yet.
     *
     * @param bytes of an average document as JSON, from {@link #BYTES_MIN} to {@link #BYTES_MAX}
     * @param duplicates the share of near-duplicates, from 0 to below 1
     */
    public NewsDocuments(long seed, int bytes, double duplicates) {
        if (bytes < BYTES_MIN || bytes > BYTES_MAX) {
            throw new IllegalArgumentException(
                    "bytes: expected " + BYTES_MIN + " to " + BYTES_MAX + ", found " + bytes);
        }
        if (!(duplicates >= 0 && duplicates < 1)) {
            throw new IllegalArgumentException("duplicates: expected a share from 0 to below 1, found " + duplicates);
        }
        this.seed = seed;
        this.bytes = bytes;
        this.duplicates = duplicates;
    }

    /** Those of these numbers, made side by side. */
    List<NewsDocument> many(long from, long to) {
        return LongStream.range(from, to).parallel().mapToObj(this::document).toList();
    }

    public NewsDocument document(long number) {
        SeededRandom random = SeededRandom.of(seed, number);
        boolean edited = random.chance(duplicates) && number > 0;
        long original = edited ? originalBefore(number, random) : number;
        String story = story(original);
        return new NewsDocument(
                number, original, stories.headline(random), original == number ? story : edit(story, random));
    }

    /** The number of an earlier document that is no near-duplicate; the document's own if there is none. */
    private long originalBefore(long number, SeededRandom random) {
        for (int attempt = 0; attempt < 64; attempt++) {
            long earlier = random.below(number);
            if (earlier == 0 || !SeededRandom.of(seed, earlier).chance(duplicates)) {
                return earlier;
            }
        }
        return number;
    }

    private String story(long number) {
        SeededRandom random = SeededRandom.of(~seed, number);
        double length = LENGTH_MIN + LENGTH_SPREAD * random.fraction();
        return stories.write(random, (int) ((bytes * length - ENVELOPE_BYTES) / BYTES_PER_CHAR));
    }

    private String edit(String story, SeededRandom random) {
        List<String> words = new ArrayList<>(Arrays.asList(story.split(" ", -1)));
        switch (random.below(4)) {
            case 0 -> cut(words, random);
            case 1 -> words.add(0, "Update:");
            default -> replace(words, random, (int) (words.size() * REPLACED_MAX * random.fraction()));
        }
        // So that the text is never the same.
        replace(words, random, 1);
        StringBuilder edited = new StringBuilder(story.length() + 200).append(String.join(" ", words));
        if (story.length() >= ADDING_CHARS_MIN && random.chance(0.25)) {
            stories.append(edited, random);
        }
        return edited.toString();
    }

    private static void cut(List<String> words, SeededRandom random) {
        int kept = words.size() - (int) (words.size() * CUT_MAX * random.fraction());
        words.subList(kept, words.size()).clear();
    }

    private void replace(List<String> words, SeededRandom random, int count) {
        for (int i = 0; i < count; i++) {
            words.set(random.below(words.size()), vocabulary.name(random));
        }
    }
}
