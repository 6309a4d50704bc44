package io.neardup.engine.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.neardup.engine.similarity.TextProfile.Order;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TextProfileFamilyTest extends FamilyContract {
    @Override
    Family family() {
        return family(Order.NUTCH);
    }

    private static Family family(Order order) {
        return new TextProfileFamily(new TextProfile(2, 0.01f, order));
    }

    @Override
    String text(SplittableRandom random) {
        return Texts.words(random, 1 + random.nextInt(200));
    }

    @Override
    String edited(String text, SplittableRandom random) {
        return text + " " + Texts.words(random, 1);
    }

    @ParameterizedTest
    @EnumSource
    void shouldTakeTheProfileForTheText(Order order) throws UnsignableException {
        assertThat(digest(order, "The red cat sat on the mat.")).isEqualTo("592325199d7e02121eaf3304d10cc681");
        assertThat(similarity(order, "The cat sat on the mat.", "the dog saw the bird"))
                .isEqualTo(Similarity.of(1));
        assertThat(similarity(order, "The cat sat on the mat.", "the dog saw the dog"))
                .isEqualTo(Similarity.of(0));
    }

    /** For all of these Nutch and Solr give d41d8cd98f00b204e9800998ecf8427e, the MD5 of nothing. */
    @ParameterizedTest
    @EnumSource
    void shouldCompareTextsWithoutATokenByteByByte(Order order) throws UnsignableException {
        assertThat(digest(order, "to be or")).isEqualTo("b5bf8be5543d8b14684f7d0fb18f1293");
        assertThat(similarity(order, "to be or", "to be or")).isEqualTo(Similarity.of(1));
        assertThat(similarity(order, "to be or", "to be 去重")).isEqualTo(Similarity.of(0));
        assertThat(similarity(order, "...", "..")).isEqualTo(Similarity.of(0));
    }

    @Test
    void shouldNotSignTheEmptyText() {
        TextSigner signer = family().signer(1, 1);

        assertThatExceptionOfType(UnsignableException.class)
                .isThrownBy(() -> sign(signer, ""))
                .withMessageStartingWith("Expected a text");
    }

    @Test
    void shouldBindAnIndexToTheProfile() {
        assertThat(family().identity())
                .containsEntry("textprofile.order", "NUTCH")
                .containsEntry("textprofile.token.min", "2")
                .containsEntry("textprofile.quantisation", "0.01")
                .isNotEqualTo(family(Order.SOLR).identity());
    }

    private static Similarity similarity(Order order, String a, String b) throws UnsignableException {
        TextSigner signer = family(order).signer(1, 1);
        return family(order)
                .judge(1, 1)
                .similarity(sign(signer, a).evidence(), sign(signer, b).evidence());
    }

    private static String digest(Order order, String text) throws UnsignableException {
        return HexFormat.of()
                .formatHex(sign(family(order).signer(1, 1), text).evidence().bytes());
    }
}
