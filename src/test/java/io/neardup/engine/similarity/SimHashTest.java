package io.neardup.engine.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.neardup.engine.text.ShingleLists;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimHashTest {
    private static final long SALT_STEP = 0xD1342543DE82EF95L;
    private static final long TIE_SALT = 0x6A09E667F3BCC909L;

    @ParameterizedTest
    @ValueSource(ints = {64, 128, 192, 256, 512, 1024})
    void shouldTakeTheSideOfEachSum(int bits) {
        SplittableRandom random = new SplittableRandom(bits);
        SimHash simHash = new SimHash(bits, ShingleWeights.EQUAL);
        IntStream few =
                IntStream.concat(IntStream.rangeClosed(1, 70), IntStream.of(127, 128, 129, 1_023, 1_024, 5_000));
        IntStream.concat(few, random.ints(10, 71, 5_001)).forEach(size -> {
            Shingles features = features(random, size, 1 + random.nextInt(size));
            assertThat(simHash.sign(features)).isEqualTo(plainly(bits, features, ShingleWeights.EQUAL));
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 192, 1024})
    void shouldTakeTheSideOfEachWeightedSum(int bits) {
        SplittableRandom random = new SplittableRandom(bits);
        for (int size : new int[] {1, 2, 3, 4, 5, 8, 63, 64, 100, 1_000, 5_000}) {
            Shingles features = features(random, size, 1 + random.nextInt(size));
            ShingleWeights weights = weights(random, features);

            assertThat(new SimHash(bits, weights).sign(features)).isEqualTo(plainly(bits, features, weights));
        }
    }

    /**
     * Pairs of texts of like weights, with {@code common} features of {@code size} in both: their cosine is common /
     * size.
     */
    @ParameterizedTest
    @CsvSource({
        "1000, 1000, 1.000000",
        "1000, 900, 0.856434",
        "1000, 800, 0.795167",
        "1000, 500, 0.666667",
        "1000, 250, 0.580431",
        "1000, 0, 0.500000",
        // Orthogonal texts agree by half on average, however small they are and however many sums are ties.
        "1001, 0, 0.5",
        "1, 0, 0.5",
        "2, 0, 0.5",
        "3, 0, 0.5",
        "4, 0, 0.5",
        "10, 0, 0.5"
    })
    void shouldAgreeAsTheAngleSays(int size, int common, double agreement) {
        SplittableRandom random = new SplittableRandom(size * 31L + common);
        SimHash simHash = new SimHash(1024, ShingleWeights.EQUAL);
        int pairs = 200;
        int agreed = 0;
        for (int i = 0; i < pairs; i++) {
            Shingles a = features(random, size, size);
            Shingles b = features(random, size, size);
            Shingles mixed = new Shingles();
            IntStream.range(0, size).forEach(f -> mixed.add(f < common ? a.hash(f) : b.hash(f)));
            agreed += 1024 - differences(simHash.sign(a), simHash.sign(mixed));
        }

        double draws = 1024.0 * pairs;
        double deviation = Math.sqrt(agreement * (1 - agreement) / draws);
        // 0.0003: components of +1 and -1 are not quite Gaussian.
        assertThat(agreed / draws).isEqualTo(agreement, within(4.5 * deviation + (common == size ? 0 : 3e-4)));
    }

    @Test
    void shouldKeepItsBits() {
        long[] hashes = new SplittableRandom(42).longs(1_000).toArray();
        Shingler words = Shingler.of("word:1", 1);
        ShingleWeights weights =
                DocumentFrequencies.of(10, Map.of("a", 10, "b", 3)).weights("word:1", 1);
        assertThat(new SimHash(256, ShingleWeights.EQUAL).sign(ShingleLists.of(hashes)))
                .containsExactly(
                        4492685390507487000L, -1916588783644479534L, 8638506292816282629L, -5247881269217112943L);
        assertThat(new SimHash(128, ShingleWeights.EQUAL).sign(ShingleLists.of(hashes[0], hashes[1])))
                .containsExactly(-4827873961106316013L, -6673394440349356596L);
        assertThat(new SimHash(128, weights).sign(ShingleLists.of(words, "a b c a")))
                .containsExactly(-4897450268155639787L, -5785124705695225810L);
    }

    @Test
    void shouldUnpackBitsFromTheLowestOfTheShortestHash() {
        assertThat(SimHash.values(new long[] {5, (1L << 63) | 2}, 67))
                .startsWith(1, 0, 1, 0)
                .endsWith(0, 1, 0);
        assertThat(SimHash.values(new long[] {0, -1}, 128)).endsWith(1, 1, 1).hasSize(128);
        assertThat(IntStream.of(1, 64, 65).map(SimHash::widthFor)).containsExactly(64, 64, 128);
    }

    @ParameterizedTest
    @ValueSource(ints = {-64, 0, 65, 1_088})
    void shouldRefuseOtherWidths(int bits) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SimHash(bits, ShingleWeights.EQUAL))
                .withMessageContaining(bits + " bits: expected a multiple of 64 from 64 to 1024");
    }

    @Test
    void shouldNotSignWithoutShingles() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SimHash(64, ShingleWeights.EQUAL).sign(new Shingles()))
                .withMessageContaining("expected at least 1");
    }

    /** The definition: one sum for each bit, feature by feature. */
    private static long[] plainly(int bits, Shingles features, ShingleWeights weights) {
        long[] words = new long[bits / 64];
        for (int bit = 0; bit < bits; bit++) {
            int word = bit / 64;
            long sum = 0;
            long least = Long.MAX_VALUE;
            for (int i = 0; i < features.size(); i++) {
                long hash = features.hash(i);
                long component = word == 0 ? hash : remix(hash, SALT_STEP * word);
                int weight = weights == ShingleWeights.EQUAL ? 1 : weights.of(hash);
                sum += ((component >> (bit % 64)) & 1) == 1 ? weight : -weight;
                least = Math.min(least, hash);
            }
            long tie = (remix(least, TIE_SALT + SALT_STEP * word) >> (bit % 64)) & 1;
            words[word] |= (sum > 0 || (sum == 0 && tie == 1) ? 1L : 0L) << (bit % 64);
        }
        return words;
    }

    private static long remix(long hash, long salt) {
        long z = hash ^ salt;
        for (int i = 0; i < 2; i++) {
            z = (z ^ (z >>> 32)) * 0xD6E8FEB86659FD93L;
        }
        return z ^ (z >>> 32);
    }

    private static ShingleWeights weights(SplittableRandom random, Shingles features) {
        Map<Long, Integer> weights = new HashMap<>();
        for (int i = 0; i < features.size(); i += 2) {
            weights.put(features.hash(i), 1 + random.nextInt(random.nextBoolean() ? 4 : 90_000));
        }
        ShingleWeights made = new ShingleWeights(weights.size(), 3);
        weights.forEach(made::put);
        return made;
    }

    private static Shingles features(SplittableRandom random, int size, int distinct) {
        long[] known = random.longs(distinct).toArray();
        Shingles features = new Shingles();
        for (int i = 0; i < size; i++) {
            features.add(known[i < distinct ? i : random.nextInt(distinct)]);
        }
        return features;
    }

    private static int differences(long[] a, long[] b) {
        return IntStream.range(0, a.length).map(i -> Long.bitCount(a[i] ^ b[i])).sum();
    }
}
