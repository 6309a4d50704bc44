package io.neardup.engine.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.neardup.testing.Cost;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.Optional;

class BoilerplateShinglesFuzzTest {
    private static final long HEAP_FREE = 512 * 1024;
    private static final int HEAP_PER_BYTE = 256;

    @FuzzTest
    void shouldReadAnyLinesOrSayWhatIsWrong(byte[] bytes) throws IOException {
        String lines = new String(bytes, UTF_8);
        Cost.shouldBeBounded(HEAP_FREE + (long) HEAP_PER_BYTE * bytes.length, () -> read(lines));

        Optional<BoilerplateShingles> read = read(lines);
        if (read.isPresent()) {
            String written = written(read.get());
            BoilerplateShingles again = read(written).orElseThrow();
            assertThat(written(again)).isEqualTo(written);
            assertThat(again).isEqualTo(read.get());
        }
    }

    private static Optional<BoilerplateShingles> read(String lines) {
        try {
            return Optional.of(BoilerplateShingles.read(new StringReader(lines)));
        } catch (IllegalArgumentException wrong) {
            assertThat(wrong).hasMessageMatching("Boilerplate shingles, line [1-9][0-9]*: expected .*, found .*");
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String written(BoilerplateShingles common) throws IOException {
        StringBuilder lines = new StringBuilder();
        common.write(lines);
        return lines.toString();
    }
}
