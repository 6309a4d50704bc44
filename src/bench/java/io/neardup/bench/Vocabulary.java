package io.neardup.bench;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The words of the generated news: common English ones, derived ones, and several thousand invented names. The word of
 * rank r is drawn with a probability proportional to 1/r, as in natural text (Zipf).
 */
final class Vocabulary {
    private static final long SEED = 2026;
    private static final int NAMES = 9_000;
    private static final int TABLE_BITS = 16;

    private static final String COMMON = """
            the of and to in a that for on with was by is at from as it he be will have has said an were are which \
            had not this but they their been after its who she or more than would one two about up out there also new \
            when into over last year could some all other first no time before between them his her week under during \
            while three several since against through most we""";

    private static final String STEMS = """
            council harbour market school river minister police bridge season budget report village hospital union \
            company election station museum farmer weather theatre factory library airport ferry garden railway energy \
            court witness project plan price trade player coach match league festival concert history research student \
            teacher doctor patient engine vessel storm flood forest valley island border tunnel tower square street \
            building owner neighbour visitor driver worker official expert leader member chairman mayor director \
            spokesman campaign debate vote decision meeting agreement contract investment profit loss growth demand \
            supply product service system network computer signal measure record result figure amount percent million \
            morning evening winter summer autumn spring month decade century damage repair restore protect announce \
            confirm expect propose reject support oppose consider continue begin finish deliver improve reduce expand \
            increase remain return travel arrive depart collect publish reveal suggest explain describe \
            question answer""";

    private static final String ENDINGS = "s ed ing er ment ly al ship less able house yard";

    private static final String ONSETS = "b br c ch d dr f fl g gr h j k kl l m n p pr r s sh st t tr v w z";
    private static final String NUCLEI = "a e i o u ai ea ei ou ie";
    private static final String CODAS = "n r l s t m nd rt ck lm st";

    /** Openings and turns that news share, so that unrelated ones are alike a little. */
    private static final List<String> PHRASES = List.of(
            "according to a statement released on",
            "officials said on Tuesday that",
            "in a statement published on",
            "the spokesman declined to comment on",
            "for the first time in more than",
            "told reporters after the meeting that",
            "is expected to be completed by the end of",
            "as part of a wider programme of",
            "people familiar with the matter said",
            "at a press conference on Thursday",
            "compared with the same period last year",
            "a decision is expected within weeks on");

    private final List<String> names = names();
    private final List<String> words = words(names);
    private final int[] table = table(words.size());

    /** A word by its rank. */
    String word(SeededRandom random) {
        return words.get(table[random.below(table.length)]);
    }

    /** An invented name, all alike. */
    String name(SeededRandom random) {
        return names.get(random.below(names.size()));
    }

    String phrase(SeededRandom random) {
        return PHRASES.get(random.below(PHRASES.size()));
    }

    private static List<String> names() {
        SeededRandom random = new SeededRandom(SEED);
        String[] onsets = ONSETS.split(" ", -1);
        String[] nuclei = NUCLEI.split(" ", -1);
        String[] codas = CODAS.split(" ", -1);
        Set<String> names = new LinkedHashSet<>();
        while (names.size() < NAMES) {
            StringBuilder name = new StringBuilder();
            int syllables = 2 + random.below(2);
            for (int i = 0; i < syllables; i++) {
                name.append(onsets[random.below(onsets.length)]).append(nuclei[random.below(nuclei.length)]);
            }
            name.append(codas[random.below(codas.length)]);
            names.add(Character.toUpperCase(name.charAt(0)) + name.substring(1));
        }
        return List.copyOf(names);
    }

    private static List<String> words(List<String> names) {
        List<String> words = new ArrayList<>(List.of(COMMON.split(" ", -1)));
        List<String> stems = List.of(STEMS.split(" ", -1));
        words.addAll(stems);
        for (String ending : ENDINGS.split(" ", -1)) {
            stems.forEach(stem -> words.add(stem + ending));
        }
        words.addAll(names);
        return List.copyOf(words);
    }

    /** Word numbers, each as often as its rank wants; the rarest share what is left. */
    private static int[] table(int words) {
        int[] table = new int[1 << TABLE_BITS];
        double sum = 0;
        for (int rank = 1; rank <= words; rank++) {
            sum += 1.0 / rank;
        }
        double reached = 0;
        int at = 0;
        for (int rank = 1; rank <= words; rank++) {
            reached += 1.0 / rank;
            int end = (int) Math.round(reached / sum * table.length);
            while (at < end) {
                table[at++] = rank - 1;
            }
        }
        return table;
    }
}
