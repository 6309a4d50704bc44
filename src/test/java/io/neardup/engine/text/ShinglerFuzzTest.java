package io.neardup.engine.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.neardup.testing.Cost;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

class ShinglerFuzzTest {
    private static final Map<String, Shingler> SHINGLERS = Stream.of(
                    "char:1", "char:9", "char:64", "word:1", "word:3", "word:1..4", "stopword:2", "stopword:3")
            .collect(Collectors.toMap(spec -> spec, spec -> Shingler.of(spec, 0x5EED)));

    private static final long HEAP_FREE = 256 * 1024;
    private static final int HEAP_PER_BYTE = 256;
    /** The oracle takes its time. */
    private static final int NAIVE_CHARS_MAX = 100;

    @FuzzTest
    void shouldCutAndHashAsTheOracleDoes(byte[] bytes) {
        String normalized = NormalizedText.of(new String(bytes, UTF_8));
        byte[] utf8 = normalized.getBytes(UTF_8);
        SHINGLERS.forEach((spec, shingler) -> {
            long[] hashes = shingled(shingler, utf8);

            Shingles ofString = new Shingles();
            shingler.shingle(normalized, ofString);
            assertThat(hashes).as(spec).isEqualTo(Arrays.copyOf(ofString.array(), ofString.size()));
            if (normalized.length() <= NAIVE_CHARS_MAX) {
                shouldHashAlikeExactlyWhatIsAlike(NaiveShingles.of(spec, normalized), hashes, spec);
            }
        });
    }

    private static long[] shingled(Shingler shingler, byte[] utf8) {
        Shingles shingles = new Shingles();
        Cost.shouldBeBounded(
                HEAP_FREE + (long) HEAP_PER_BYTE * utf8.length, () -> shingler.shingle(utf8, utf8.length, shingles));
        return Arrays.copyOf(shingles.array(), shingles.size());
    }

    private static void shouldHashAlikeExactlyWhatIsAlike(List<List<String>> naive, long[] hashes, String spec) {
        assertThat(hashes).as(spec).hasSameSizeAs(naive);
        Map<List<String>, Long> byShingle = new HashMap<>();
        Map<Long, List<String>> byHash = new HashMap<>();
        for (int i = 0; i < hashes.length; i++) {
            assertThat(byShingle.getOrDefault(naive.get(i), hashes[i])).as(spec).isEqualTo(hashes[i]);
            assertThat(byHash.getOrDefault(hashes[i], naive.get(i))).as(spec).isEqualTo(naive.get(i));
            byShingle.put(naive.get(i), hashes[i]);
            byHash.put(hashes[i], naive.get(i));
        }
    }
}
