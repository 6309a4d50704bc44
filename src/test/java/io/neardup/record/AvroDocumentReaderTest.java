package io.neardup.record;

import static io.neardup.record.InputRecords.document;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.testing.ApicurioProducer;
import io.neardup.testing.Cost;
import io.neardup.testing.RegistryServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AvroDocumentReaderTest {
    private static final int BYTES_MAX = 100_000;
    private static final Schema SCHEMA = new Schema.Parser().parse("""
        {"type":"record","name":"Article","namespace":"news","fields":[
          {"name":"id","type":["null","long","string"]},
          {"name":"text","type":["null","string"]},
          {"name":"lang","type":{"type":"enum","name":"Lang","symbols":["de","en"]}},
          {"name":"body","type":["null",{"type":"record","name":"Body","fields":[
             {"name":"title","type":"string"},
             {"name":"parts","type":{"type":"array","items":["null","string"]}}]}],"default":null},
          {"name":"labels","type":{"type":"map","values":"string"},"default":{}},
          {"name":"when","type":{"type":"long","logicalType":"timestamp-millis"},"default":0},
          {"name":"uuid","type":{"type":"fixed","name":"U","size":16,"logicalType":"uuid"},
           "default":"0123456789abcdef"},
          {"name":"price","type":{"type":"bytes","logicalType":"decimal","precision":9,"scale":2},"default":"a"},
          {"name":"vector","type":{"type":"array","items":["float","double","int","string"]},"default":[]},
          {"name":"next","type":["null","Article"],"default":null}]}\
        """);

    private static RegistryServer server;
    private static AvroValues avro;

    @BeforeAll
    static void start() throws IOException {
        server = new RegistryServer();
        server.schema("ids/7", SCHEMA.toString());
        server.schema("ids/8", "\"string\"");
        server.schema("ids/9", "[\"null\",{\"type\":\"map\",\"values\":[\"null\",\"string\"]}]");
        server.schema(
                "ids/10",
                "{\"type\":\"record\",\"name\":\"N\",\"fields\":[{\"name\":\"text\",\"type\":\"string\"},"
                        + "{\"name\":\"n\",\"type\":{\"type\":\"array\",\"items\":\"null\"}}]}");
        server.schema("guids/00112233-4455-6677-8899-aabbccddeeff", SCHEMA.toString());
        avro = new AvroValues(new SchemaRegistry(server.url(), null, null), 4, true);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static GenericRecordBuilder article(@Nullable Object id, @Nullable Object text) {
        return new GenericRecordBuilder(SCHEMA)
                .set("id", id)
                .set("text", text)
                .set("lang", new GenericData.EnumSymbol(SCHEMA.getField("lang").schema(), "en"));
    }

    private static byte[] binary(GenericRecord record) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
        try {
            new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, encoder);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return out.toByteArray();
    }

    private static byte[] framed(int id, byte[] binary) {
        return ByteBuffer.allocate(5 + binary.length)
                .put((byte) 0)
                .putInt(id)
                .put(binary)
                .array();
    }

    private static DocumentReader reader(AvroValues values, TextKind kind, String id, String... texts) {
        return reader(values, kind, new Pointers(id, List.of(texts), null));
    }

    private static DocumentReader reader(AvroValues values, TextKind kind, Pointers pointers) {
        return values.reader(new JsonDocumentReader(pointers, kind, BYTES_MAX), pointers, kind, BYTES_MAX);
    }

    private static DocumentReader.Result read(GenericRecord record, String id, String... texts) {
        return read(framed(7, binary(record)), id, texts);
    }

    private static DocumentReader.Result read(byte[] value, String id, String... texts) {
        return reader(avro, TextKind.STRING, id, texts).read(InputRecords.of(null, value));
    }

    private static Reason reason(byte[] value) {
        return ((Rejection) read(value, "/id", "/text")).reason();
    }

    @Test
    void shouldFindFieldsThroughUnionsRecordsArraysAndMaps() {
        GenericRecord body = new GenericData.Record(
                SCHEMA.getField("body").schema().getTypes().get(1));
        body.put("title", "Rain");
        body.put("parts", new ArrayList<>(List.of("north", "south")));
        GenericRecord record = article("a", null)
                .set("body", body)
                .set("labels", Map.of("lead/in", "Wind"))
                .set("when", 1_700_000_000_000L)
                .build();

        assertThat(read(record, "/id", "/text", "/labels/lead~1in", "/body/title", "/body/parts/1"))
                .isEqualTo(document("a", "Wind\nRain\nsouth"));
        assertThat(read(record, "/when", "/body/title")).isEqualTo(document("1700000000000", "Rain"));
        assertThat(read(article(12L, "Porto").build(), "/id", "/text")).isEqualTo(document("12", "Porto"));
        assertThat(read(article(null, "Porto").build(), "/id", "/text"))
                .isEqualTo(document(InputRecords.PLACE, "Porto"));
        assertThat(read(
                        article("a", "x")
                                .set("next", article("b", "Café").build())
                                .build(),
                        "/next/id",
                        "/next/text"))
                .isEqualTo(document("b", "Café"));
        assertThat(read(article("a", "x").build(), "/lang", "/lang")).isEqualTo(document("en", "en"));
        assertThat(read(article("a", "x").build(), "/uuid", "/text"))
                .isEqualTo(document("30313233-3435-3637-3839-616263646566", "x"));
    }

    /** Confluent's by its specification; Apicurio's as its serializer writes them. */
    @Test
    void shouldFindTheIdWhereverItStands() {
        byte[] binary = binary(article("a", "Porto").build());
        Document expected = document("a", "Porto");
        assertThat(read(framed(7, binary), "/id", "/text")).isEqualTo(expected);
        UUID guid = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
        byte[] inHeader = ByteBuffer.allocate(17)
                .put((byte) 1)
                .putLong(guid.getMostSignificantBits())
                .putLong(guid.getLeastSignificantBits())
                .array();
        assertThat(withHeader(binary, "__value_schema_id", inHeader)).isEqualTo(expected);
        assertThat(withHeader(binary, "__value_schema_id", framed(7, new byte[0])))
                .isEqualTo(expected);

        Map<String, ?> fourBytes = Map.of();
        Map<String, ?> eightBytes =
                Map.of("apicurio.registry.id-handler", "io.apicurio.registry.serde.Legacy8ByteIdHandler");
        Map<String, ?> header = Map.of("apicurio.registry.headers.enabled", "true");
        AvroValues ofEight = new AvroValues(new SchemaRegistry(server.url(), null, null), 8, true);
        assertThat(ofApicurio(avro, fourBytes)).isEqualTo(expected);
        assertThat(ofApicurio(ofEight, eightBytes)).isEqualTo(expected);
        assertThat(ofApicurio(avro, header)).isEqualTo(expected);
        assertThat(ofApicurio(
                        avro,
                        Map.of("apicurio.registry.headers.enabled", "true", "apicurio.registry.use-id", "globalId")))
                .isInstanceOfSatisfying(Rejection.class, refused -> assertThat(refused.detail())
                        .contains("apicurio.registry.use-id=contentId"));
    }

    private static DocumentReader.Result withHeader(byte[] binary, String name, byte[] value) {
        return reader(avro, TextKind.STRING, "/id", "/text")
                .read(new InputRecord("documents", 0, 0, 0, null, binary, List.of(new RecordHeader(name, value))));
    }

    private static DocumentReader.Result ofApicurio(AvroValues values, Map<String, ?> settings) {
        Headers headers = new RecordHeaders();
        byte[] value =
                new ApicurioProducer(7, settings).value(article("a", "Porto").build(), headers);
        List<RecordHeader> copied = new ArrayList<>();
        headers.forEach(header -> copied.add(new RecordHeader(header.key(), header.value())));
        return reader(new AvroValues(values.registry(), values.idBytes(), false), TextKind.STRING, "/id", "/text")
                .read(new InputRecord("documents", 0, 0, 0, null, value, copied));
    }

    @Test
    void shouldReadJsonBesideAvroWhereBothAreOnTheTopic() {
        DocumentReader both =
                reader(new AvroValues(avro.registry(), avro.idBytes(), false), TextKind.STRING, "/id", "/text");
        assertThat(both.read(InputRecords.of("{\"id\":\"j\",\"text\":\"Porto\"}")))
                .isEqualTo(document("j", "Porto"));
        assertThat(both.read(InputRecords.of(
                        null, framed(7, binary(article("a", "Porto").build())))))
                .isEqualTo(document("a", "Porto"));
        assertThat(reason(InputRecords.utf8("{\"id\":\"j\",\"text\":\"Porto\"}")))
                .isEqualTo(Reason.NOT_AVRO);
    }

    @ParameterizedTest
    @CsvSource({
        "/id, /price, TEXT_NOT_STRING",
        "/id, /when, TEXT_NOT_STRING",
        "/id, /vector, TEXT_NOT_STRING",
        "/id, /labels, TEXT_NOT_STRING",
        "/id, /missing, NO_TEXT",
        "/id, /body/title, NO_TEXT",
        "/price, /text, ID_NOT_TEXT",
        "/labels, /text, ID_NOT_TEXT",
    })
    void shouldRejectWhatIsNoTextOrNoId(String id, String text, Reason expected) {
        assertThat(read(article("a", "x").build(), id, text))
                .isInstanceOfSatisfying(
                        Rejection.class, found -> assertThat(found.reason()).isEqualTo(expected));
    }

    @Test
    void shouldTakeVectorsOfNumbers() {
        DocumentReader vectors = reader(avro, TextKind.NUMBERS, "/id", "/vector");
        InputRecord record = InputRecords.of(
                null,
                framed(
                        7,
                        binary(article("a", null)
                                .set("vector", List.of(1.5f, -2e-9, 7))
                                .build())));
        assertThat(vectors.read(record)).isEqualTo(document("a", "1.5 -2.0E-9 7"));
        assertThat(reader(avro, TextKind.NUMBERS, "/vector", "/vector").read(record))
                .isEqualTo(new Rejection(
                        Reason.ID_NOT_TEXT, "expected a string or an integer at /vector, found an array", null));
        Pointers scoped = new Pointers("/id", List.of("/vector"), "/vector");
        assertThat(reader(avro, TextKind.NUMBERS, scoped).read(record))
                .isEqualTo(new Rejection(
                        Reason.SCOPE_NOT_TEXT, "expected a string or an integer at /vector, found an array", "a"));
    }

    @Test
    void shouldFindTheSource() {
        byte[] value = framed(
                7,
                binary(article("a", "x").set("labels", Map.of("feed", "Daily")).build()));
        InputRecord record = InputRecords.of(null, value);
        read(value, "/id", "/text"); // As the coordinator, which reads it before.
        assertThat(new SourcePointer("/labels/feed", avro).in(record)).hasValue("Daily");
        assertThat(new SourcePointer("/labels", avro).in(record)).isEmpty();
        assertThat(new SourcePointer("/text", avro).in(InputRecords.of(null, framed(11, new byte[9]))))
                .isEmpty();
    }

    @Test
    void shouldRejectWhatDoesNotFitItsSchema() {
        byte[] binary = binary(article("a", "Porto").build());
        assertThat(reason(framed(7, Arrays.copyOf(binary, binary.length + 1)))).isEqualTo(Reason.NOT_AVRO);
        assertThat(reason(framed(7, Arrays.copyOf(binary, binary.length - 1)))).isEqualTo(Reason.NOT_AVRO);
        assertThat(reason(framed(7, new byte[] {8}))).as("no such branch").isEqualTo(Reason.NOT_AVRO);
        assertThat(reason(framed(8, new byte[] {2, 'a'}))).isEqualTo(Reason.NOT_OBJECT);
        assertThat(reason(framed(9, new byte[] {0}))).as("null").isEqualTo(Reason.NOT_OBJECT);
        assertThat(reason(new byte[] {0, 0, 0, 7})).as("no whole id").isEqualTo(Reason.NOT_AVRO);
        assertThat(reason(framed(404, binary))).isEqualTo(Reason.UNKNOWN_SCHEMA);
        assertThat(reason(framed(-1, binary))).isEqualTo(Reason.UNKNOWN_SCHEMA);
        byte[] lone = binary.clone();
        lone[5] = (byte) 0xFF; // id: branch, length, a; text: branch, length, P
        assertThat(reason(framed(7, lone))).isEqualTo(Reason.NOT_UTF8);
        assertThat(reason(new byte[BYTES_MAX + 1])).isEqualTo(Reason.TOO_LARGE);
    }

    @Test
    void shouldNotTakeMemoryOrTimeForWhatLengthsClaim() {
        byte[] huge = varint(1L << 40);
        byte[] elements = join(new byte[] {2, 'x'}, huge, new byte[] {0});
        for (byte[] value : List.of(
                framed(7, join(new byte[] {4}, huge)),
                framed(7, join(new byte[] {4}, varint(-5))),
                framed(9, join(new byte[] {2}, huge)),
                framed(10, elements),
                framed(10, join(new byte[] {2, 'x'}, varint(-(1L << 40)), varint(1L << 40))))) {
            Cost.shouldBeBounded(
                    1 << 20, () -> assertThat(read(value, "/id", "/text")).isInstanceOf(Rejection.class));
        }
        assertThat(reason(framed(10, elements))).as("nulls take no bytes").isIn(Reason.TOO_LARGE, Reason.NOT_AVRO);
        GenericRecord nested = article("a", "x").build();
        for (int i = 0; i < 101; i++) {
            nested = article("a", "x").set("next", nested).build();
        }
        assertThat(reason(framed(7, binary(nested)))).isEqualTo(Reason.TOO_DEEP);
    }

    /** What Avro itself reads this one reads so too, and of other bytes it is never more than a rejection. */
    @Test
    void shouldReadWhatAvroReadsAndRejectAllElse() {
        Random random = new Random(39);
        byte[] whole = binary(article("a", "Porto and the sea")
                .set("labels", Map.of("k", "v", "l", "w"))
                .set("vector", List.of(1.5f, 2.5, 3, "x"))
                .set("next", article(5L, "b").build())
                .build());
        int documents = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] changed = whole.clone();
            for (int changes = random.nextInt(3); changes >= 0; changes--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt(i % 2 == 0 ? 256 : 12);
            }
            if (read(framed(7, changed), "/id", "/text") instanceof Document document) {
                documents++;
                InputRecords.checkInvariants(document);
                assertThat(document.text().decode())
                        .isEqualTo(String.valueOf(byAvro(changed).get("text")));
            }
        }
        assertThat(documents).isBetween(1_000, 19_000);
    }

    private static GenericRecord byAvro(byte[] binary) {
        try {
            return new GenericDatumReader<GenericRecord>(SCHEMA)
                    .read(null, DecoderFactory.get().binaryDecoder(binary, null));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] varint(long value) {
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
            encoder.writeLong(value);
            return out.toByteArray();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
