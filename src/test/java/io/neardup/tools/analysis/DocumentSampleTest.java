package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.record.Document;
import io.neardup.record.Reason;
import io.neardup.tools.analysis.DocumentLines.Rejected;
import io.neardup.tools.feed.Progress;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocumentSampleTest {
    private static final Progress UNHEARD = text -> {};

    @Test
    void shouldCountLinesThatAreNoDocumentsByReason() throws IOException {
        DocumentSample sample = DocumentSample.first(
                10, 1 << 20, lines("{\n{\"id\":\"a\"}\n{\"text\":\"b\"}\nnonsense\n" + " x".repeat(500)), UNHEARD);

        assertThat(sample.documents()).extracting(Document::id).containsExactly("stdin:3");
        assertThat(sample.lines()).isEqualTo(5);
        assertThat(sample.rejected())
                .extracting(Rejected::reason, Rejected::count, Rejected::first)
                .containsExactlyInAnyOrder(
                        tuple(Reason.NOT_JSON, 2L, "stdin:1"),
                        tuple(Reason.NO_TEXT, 1L, "stdin:2"),
                        tuple(Reason.TOO_LARGE, 1L, "stdin:5"));
    }

    @ParameterizedTest
    @CsvSource({"7, 1048576, 7, false, false", "20, 1048576, 20, true, false", "20, 1000, 6, false, true"})
    void shouldStopAtTheMaximumAndWhereTheDocumentsTakeTooManyBytes(
            int max, long bytesMax, int documents, boolean isWhole, boolean isFull) throws IOException {
        String twenty = IntStream.range(0, 20)
                .mapToObj(i -> "{\"id\":" + i + ",\"text\":\"text " + i + "\"}\n")
                .collect(Collectors.joining());

        DocumentSample sample = DocumentSample.first(max, bytesMax, lines(twenty), UNHEARD);

        assertThat(sample.documents()).hasSize(documents).last().returns(String.valueOf(documents - 1), Document::id);
        assertThat(sample.isWhole()).isEqualTo(isWhole);
        assertThat(sample.isFull()).isEqualTo(isFull);
    }

    private static DocumentLines lines(String content) {
        InputStream in = new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8));
        Settings settings = new Settings().set("neardup.document.bytes.max", "900", "test");
        return new DocumentLines(List.of("-"), in, NeardupConfig.of(settings));
    }
}
