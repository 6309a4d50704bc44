package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.record.Document;
import io.neardup.tools.feed.Progress;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocumentSampleTest {
    private static final Progress UNHEARD = text -> {};

    @ParameterizedTest
    @CsvSource({"7, 1048576, 7, false, false", "20, 1048576, 20, true, false", "20, 1000, 6, false, true"})
    void shouldStopAtTheMaximumAndWhereTheDocumentsTakeTooManyBytes(
            int max, long bytesMax, int documents, boolean isWhole, boolean isFull) throws IOException {
        String twenty = IntStream.range(0, 20)
                .mapToObj(i -> "{\"text\":\"text " + i + "\"}\n")
                .collect(Collectors.joining());

        DocumentSample sample = DocumentSample.first(max, bytesMax, lines(twenty), UNHEARD);

        assertThat(sample.documents()).hasSize(documents).last().returns("stdin:" + documents, Document::id);
        assertThat(sample.isWhole()).isEqualTo(isWhole);
        assertThat(sample.isFull()).isEqualTo(isFull);
    }

    private static DocumentLines lines(String content) {
        InputStream in = new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8));
        return new DocumentLines(List.of("-"), in, NeardupConfig.of(new Settings()));
    }
}
