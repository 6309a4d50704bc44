package io.neardup.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.testing.Cost;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

class JsonDocumentReaderFuzzTest {
    private static final int BYTES_MAX = 100_000;
    /** The parser has a table of keys and buffers of its own whatever it reads. */
    private static final long HEAP_FREE = 256 * 1024;

    private static final int HEAP_PER_BYTE = 128;

    private static final List<String> TEXTS = List.of("/title", "/texts/1");
    private static final ObjectMapper TREES = new ObjectMapper();
    private static final DocumentReader STRINGS =
            new JsonDocumentReader(new Pointers("/id", TEXTS, null), TextKind.STRING, BYTES_MAX);
    private static final DocumentReader NUMBERS =
            new JsonDocumentReader(new Pointers("/id", TEXTS, null), TextKind.NUMBERS, BYTES_MAX);

    private static final SourcePointer SOURCE = new SourcePointer("/title", null);

    @FuzzTest
    void shouldReadWhatATreeOfTheJsonHasOrRejectIt(byte[] json) throws IOException {
        if (bounded(STRINGS, json) instanceof Document document) {
            InputRecords.checkInvariants(document);
            assertThat(document.text().decode()).isEqualTo(texts(json));
        }
        SOURCE.in(InputRecords.of(null, json)).ifPresent(Publishers.BY_DOMAIN::of);
        if (bounded(NUMBERS, json) instanceof Document document) {
            InputRecords.checkInvariants(document);
            assertThat(document.text().decode()).doesNotContain(",", "  ", "\t", "\n\n");
        }
    }

    private static DocumentReader.Result bounded(DocumentReader reader, byte[] json) {
        InputRecord record = InputRecords.of(null, json);
        Cost.shouldBeBounded(HEAP_FREE + (long) HEAP_PER_BYTE * json.length, () -> reader.read(record));
        return Objects.requireNonNull(reader.read(record));
    }

    private static String texts(byte[] json) throws IOException {
        JsonNode tree = TREES.readTree(json);
        return Stream.of(tree.at("/title"), tree.at("/texts/1"))
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue)
                .collect(Collectors.joining("\n"));
    }
}
