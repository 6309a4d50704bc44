package io.neardup.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RawTextTest {
    @Test
    void shouldCountCodePointsWhereverTheTextStands() {
        Random random = new Random(3);
        int[] ofEachLength = {'a', 0x7F, 'ä', 0x7FF, '日', 0xFFFD, 0x1F600, 0x10FFFF};
        for (int i = 0; i < 2_000; i++) {
            int[] codePoints = random.ints(random.nextInt(40), 0, ofEachLength.length)
                    .map(which -> ofEachLength[which])
                    .toArray();
            String text = new String(codePoints, 0, codePoints.length);
            String before = "ä".repeat(random.nextInt(9));
            byte[] bytes = (before + text + "日").getBytes(UTF_8);
            int from = before.getBytes(UTF_8).length;

            assertThat(RawText.of(bytes, from, bytes.length - 3).characters()).isEqualTo(codePoints.length);
        }
    }
}
