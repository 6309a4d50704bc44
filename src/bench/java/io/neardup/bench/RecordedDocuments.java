package io.neardup.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.bench.BenchReports.Corpus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Real documents, and more of their kind where there are too few.
 *
 * <p>The first are the texts as they are, in their order. Each further one is put together of runs of
 * {@value #RUN_WORDS} words. Each run is of a text drawn at random, from the same relative place in it. So boilerplate
 * stays where it stands, and everything else is mixed. A share of the further ones are near-duplicates: an earlier
 * document with a few words replaced.
 *
 * <p>Immutable: several threads may use one.
 */
public final class RecordedDocuments implements BenchDocuments {
    private static final long SEED = 1;
    private static final int RUN_WORDS = 12;
    /** A document of mixed runs has as many as some text has; this bounds the work for one. */
    private static final int RUNS_MAX = 20_000;

    private static final double REPLACED = 0.01;

    private final String source;
    private final List<Words> texts;
    private final int bytes;
    private final double duplicates;

    /** A text and where each of its words begins; a word has the white space behind it. */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody, and as large as the text
    private record Words(String text, int[] starts) {
        static Words of(String text) {
            int[] starts = new int[8];
            int count = 0;
            boolean gap = true;
            for (int i = 0; i < text.length(); i++) {
                boolean space = Character.isWhitespace(text.charAt(i));
                if (gap && !space) {
                    starts = count == starts.length ? Arrays.copyOf(starts, 2 * count) : starts;
                    starts[count++] = i;
                }
                gap = space;
            }
            return new Words(text, Arrays.copyOf(starts, count));
        }

        int count() {
            return starts.length;
        }

        /** The words from one up to another, with what lies between. */
        String run(int from, int to) {
            return text.substring(starts[from], to >= count() ? text.length() : starts[to]);
        }
    }

    /**
     * Of the texts of a file.
     *
     * @param source the name of the file, for the report
     * @param texts not blank, at least one
     * @param duplicates the share of near-duplicates among the documents beyond the texts, from 0 to below 1
     */
    public RecordedDocuments(String source, List<String> texts, double duplicates) {
        if (texts.isEmpty()) {
            throw new IllegalArgumentException(source + ": expected at least one document, found none");
        }
        this.source = source;
        this.texts = texts.stream().map(Words::of).toList();
        this.duplicates = duplicates;
        long all = texts.stream().mapToLong(text -> text.getBytes(UTF_8).length).sum();
        this.bytes = (int) Math.max(1, all / texts.size());
    }

    /** How many are as they are. */
    public int real() {
        return texts.size();
    }

    @Override
    public int bytes() {
        return bytes;
    }

    @Override
    public Corpus corpus(int documents) {
        String what = documents <= real()
                ? "the first texts of " + source + ", as they are"
                : String.format(
                        Locale.ROOT,
                        "%,d texts of %s as they are, then texts put together of runs of their words, of which %.0f %%"
                                + " are near-duplicates of earlier ones",
                        real(),
                        source,
                        100 * duplicates);
        return new Corpus(documents, what, bytes, duplicates, 0);
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(
                "neardup.document.format", "json",
                "neardup.document.id", "/id",
                "neardup.document.text", "/text");
    }

    @Override
    public GeneratedDocument document(long number) {
        SeededRandom random = SeededRandom.of(SEED, number);
        boolean edited = number >= real() && random.chance(duplicates);
        long original = edited ? random.below(number) : number;
        String text = story(original);
        return new GeneratedDocument(number, original, "", edited ? edit(text, random) : text);
    }

    /** The text of a document, as if it were no near-duplicate. */
    private String story(long number) {
        return number < real() ? texts.get((int) number).text() : mix(SeededRandom.of(~SEED, number));
    }

    private String mix(SeededRandom random) {
        int words = drawn(random).count();
        int runs = Math.min(RUNS_MAX, Math.max(1, words / RUN_WORDS));
        StringBuilder mixed = new StringBuilder();
        for (int run = 0; run < runs; run++) {
            Words donor = drawn(random);
            int from = (int) ((long) donor.count() * run / runs);
            if (run > 0 && !Character.isWhitespace(mixed.charAt(mixed.length() - 1))) {
                mixed.append(' ');
            }
            mixed.append(donor.run(from, Math.min(donor.count(), from + RUN_WORDS)));
        }
        return mixed.toString();
    }

    private Words drawn(SeededRandom random) {
        return texts.get(random.below(texts.size()));
    }

    private String edit(String text, SeededRandom random) {
        Words words = Words.of(text);
        List<String> edited = new ArrayList<>();
        for (int word = 0; word < words.count(); word++) {
            edited.add(words.run(word, word + 1));
        }
        int replaced = 1 + (int) (words.count() * REPLACED * random.fraction());
        for (int i = 0; i < replaced; i++) {
            edited.set(random.below(edited.size()), "word" + random.below(1_000_000) + " ");
        }
        return String.join("", edited);
    }
}
