package io.neardup.record;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.neardup.testing.Cost;
import io.neardup.testing.RegistryServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

class AvroDocumentReaderFuzzTest {
    private static final int BYTES_MAX = 100_000;
    /** For buffers, and for the numbers of a vector that take no bytes: each of them is one of so many values. */
    private static final long HEAP_FREE = 16 << 20;

    private static final int HEAP_PER_BYTE = 128;
    private static final List<String> TEXTS = List.of("/text", "/items/1/text", "/map/k");
    private static final AvroValues AVRO = avro();

    private static AvroValues avro() {
        try (RegistryServer server = new RegistryServer()) {
            server.schema("ids/1", """
                {"type":"record","name":"R","fields":[
                  {"name":"id","type":["null","long","string"]},
                  {"name":"text","type":["null","string","bytes","boolean"]},
                  {"name":"map","type":{"type":"map","values":["string","null","double"]}},
                  {"name":"vector","type":{"type":"array","items":["float","null","int"]}},
                  {"name":"kind","type":{"type":"enum","name":"E","symbols":["a","b"]}},
                  {"name":"items","type":{"type":"array","items":["null","R"]}}]}\
                """);
            AvroValues values = new AvroValues(new SchemaRegistry(server.url(), null, null), 4, true);
            // It is kept: nothing is asked for any more.
            reader(values, TextKind.STRING).read(InputRecords.of(null, new byte[] {0, 0, 0, 0, 1, 0}));
            return values;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static DocumentReader reader(AvroValues values, TextKind kind) {
        Pointers pointers = new Pointers("/id", kind == TextKind.NUMBERS ? List.of("/vector") : TEXTS, "/kind");
        return values.reader(new TextDocumentReader(pointers, kind, 1), pointers, kind, BYTES_MAX);
    }

    @FuzzTest
    void shouldReadDocumentsOrRejectThem(byte[] avro) {
        byte[] value = ByteBuffer.allocate(5 + avro.length)
                .putInt(1, 1)
                .position(5)
                .put(avro)
                .array();
        for (TextKind kind : List.of(TextKind.STRING, TextKind.NUMBERS)) {
            DocumentReader reader = reader(AVRO, kind);
            InputRecord record = InputRecords.of(null, value);
            Cost.shouldBeBounded(HEAP_FREE + (long) HEAP_PER_BYTE * value.length, () -> reader.read(record));
            if (Objects.requireNonNull(reader.read(record)) instanceof Document document) {
                InputRecords.checkInvariants(document);
            }
        }
    }
}
