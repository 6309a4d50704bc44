package io.neardup.engine.similarity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.neardup.testing.Cost;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.Optional;

class DocumentFrequenciesFuzzTest {
    private static final long HEAP_FREE = 128 * 1024;
    private static final int HEAP_PER_BYTE = 256;

    @FuzzTest
    void shouldReadAnyLinesOrSayWhatIsWrong(byte[] bytes) throws IOException {
        String lines = new String(bytes, UTF_8);
        Cost.shouldBeBounded(HEAP_FREE + (long) HEAP_PER_BYTE * bytes.length, () -> read(lines));

        Optional<DocumentFrequencies> read = read(lines);
        if (read.isPresent()) {
            String written = written(read.get());
            assertThat(written.lines().sorted().toList())
                    .isEqualTo(lines.lines().sorted().toList());
            assertThat(read(written).orElseThrow().fingerprint())
                    .isEqualTo(read.get().fingerprint());
            weigh(read.get());
        }
    }

    private static Optional<DocumentFrequencies> read(String lines) {
        try {
            return Optional.of(DocumentFrequencies.read(new BufferedReader(new StringReader(lines))));
        } catch (IllegalArgumentException wrong) {
            assertThat(wrong).hasMessageMatching("Document frequencies, line [1-9][0-9]*: expected .*, found .*");
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String written(DocumentFrequencies frequencies) throws IOException {
        StringBuilder lines = new StringBuilder();
        frequencies.write(lines);
        return lines.toString();
    }

    private static void weigh(DocumentFrequencies frequencies) {
        try {
            frequencies.weights("word:1", 0);
        } catch (IllegalArgumentException wrong) {
            assertThat(wrong).hasMessageContaining("as many words as a shingle of word:1");
        }
    }
}
