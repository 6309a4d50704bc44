package io.neardup.engine.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CaseFoldTest {

    @Test
    void shouldTakeForAlikeWhatStringsDo() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 200_000; i++) {
            int a = random.nextInt(i % 2 == 0 ? 0x600 : 0x1FFFF);
            int b = i % 3 == 0
                    ? Character.toUpperCase(a)
                    : i % 3 == 1 ? Character.toLowerCase(a) : random.nextInt(0x600);

            boolean alike = Tokens.CaseFold.of(a) == Tokens.CaseFold.of(b);

            assertThat(alike)
                    .as("%x %x", a, b)
                    .isEqualTo(Character.toString(a).equalsIgnoreCase(Character.toString(b)));
        }
    }

    /** Otherwise a text would change its tokens by losing its capitals. */
    @Test
    void shouldLeaveTokensWhereTheyAre() {
        assertThat(IntStream.rangeClosed(0, Character.MAX_CODE_POINT))
                .allMatch(c -> TokenChars.typeOf(Tokens.CaseFold.of(c)) == TokenChars.typeOf(c));
    }
}
