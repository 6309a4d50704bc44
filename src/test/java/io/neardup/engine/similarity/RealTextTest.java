package io.neardup.engine.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.engine.text.NaiveShingles;
import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.Shingler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exact similarities of real documents, where a sample of them lies beside the project. */
class RealTextTest {
    private static final Path SAMPLE = Path.of("../shared/data/senate_sample.jsonl.gz");
    private static final int DOCUMENTS = 80;

    @ParameterizedTest
    @ValueSource(strings = {"char:9", "word:3"})
    void shouldEqualThePlainDefinition(String spec) throws IOException {
        assumeTrue(Files.exists(SAMPLE), "needs " + SAMPLE);
        List<String> texts = texts();
        SimilarityJudge judge = new ExactOverlap(Shingler.of(spec, 1), Measure.JACCARD);
        for (int i = 1; i < texts.size(); i++) {
            String a = texts.get(i - 1);
            String b = texts.get(i);

            double similarity = judge.similarity(ExactJudge.evidence(a), ExactJudge.evidence(b))
                    .value();

            assertThat(similarity).isEqualTo(NaiveShingles.jaccard(spec, a, b));
        }
    }

    private static List<String> texts() throws IOException {
        ObjectMapper json = new ObjectMapper();
        List<String> texts = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(SAMPLE)), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null && texts.size() < DOCUMENTS; line = lines.readLine()) {
                texts.add(NormalizedText.of(json.readTree(line).path("text").asText()));
            }
        }
        return texts;
    }
}
