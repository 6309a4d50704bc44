package io.neardup.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.neardup.testing.Cost;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.List;

class TextDocumentReaderFuzzTest {
    private static final int BYTES_MAX = 100_000;
    private static final long HEAP_FREE = 64 * 1024;
    private static final int HEAP_PER_BYTE = 16;

    private final DocumentReader reader =
            new TextDocumentReader(new Pointers("/id", List.of("/text"), null), TextKind.STRING, BYTES_MAX);

    /** The same bytes as key and value: where they are UTF-8, both are taken unchanged. */
    @FuzzTest
    void shouldReadUtf8AndRejectAllElse(byte[] bytes) {
        InputRecord record = InputRecords.of(bytes, bytes);
        Cost.shouldBeBounded(HEAP_FREE + (long) HEAP_PER_BYTE * bytes.length, () -> reader.read(record));

        DocumentReader.Result result = reader.read(record);

        if (result instanceof Document document) {
            InputRecords.checkInvariants(document);
            assertThat(document.text().decode()).isEqualTo(new String(bytes, UTF_8));
            Publishers.BY_DOMAIN.of(Printable.cut(document.text().decode(), SourcePointer.LENGTH_MAX));
        } else if (result instanceof Rejection rejection) {
            assertThat(rejection.reason() == Reason.NOT_UTF8).isEqualTo(!isUtf8(bytes));
        }
    }

    private static boolean isUtf8(byte[] bytes) {
        try {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
