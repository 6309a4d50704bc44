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

class DocumentSampleTest {
    private static final Progress UNHEARD = text -> {};
    private static final long BYTES = 1 << 20;

    @Test
    void shouldCountLinesThatAreNoDocumentsByReason() throws IOException {
        DocumentSample sample = DocumentSample.first(
                10, BYTES, lines("{\n{\"id\":\"a\"}\n{\"text\":\"b\"}\nnonsense\n" + " x".repeat(500)), UNHEARD);

        assertThat(sample.documents()).extracting(Document::id).containsExactly("stdin:3");
        assertThat(sample.lines()).isEqualTo(5);
        assertThat(sample.rejected())
                .extracting(Rejected::reason, Rejected::count, Rejected::first)
                .containsExactlyInAnyOrder(
                        tuple(Reason.NOT_JSON, 2L, "stdin:1"),
                        tuple(Reason.NO_TEXT, 1L, "stdin:2"),
                        tuple(Reason.TOO_LARGE, 1L, "stdin:5"));
    }

    @Test
    void shouldStopAtTheMaximum() throws IOException {
        assertThat(DocumentSample.first(7, BYTES, numbered(20), UNHEARD).documents())
                .extracting(Document::id)
                .containsExactly("0", "1", "2", "3", "4", "5", "6");
        assertThat(DocumentSample.first(7, BYTES, numbered(20), UNHEARD).isWhole())
                .isFalse();
        assertThat(DocumentSample.first(20, BYTES, numbered(20), UNHEARD).isWhole())
                .isTrue();
    }

    @Test
    void shouldStopWhereTheDocumentsTakeTooManyBytes() throws IOException {
        DocumentSample sample = DocumentSample.first(20, 1_000, numbered(20), UNHEARD);

        assertThat(sample.documents()).hasSizeBetween(2, 8);
        assertThat(sample.isFull()).isTrue();
        assertThat(sample.isWhole()).isFalse();
        assertThat(DocumentSample.first(20, BYTES, numbered(20), UNHEARD).isFull())
                .isFalse();
        assertThat(DocumentSample.first(7, BYTES, numbered(20), UNHEARD).isFull())
                .isFalse();
    }

    private static DocumentLines numbered(int documents) {
        return lines(IntStream.range(0, documents)
                .mapToObj(i -> "{\"id\":" + i + ",\"text\":\"text " + i + "\"}\n")
                .collect(Collectors.joining()));
    }

    private static DocumentLines lines(String content) {
        InputStream in = new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8));
        return new DocumentLines(List.of("-"), in, config());
    }

    private static NeardupConfig config() {
        return NeardupConfig.of(new Settings().set("neardup.document.bytes.max", "900", "test"));
    }
}
