package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.tools.analysis.Tuning.Alternative;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * News in scripts without spaces, or with words that are longer or shorter than English ones: sentences of five parts,
 * of which a copy has up to one in eight replaced. The first choice of {@link Tuner} must find the copies and nothing
 * else; of several shingles that part these texts as well, halves may name another, so that it is not always sure.
 */
class ScriptsTest {
    private static final int DOCUMENTS = 80;
    private static final int COPIES = 2 * DOCUMENTS;
    private static final int SENTENCES = 16;
    /** Of a sentence, in their order: for each a line of what may stand there, script by script. */
    private static final int PARTS = 5;

    private static final double EDITED_MAX = 1 / 8.0;

    private static final List<List<String>> WORDS = words();

    private static List<List<String>> words() {
        try (InputStream file = Objects.requireNonNull(ScriptsTest.class.getResourceAsStream("scripts.txt"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(words -> List.of(words.split("\\|", -1)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What stands between the parts of a sentence, its end, and the default's recall (guide). */
    private enum Script {
        CHINESE(0, "", "。", 0.606),
        JAPANESE(1, "", "。", 0.719),
        KOREAN(2, " ", ".", 0.788),
        THAI(3, "", " ", 0.85),
        ARABIC(4, " ", ".", 0.919);

        private final int number;
        private final String between;
        private final String end;
        private final double defaultRecall;

        Script(int number, String between, String end, double defaultRecall) {
            this.number = number;
            this.between = between;
            this.end = end;
            this.defaultRecall = defaultRecall;
        }

        private String part(int place, SplittableRandom random) {
            List<String> words = WORDS.get(number * PARTS + place % PARTS);
            return words.get(random.nextInt(words.size()));
        }

        private List<String> document(SplittableRandom random) {
            return IntStream.range(0, SENTENCES * PARTS)
                    .mapToObj(place -> part(place, random))
                    .toList();
        }

        private List<String> edited(List<String> document, SplittableRandom random) {
            double share = random.nextDouble(0.02, EDITED_MAX);
            return IntStream.range(0, document.size())
                    .mapToObj(place -> random.nextDouble() < share ? part(place, random) : document.get(place))
                    .toList();
        }

        private String text(List<String> document) {
            return IntStream.range(0, SENTENCES)
                    .mapToObj(i -> String.join(between, document.subList(i * PARTS, (i + 1) * PARTS)))
                    .collect(Collectors.joining(end + between, "", end));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldProposeWhatFindsEditedCopies(Script script) throws IOException {
        SplittableRandom random = new SplittableRandom(script.number);
        List<List<String>> documents = new ArrayList<>();
        IntStream.range(0, DOCUMENTS).forEach(i -> documents.add(script.document(random)));
        IntStream.range(0, COPIES).forEach(i -> documents.add(script.edited(documents.get(i % DOCUMENTS), random)));
        List<String> texts = documents.stream().map(script::text).toList();

        Alternative deepest = TextLines.tune(texts).alternatives().get(0);

        assertThat(found(texts, deepest.shingle(), deepest.threshold())).isGreaterThan(0.97);
        assertThat(deepest.pairs())
                .describedAs("those of a text and its copies, and no others")
                .isLessThanOrEqualTo(3.0 * DOCUMENTS);
        assertThat(found(texts, "char:9", 0.7)).isCloseTo(script.defaultRecall, within(0.005));
    }

    /** The share of the copies that reach a threshold. */
    private static double found(List<String> texts, String shingle, double threshold) {
        List<ShingleSet> sets = TextLines.sets(TextLines.texts(texts), Shingler.of(shingle, 0));
        return IntStream.range(0, COPIES)
                        .filter(i -> sets.get(i % DOCUMENTS).jaccard(sets.get(DOCUMENTS + i)) >= threshold)
                        .count()
                / (double) COPIES;
    }
}
