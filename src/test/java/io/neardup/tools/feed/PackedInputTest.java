package io.neardup.tools.feed;

import static io.neardup.tools.feed.Reading.bytes;
import static io.neardup.tools.feed.Reading.gzip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackedInputTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldUnpackWhatWasPacked(int seed) throws IOException {
        Random random = new Random(seed);
        byte[] one = randomBytes(random);
        byte[] other = randomBytes(random);
        byte[] both = Reading.join(one, other);

        assertThat(open(gzip(one, other)).readAllBytes()).isEqualTo(both);
        assertThat(open(Reading.join(Zstd.compress(one), Zstd.compress(other))).readAllBytes())
                .isEqualTo(both);
        assertThat(open(both).readAllBytes()).isEqualTo(both);
        // As pzstd writes, the length of each frame before it.
        byte[] length = {0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 9, 9, 9, 9};
        assertThat(open(Reading.join(length, Zstd.compress(one), length, Zstd.compress(other)))
                        .readAllBytes())
                .isEqualTo(both);
    }

    @Test
    void shouldStopAtTheEndOfAMemberAndSayWhereTheNextBegins() throws IOException {
        byte[] first = gzip(bytes("first"));
        PackedInput in = open(Reading.join(first, gzip(bytes("second"))));
        byte[] buffer = new byte[100];

        assertThat(in.read(buffer, 0, 3)).isEqualTo(3);
        assertThat(in.read(buffer, 0, 100)).isEqualTo(2);
        assertThat(in.offset()).isZero();
        assertThat(in.read(buffer, 0, 100)).isEqualTo(6);
        assertThat(in.offset()).isEqualTo(first.length);
        assertThat(in.read(buffer, 0, 100)).isEqualTo(-1);
    }

    @Test
    void shouldTakeZerosAloneBehindTheLastMemberForPadding() throws IOException {
        byte[] gzip = gzip(bytes("{}"));
        byte[] zeros = new byte[100_000];

        assertThat(Reading.of(Reading.join(gzip, zeros)).skipped()).isEmpty();
        for (byte[] rest : new byte[][] {bytes("{"), Reading.join(zeros, bytes("{}"))}) {
            Reading reading = Reading.of(Reading.join(gzip, rest));

            assertThat(reading.texts()).containsExactly("{}");
            assertThat(reading.skippedTotals().examples().get(0)).startsWith("stdin:2 at byte " + gzip.length + ": ");
        }
    }

    @Test
    void shouldRefuseWhatUnpacksToFarMoreThanDocumentsDo() {
        byte[] line = Reading.join(bytes("{"), new byte[80 << 20]);

        for (byte[] bomb : new byte[][] {gzip(line), Zstd.compress(line)}) {
            assertThatThrownBy(() -> Reading.of(bomb))
                    .isInstanceOf(UnusableFileException.class)
                    .hasMessageStartingWith("stdin: expected to unpack to at most 250 times its size, found ");
        }
    }

    private static PackedInput open(byte[] bytes) throws IOException {
        return new PackedInput(new ByteArrayInputStream(bytes));
    }

    private static byte[] randomBytes(Random random) {
        byte[] bytes = new byte[random.nextInt(300_000)];
        random.nextBytes(bytes);
        Arrays.fill(bytes, 0, bytes.length / 2, (byte) 'x');
        return bytes;
    }
}
