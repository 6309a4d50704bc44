package io.neardup.sources;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.neardup.engine.similarity.EqualityFamily;
import io.neardup.engine.similarity.ExactJudge;
import io.neardup.engine.similarity.ExactOverlap;
import io.neardup.engine.similarity.Measure;
import io.neardup.engine.similarity.SignedText;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.Overlap;
import io.neardup.engine.text.ShingleLists;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Figures of texts on deduplicating the news of RCV1, on MinHash, SimHash and LSH, and on the profiles of Nutch, as far
 * as no other test has them. Texts are taken as they stand, capitals and all.
 */
class PublishedFiguresTest {
    private static final long SEED = 0x5EED;
    /**
     * One of the texts with its excerpts of RCV1: read where it lies beside the project, as it is not ours to carry.
     */
    private static final Path EXCERPTS = Path.of("../shared/sources/000_39a18a71c7a5a1cd.txt");

    private static final String PARAGRAPH =
            "The harbour was closed at noon, and two ferries turned back before the storm.";
    private static final String STORY =
            NewsFeed.generate(5, 41).stream().map(News::text).collect(Collectors.joining(" "));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "char:2 | CAT | RED | 17 | 21 | 17",
                "char:3 | CAT | RED | 19 | 23 | 18",
                "char:4 | CAT | RED | 20 | 24 | 18",
                "char:5 | CAT | RED | 19 | 23 | 16",
                "char:4 | FLIGHT | how long does it take to fly from Berlin to Helsinki? | 44 | 49 | 22",
                "char:4 | FLIGHT | what's the flight time from Berlin to Oulu? | 44 | 40 | 35",
                "word:1 | FOX | the silver dog hunted a brown fox | 8 | 7 | 4",
                "word:2 | FOX | the silver dog hunted a brown fox | 8 | 6 | 1",
                "char:5 | abc | abd | 1 | 1 | 0",
                "char:1 | 0001011100p | 0001011100q | 3 | 3 | 2",
                "char:3 | 0001011100p | 0001011100q | 9 | 9 | 8"
            })
    void shouldFindTheShinglesThatTextsShare(String shingle, String a, String b, int ofA, int ofB, int shared) {
        assertThat(set(shingle, text(a)).overlap(set(shingle, text(b)))).isEqualTo(new Overlap(ofA, ofB, shared));
    }

    private static String text(String name) {
        return switch (name) {
            case "CAT" -> "The cat sat on the mat.";
            case "RED" -> "The red cat sat on the mat.";
            case "FLIGHT" -> "what's the flight time from Berlin to Helsinki?";
            case "FOX" -> "the quick brown fox jumps over the lazy dog";
            default -> name;
        };
    }

    /** Where duplicates come from; each text is compared with what was there before it. */
    @Test
    void shouldTakeEditedCopiesForDuplicatesAndParaphrasesNot() {
        String form = "The form says that my order 1741 was lost, though I paid for it a week ago. What shall I do?";
        String spam = "Best mattress ever!!! I slept like a child for the first time in years, thanks to this shop.";
        Map<String, String> duplicates = Map.of(
                STORY,
                STORY + "\n\n" + PARAGRAPH + "\nAll rights reserved by this paper.",
                PARAGRAPH + " " + PARAGRAPH.replace("two", "seven") + "\n\n" + STORY,
                STORY,
                form,
                form.replace("1741", "1742"),
                spam,
                "BEST MATTRESS EVER!!! I slept like a child for the first time in years,  thanks to this shop");
        duplicates.forEach(
                (text, copy) -> assertThat(similarity(text, copy)).as(copy).isGreaterThanOrEqualTo(0.7));
        assertThat(similarity(
                        "what's the flight time from Berlin to Helsinki?",
                        "how long does it take to fly from Berlin to Helsinki?"))
                .isLessThan(0.7);
    }

    private static double similarity(String a, String b) {
        return new ExactOverlap(Shingler.of("char:9", SEED), Measure.JACCARD)
                .similarity(ExactJudge.evidence(NormalizedText.of(a)), ExactJudge.evidence(NormalizedText.of(b)))
                .value();
    }

    /** The beginnings of documents 25 and 77 of RCV1; the source printed 329/452 for char:5. */
    @ParameterizedTest
    @CsvSource({
        "char:3,284,356", "char:4,316,418", "char:5,330,452", "char:8,336,511",
        "char:9,335,522", "word:1,46,60", "word:2,58,92", "word:3,56,99",
        "word:4,54,99"
    })
    void shouldFindTheNearDuplicatesOfTheNews(String shingle, int shared, int union) throws IOException {
        List<String> texts = excerpts("Lloyd's ");
        List<ShingleSet> lower = texts.stream()
                .map(text -> set(shingle, text.toLowerCase(Locale.ROOT)))
                .toList();

        assertThat(texts).hasSize(2).allMatch(text -> text.length() == 445);
        assertThat(lower.get(0).jaccard(lower.get(1))).isEqualTo(shared / (double) union);
        if (shingle.equals("char:5")) {
            assertThat(set(shingle, texts.get(0)).jaccard(set(shingle, texts.get(1))))
                    .as("with capitals")
                    .isEqualTo(331 / 453.0);
        }
    }

    /** The beginnings of documents 2 and 3 are equal; of 25 and 77 the profiles differ, though they are alike. */
    @Test
    void shouldFindEqualNewsEqualAndMissNearDuplicatesByTheirProfiles() throws IOException, UnsignableException {
        List<String> equal = excerpts("CompuServe reports ");
        List<String> alike = excerpts("Lloyd's ");

        assertThat(equal).hasSize(2).allMatch(text -> text.length() == 345);
        assertThat(set("char:5", equal.get(0)).jaccard(set("char:5", equal.get(1))))
                .isEqualTo(1);
        assertThat(profileMd5(equal.get(0)))
                .isEqualTo(profileMd5(equal.get(1)))
                .isEqualTo("4e0fd6357212616bcba66578a18feb7f");
        assertThat(profileMd5(alike.get(0))).isEqualTo("412aa10a208089e24969eea7964bcedb");
        assertThat(profileMd5(alike.get(1))).isEqualTo("9ea4a2d53467363d41bd2feebbb88e9e");
    }

    private static String profileMd5(String text) throws UnsignableException {
        byte[] utf8 = text.getBytes(UTF_8);
        SignedText signed = EqualityFamily.ofProfile().signer(1, SEED).sign(utf8, 0, utf8.length);
        return HexFormat.of().formatHex(signed.evidence().bytes());
    }

    private static List<String> excerpts(String start) throws IOException {
        assumeTrue(Files.exists(EXCERPTS), "needs " + EXCERPTS);
        return Files.readAllLines(EXCERPTS).stream()
                .filter(line -> line.startsWith(start))
                .toList();
    }

    private static ShingleSet set(String shingle, String text) {
        return ShingleSet.of(ShingleLists.of(Shingler.of(shingle, SEED), text));
    }
}
