package io.neardup.sources;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.similarity.ExactFamily;
import io.neardup.engine.similarity.Family;
import io.neardup.engine.similarity.TextProfile;
import io.neardup.engine.similarity.TextProfileFamily;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.Shingles;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What a source and its readers say of the signatures of Apache Nutch. */
class ProfileStatementsTest {
    private static final TextProfile PROFILE = profile(TextProfile.Order.NUTCH);
    private static final Family FAMILY = new TextProfileFamily(PROFILE);
    private static final Family RAW = new ExactFamily(ExactFamily.Form.RAW, LetterCase.KEEP);

    @StatementTest("E08")
    void shouldTakeTheMd5OfTheRawBytes(Statement statement) throws UnsignableException {
        assertThat(md5(RAW, statement.text("a"))).isEqualTo(statement.expectedText("md5"));
    }

    @StatementTest({"E09", "E17"})
    void shouldKeepLongerRunsOfLettersAndDigits(Statement statement) {
        assertThat(PROFILE.of(statement.text("a"))).isEqualTo(expectedProfile(statement));
    }

    @StatementTest("E10")
    void shouldRoundCountsDown(Statement statement) {
        double[] quanta = Arrays.stream(statement.numbers("most"))
                .map(most -> leastCountKept((int) most))
                .toArray();

        statement.confirm("quantum", quanta);
    }

    /** How often a word must be there to stay beside one that is there so often. */
    private static int leastCountKept(int most) {
        return IntStream.rangeClosed(1, most)
                .filter(count -> PROFILE.of("often ".repeat(most) + "rarely ".repeat(count))
                        .contains("rarely"))
                .findFirst()
                .orElseThrow();
    }

    @StatementTest("E11")
    void shouldNotDependOnTheOrderOfWords(Statement statement) throws UnsignableException {
        List<String> words = Arrays.asList(statement.text("a").split(" "));
        Random random = new Random(11);
        for (int i = 0; i < 100; i++) {
            String text = String.join(" ", words);

            assertThat(PROFILE.of(text)).isEqualTo(expectedProfile(statement));
            assertThat(md5(FAMILY, text)).isEqualTo(statement.expectedText("md5"));
            Collections.shuffle(words, random);
        }
    }

    @StatementTest("E12")
    void shouldTakeUnlikeShortTextsForEqual(Statement statement) throws UnsignableException {
        for (String name : List.of("a", "b", "c")) {
            assertThat(PROFILE.of(statement.text(name))).isEqualTo(expectedProfile(statement));
            assertThat(md5(FAMILY, statement.text(name))).isEqualTo(statement.expectedText("md5"));
        }
        assertThat(Shingled.jaccard("char:4", statement.text("a"), statement.text("c")))
                .isLessThan(0.1);
    }

    @StatementTest("E13")
    void shouldCountEveryWordWhereNoneRepeats(Statement statement) throws UnsignableException {
        List<String> texts = Stream.of("a", "b", "c").map(statement::text).toList();

        statement.confirm(
                "tokens",
                texts.stream()
                        .mapToDouble(text -> PROFILE.of(text).lines().count())
                        .toArray());
        for (int i = 0; i < texts.size(); i++) {
            assertThat(md5(FAMILY, texts.get(i)))
                    .isEqualTo(statement.expectedWords("md5").get(i));
        }
    }

    @StatementTest("E14")
    void shouldNotChangeWithWordsThatCountForNothing(Statement statement) throws UnsignableException {
        String text = statement.text("a");
        String longer = text
                + IntStream.range(0, statement.whole("others"))
                        .mapToObj(i -> " other" + i)
                        .collect(Collectors.joining());
        Family unordered = new TextProfileFamily(profile(TextProfile.Order.SOLR));

        assertThat(md5(FAMILY, text)).isEqualTo(statement.expectedText("md5"));
        assertThat(md5(FAMILY, longer)).isEqualTo(statement.expectedText("md5"));
        assertThat(md5(unordered, text)).isEqualTo(statement.expectedText("md5"));
        assertThat(md5(unordered, longer)).isEqualTo(statement.expectedText("claimed"));
    }

    @StatementTest("E15")
    void shouldMissNearDuplicates(Statement statement) throws IOException, UnsignableException {
        List<String> texts = Stream.concat(Excerpts.documents2And3().stream(), Excerpts.documents25And77().stream())
                .toList();

        for (int i = 0; i < texts.size(); i++) {
            assertThat(md5(FAMILY, texts.get(i)))
                    .isEqualTo(statement.expectedWords("md5").get(i));
        }
        assertThat(md5(FAMILY, texts.get(2))).isNotEqualTo(md5(FAMILY, texts.get(3)));
        assertThat(Shingled.jaccard("char:5", texts.get(2), texts.get(3))).isGreaterThan(0.7);
    }

    /** Where Solr takes the MD5 of nothing the family takes the bytes: else all such texts would be equal. */
    @StatementTest("E16")
    void shouldNotTakeAllTextsWithoutTokensForEqual(Statement statement)
            throws UnsignableException, NoSuchAlgorithmException {
        byte[] ofNothing = MessageDigest.getInstance("MD5").digest(new byte[0]);

        assertThat(HexFormat.of().formatHex(ofNothing)).isEqualTo(statement.expectedText("md5"));
        assertThat(PROFILE.of("")).isEmpty();
        assertThat(PROFILE.of("?! to")).isEmpty();
        assertThat(md5(FAMILY, "?! to")).isNotEqualTo(md5(FAMILY, "?! no"));
    }

    @StatementTest("E18")
    void shouldOfferBothSelectionsOfWords(Statement statement) {
        String text = "the corporation said that studies of the corporation were good";

        Shingles shingles = Shingled.all(statement.text("shingle"), text);

        assertThat(PROFILE.of(text)).isEqualTo("corporation 2\nthe 2");
        assertThat(Shingled.hashes(shingles))
                .contains(Shingled.hash("word:3", "the_corporation_said"))
                .doesNotContain(Shingled.hash("word:3", "studies_of_the"));
    }

    private static TextProfile profile(TextProfile.Order order) {
        return new TextProfile(TextProfile.MIN_TOKEN_LENGTH_USUAL, TextProfile.QUANT_RATE_USUAL, order);
    }

    /** Lines of token and count, in the table with an underscore between the two. */
    private static String expectedProfile(Statement statement) {
        return String.join("\n", statement.expectedWords("profile")).replace('_', ' ');
    }

    private static String md5(Family family, String text) throws UnsignableException {
        byte[] utf8 = text.getBytes(UTF_8);
        return HexFormat.of()
                .formatHex(family.signer(1, Shingled.SEED)
                        .sign(utf8, 0, utf8.length)
                        .evidence()
                        .bytes());
    }
}
