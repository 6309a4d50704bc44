package io.neardup.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.neardup.testing.Cost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

class NeardupConfigFuzzTest {
    private static final long HEAP_FREE = 8 << 20;
    private static final int HEAP_PER_BYTE = 4096;

    /** The same lines as a file, as pairs of the command line and as the environment. */
    @FuzzTest
    void shouldUseAnySettingsOrTellTheirProblems(byte[] bytes) throws IOException {
        Path file = Files.createTempFile("neardup", ".properties");
        try {
            Files.write(file, bytes);
            List<String> lines = new String(bytes, UTF_8).lines().toList();
            long heapBytesMax = HEAP_FREE + (long) HEAP_PER_BYTE * bytes.length;
            Cost.shouldBeBounded(heapBytesMax, () -> use(new Settings().file(file)));
            Cost.shouldBeBounded(heapBytesMax, () -> use(new Settings().pairs(lines)));
            Cost.shouldBeBounded(heapBytesMax, () -> use(new Settings().environment(variables(lines))));
        } finally {
            Files.delete(file);
        }
    }

    private static void use(Settings settings) {
        try {
            NeardupConfig config = NeardupConfig.forCluster(settings);
            assertThat(config.banding().hashes()).isPositive();
            assertThat(IndexSettings.of(config, 1, Map.of()).toString()).isNotEmpty();
        } catch (ConfigurationException refused) {
            assertThat(refused.problems()).isNotEmpty().doesNotContain("");
        }
    }

    private static Map<String, String> variables(List<String> lines) {
        return lines.stream()
                .map(line -> line.split("=", 2))
                .filter(pair -> pair.length == 2)
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1], (a, b) -> b, TreeMap::new));
    }
}
