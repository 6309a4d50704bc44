package io.neardup.bench;

import io.neardup.bench.BenchReports.Corpus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Invented news documents, numbered from 0. A document depends on the seed and its number alone, so any of them can be
 * made at any time.
 *
 * <p>A share of them are near-duplicates: an earlier document that is none itself, drawn evenly from all of them, with
 * some words replaced, sentences added, or the end cut off. Their Jaccard similarity to it is 0.7 or more (char:9),
 * mostly around 0.85. Unrelated ones are at about 0.01. Every document is distinct.
 *
 * <p>A share of those that are no near-duplicates can be made from {@value #TEMPLATES} templates: some of their
 * sentences are the template's, the others their own. Unrelated ones of one template are at 0.3 to 0.6.
 *
 * <p>Immutable: several threads may use one.
 */
public final class NewsDocuments implements BenchDocuments {
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

    private static final int TEMPLATES = 200;
    /** So much of a document is its template's, which puts two of one template at 0.3 to 0.6. */
    private static final double TEMPLATE_MIN = 0.54;

    private static final double TEMPLATE_SPREAD = 0.2;
    private static final long TEMPLATE_STREAM = 0x7e3f_94d1_0000_0000L;

    private final long seed;
    private final int bytes;
    private final double duplicates;
    private final double templates;
    private final NewsWriter writer = new NewsWriter();

    /** Those of which none is made from a template. */
    public NewsDocuments(long seed, int bytes, double duplicates) {
        this(seed, bytes, duplicates, 0);
    }

    /**
     * Makes no document yet.
     *
     * @param bytes of an average document as JSON, from {@link #BYTES_MIN} to {@link #BYTES_MAX}
     * @param duplicates the share of near-duplicates, from 0 to below 1
     * @param templates the share of the others that is made from templates, from 0 to 1
     */
    public NewsDocuments(long seed, int bytes, double duplicates, double templates) {
        this.seed = seed;
        this.bytes = bytes;
        this.duplicates = duplicates;
        this.templates = templates;
    }

    @Override
    public int bytes() {
        return bytes;
    }

    @Override
    public Corpus corpus(int documents) {
        String source = String.format(
                Locale.ROOT,
                "generated news, %.0f %% of them near-duplicates of earlier ones, %.0f %% of the others from templates",
                100 * duplicates,
                100 * templates);
        return new Corpus(documents, source, bytes, duplicates, templates);
    }

    @Override
    public GeneratedDocument document(long number) {
        SeededRandom random = SeededRandom.of(seed, number);
        boolean edited = random.chance(duplicates) && number > 0;
        long original = edited ? originalBefore(number, random) : number;
        String story = story(original);
        return new GeneratedDocument(
                number, original, writer.headline(random), original == number ? story : edit(story, random));
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
        if (templates > 0 && random.chance(templates)) {
            SeededRandom template = SeededRandom.of(seed, TEMPLATE_STREAM + random.below(TEMPLATES));
            int chars = chars(template);
            return writer.write(random, chars, template, TEMPLATE_MIN + TEMPLATE_SPREAD * template.fraction());
        }
        return writer.write(random, chars(random));
    }

    private int chars(SeededRandom random) {
        double length = LENGTH_MIN + LENGTH_SPREAD * random.fraction();
        return (int) ((bytes * length - ENVELOPE_BYTES) / BYTES_PER_CHAR);
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
            writer.append(edited, random);
        }
        return edited.toString();
    }

    private static void cut(List<String> words, SeededRandom random) {
        int kept = words.size() - (int) (words.size() * CUT_MAX * random.fraction());
        words.subList(kept, words.size()).clear();
    }

    private void replace(List<String> words, SeededRandom random, int count) {
        for (int i = 0; i < count; i++) {
            words.set(random.below(words.size()), writer.name(random));
        }
    }
}
