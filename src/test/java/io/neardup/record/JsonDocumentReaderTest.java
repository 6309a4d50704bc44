package io.neardup.record;

import static io.neardup.record.InputRecords.bytes;
import static io.neardup.record.InputRecords.document;
import static io.neardup.record.InputRecords.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonDocumentReaderTest {
    private static final int VALUE_BYTES_MAX = 1_000_000;

    private static final int[] ESCAPED = {'"', '\\', '/', '\b', '\f', '\n', '\r', '\t', 'u', 'é', '漢', 0x1F600, 0xFFFF};

    private final DocumentReader reader = reader("/text");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"[1,2.5,-3e2] | 1 2.5 -3e2", "[ 1 ,  2 ] | 1 2", "[\"a b\",[1]] | \"a b\" [1]"})
    void shouldReadArraysOfNumbersAsTheyAreWritten(String array, String text) {
        DocumentReader vectors = new JsonDocumentReader(
                new Pointers("/id", List.of("/b", "/a"), null), TextKind.NUMBERS, VALUE_BYTES_MAX);
        assertThat(vectors.read(InputRecords.of("{\"id\":\"v\",\"a\":" + array + "}")))
                .isEqualTo(document("v", text));
        assertThat(vectors.read(InputRecords.of("{\"id\":\"v\",\"a\":" + array + ",\"b\":[3]}")))
                .isEqualTo(document("v", "3 " + text));
        assertThat(vectors.read(InputRecords.of("{\"id\":\"v\",\"a\":\"1 2\"}")))
                .isEqualTo(new Rejection(
                        Reason.TEXT_NOT_STRING, "expected an array of numbers at /a, found a string", "v"));
    }

    @ParameterizedTest
    @CsvSource({"/a, /s, ID_NOT_TEXT", "/id, /a, SCOPE_NOT_TEXT"})
    void shouldFindNoNameInAVector(String id, String scope, Reason reason) {
        DocumentReader vectors =
                new JsonDocumentReader(new Pointers(id, List.of("/a"), scope), TextKind.NUMBERS, VALUE_BYTES_MAX);
        assertThat(vectors.read(InputRecords.of("{\"id\":\"v\",\"a\":[1]}")))
                .isInstanceOfSatisfying(
                        Rejection.class, found -> assertThat(found.reason()).isEqualTo(reason));
    }

    @ParameterizedTest
    @CsvSource({"17, 17", "-3, -3", "123456789012345678901234567890, 123456789012345678901234567890"})
    void shouldTakeIntegersAsIds(String written, String id) {
        assertThat(read("{\"text\":\"x\",\"id\":" + written + "}")).isEqualTo(document(id, "x"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"text\":\"x\"}", "{\"id\":null,\"text\":\"x\"}", "{\"id\":\"\",\"text\":\"x\"}"})
    void shouldTakeKeyThenPlaceWhereThereIsNoId(String json) {
        assertThat(read(utf8("kéy"), json)).isEqualTo(document("kéy", "x"));
        assertThat(read(bytes("k\u00E9y"), json)).isEqualTo(document(InputRecords.PLACE, "x"));
        assertThat(read(new byte[0], json)).isEqualTo(document(InputRecords.PLACE, "x"));
        assertThat(read(json)).isEqualTo(document(InputRecords.PLACE, "x"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /article/body | {"article":{"title":"no","body":"yes"}}
            /parts/1/text | {"parts":[{"text":"no"},{"text":"yes"},{"text":"no"}]}
            /0            | {"0":"yes"}
            /a~1b/m~0n    | {"a/b":{"m~n":"yes"}}
            /~01          | {"~1":"yes"}
            /a//b         | {"a":{"":{"b":"yes"}}}
            /a/b          | {"b":"no","c":{"a":{"b":"no"}},"a":{"b":"yes"}}
            /LONGEST      | {"LONGEST":"yes"}
            """)
    void shouldFollowPointers(String pointer, String json) {
        String longest = "a".repeat(JsonDocumentReader.KEY_LENGTH_MAX);
        assertThat(reader(pointer.replace("LONGEST", longest)).read(InputRecords.of(json.replace("LONGEST", longest))))
                .isEqualTo(document(InputRecords.PLACE, "yes"));
    }

    @Test
    void shouldJoinTextsInTheOrderOfThePointers() {
        DocumentReader several = reader("/title", "/lead", "/body");

        assertThat(several.read(InputRecords.of("{\"body\":\"B\",\"title\":\"T\",\"lead\":\"L\"}")))
                .isEqualTo(document(InputRecords.PLACE, "T\nL\nB"));
        assertThat(several.read(InputRecords.of("{\"body\":\"B\",\"title\":\"T\",\"lead\":null}")))
                .isEqualTo(document(InputRecords.PLACE, "T\nB"));
        assertThat(several.read(InputRecords.of("{\"lead\":\"L\"}"))).isEqualTo(document(InputRecords.PLACE, "L"));
    }

    @Test
    void shouldUndoEscapesOfEveryKind() {
        assertThat(read("{\"text\":\" \\ud83d\\udE00 \\\\ud800 e\\u0301 😀\\n\"}"))
                .isEqualTo(document(InputRecords.PLACE, " 😀 \\ud800 e\u0301 😀\n"));
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            int plain = random.nextInt(12);
            StringBuilder text = new StringBuilder("x");
            StringBuilder json = new StringBuilder("{\"text\":\"x");
            for (int length = random.nextInt(20); length > 0; length--) {
                int c = random.nextInt(12) < plain ? 'a' : ESCAPED[random.nextInt(ESCAPED.length)];
                text.appendCodePoint(c);
                json.append(escaped(c, random));
            }
            json.append(random.nextBoolean() ? "\"}" : "\",\"n\":\"a\\\"\\\\\"}");
            assertThat(read(json.toString())).as("%s", json).isEqualTo(document(InputRecords.PLACE, text.toString()));
        }
    }

    private static String escaped(int c, Random random) {
        String units = Character.toString(c);
        if (random.nextInt(3) == 0) {
            return units.chars()
                    .mapToObj(unit -> String.format(random.nextBoolean() ? "\\u%04x" : "\\u%04X", unit))
                    .collect(Collectors.joining());
        }
        int at = "\"\\/\b\f\n\r\t".indexOf(c);
        boolean asItIs = at < 0 || (c == '/' && random.nextBoolean());
        return asItIs ? units : "\\" + "\"\\/bfnrt".charAt(at);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "  ", "{",
                "{\"text\":\"x\"", "{\"text\":\"x\",}", "{text:\"x\"}",
                "{\"text\":\"\t\"}", "{\"text\":\"x\",\"n\":01}", "{\"text\":\"x\",\"n\":NaN}",
                "{'text':'x'}", "{\"text\":\"\\x\"}", "nul"
            })
    void shouldRejectWhatIsNotJson(String json) {
        assertThat(reason(json)).isEqualTo(Reason.NOT_JSON);
    }

    @Test
    void shouldNeverGuessAnEncoding() {
        assertThat(rejection(bytes("\u00EF\u00BB\u00BF{\"text\":\"x\"}")).reason())
                .isEqualTo(Reason.NOT_JSON);
        Map.of(
                        StandardCharsets.UTF_16LE, Reason.NOT_JSON,
                        StandardCharsets.UTF_16BE, Reason.NOT_JSON,
                        StandardCharsets.UTF_16, Reason.NOT_UTF8)
                .forEach((charset, reason) -> assertThat(
                                rejection("{\"text\":\"x\"}".getBytes(charset)).reason())
                        .isEqualTo(reason));
        assertThat(rejection(bytes("{\"text\":\"a\u00C0\u0080\"}")))
                .isEqualTo(new Rejection(Reason.NOT_UTF8, "expected UTF-8 (RFC 3629), found 0xC0 at byte 10", null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1]", "\"text\"", "12", "null", "true", "[{\"text\":\"x\"}]"})
    void shouldRejectWhatIsNotAnObject(String json) {
        assertThat(reason(json)).isEqualTo(Reason.NOT_OBJECT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"o\":{\"k\":1,\"k\":1},\"text\":\"x\"}", "{\"text\":\"x\",\"te\\u0078t\":\"y\"}"})
    void shouldRejectRepeatedKeysAnywhereWithTheIdThatWasReadBefore(String json) {
        assertThat(reason(json)).isEqualTo(Reason.REPEATED_KEY);
        assertThat(rejection(utf8("{\"id\":\"a-1\",\"text\":\"x\",\"id\":\"a-2\"}")))
                .isEqualTo(new Rejection(
                        Reason.REPEATED_KEY, "expected different keys, found one again at byte 27", "a-1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", " 1", "}", ",", " nonsense", "\u0000", "{\"text\":\"y\"}"})
    void shouldRejectTrailingData(String trailing) {
        assertThat(rejection(utf8("{\"id\":\"a-1\",\"text\":\"x\"}" + trailing)))
                .returns(Reason.TRAILING_DATA, Rejection::reason)
                .returns("a-1", Rejection::id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\ud800", "\\uDC00", "\\udc00\\ud800", "\\ud800 \\udc00", "\\ud800\\u0041", "\\\\\\ud83d"})
    void shouldRejectLoneSurrogatesAnywhere(String escapes) {
        assertThat(reason("{\"text\":\"" + escapes + "\"}")).isEqualTo(Reason.LONE_SURROGATE);
        assertThat(reason("{\"text\":\"x\",\"o\":[\"" + escapes + "\"]}")).isEqualTo(Reason.LONE_SURROGATE);
        assertThat(rejection(utf8("{\"id\":\"" + escapes + "\",\"text\":\"x\"}")))
                .returns(Reason.LONE_SURROGATE, Rejection::reason)
                .returns(null, Rejection::id);
    }

    @ParameterizedTest
    @CsvSource({
        "1.5, a number with a fraction or an exponent",
        "1e3, a number with a fraction or an exponent",
        "true, a boolean",
        "[], an array",
        "{}, an object"
    })
    void shouldRejectIdsThatAreNotText(String id, String found) {
        assertThat(rejection(utf8("{\"text\":\"x\",\"id\":" + id + "}")))
                .isEqualTo(new Rejection(
                        Reason.ID_NOT_TEXT, "expected a string or an integer at /id, found " + found, null));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{\"lang\":\"de\"} | de", "{\"lang\":null} | ''", "\"lang\" | ''", "{\"lang\":{}} | an object"})
    void shouldFindTheScope(String meta, String found) {
        assertThat(scoped("/meta/lang").read(InputRecords.of("{\"id\":\"i\",\"meta\":" + meta + ",\"text\":\"x\"}")))
                .isEqualTo(
                        found.equals("an object")
                                ? new Rejection(
                                        Reason.SCOPE_NOT_TEXT,
                                        "expected a string or an integer at /meta/lang, found an object",
                                        "i")
                                : new Document("i", RawText.of("x"), found));
    }

    @Test
    void shouldTakeIdAndTextForTheScopeToo() {
        InputRecord record = InputRecords.of("{\"id\":\"i\",\"text\":\"x\"}");

        assertThat(scoped("/id").read(record)).isEqualTo(new Document("i", RawText.of("x"), "i"));
        assertThat(scoped("/text").read(record)).isEqualTo(new Document("i", RawText.of("x"), "x"));
    }

    private static DocumentReader scoped(String pointer) {
        return new JsonDocumentReader(new Pointers("/id", List.of("/text"), pointer), TextKind.STRING, VALUE_BYTES_MAX);
    }

    @Test
    void shouldRejectIdsOverTheLimitOfBytes() {
        String longest = "é".repeat(256);

        assertThat(read("{\"id\":\"" + longest + "\",\"text\":\"x\"}")).isEqualTo(document(longest, "x"));
        assertThat(rejection(utf8("{\"id\":\"" + longest + "a\",\"text\":\"x\"}")))
                .isEqualTo(new Rejection(Reason.ID_TOO_LONG, "expected an id of at most 512 bytes, found 513", null));
        assertThat(read(new byte[513], "{\"text\":\"x\"}")).isInstanceOf(Rejection.class);
    }

    @Test
    void shouldRejectWithoutText() {
        String detail = "expected a string at /text, found none";
        assertThat(rejection(utf8("{\"id\":\"a-1\",\"body\":\"x\"}")))
                .isEqualTo(new Rejection(Reason.NO_TEXT, detail, "a-1"));
        assertThat(rejection(utf8("{\"text\":null}")))
                .isEqualTo(new Rejection(Reason.NO_TEXT, detail, InputRecords.PLACE));
        assertThat(reader.read(InputRecords.of(utf8("k"), null)))
                .isEqualTo(new Rejection(Reason.NULL_VALUE, "expected a value, found none", null));
    }

    @ParameterizedTest
    @CsvSource({"12, an integer", "[\"x\"], an array", "false, a boolean"})
    void shouldRejectTextThatIsNoString(String text, String found) {
        assertThat(reader("/title", "/text").read(InputRecords.of("{\"title\":\"t\",\"text\":" + text + "}")))
                .isEqualTo(new Rejection(
                        Reason.TEXT_NOT_STRING, "expected a string at /text, found " + found, InputRecords.PLACE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\\t\\r\\n", "\\u00a0\\u2003\\u3000\\u2028"})
    void shouldRejectBlankText(String text) {
        assertThat(reason("{\"text\":\"" + text + "\"}")).isEqualTo(Reason.BLANK_TEXT);
    }

    @Test
    void shouldBoundTheDepth() {
        int inner = JsonDocumentReader.DEPTH_MAX - 1;

        assertThat(read("{\"text\":\"x\",\"a\":" + "[".repeat(inner) + "]".repeat(inner) + "}"))
                .isEqualTo(document(InputRecords.PLACE, "x"));
        assertThat(reason("{\"text\":\"x\",\"a\":" + "[".repeat(inner + 1) + "]".repeat(inner + 1) + "}"))
                .isEqualTo(Reason.TOO_DEEP);
        assertThat(reason("{\"a\":".repeat(100_000))).isEqualTo(Reason.TOO_DEEP);
    }

    @Test
    void shouldNeverComputeHugeNumbers() {
        assertThat(read("{\"text\":\"x\",\"n\":[1e1000000000,-1e-1000000000,123e999999999999999999]}"))
                .isEqualTo(document(InputRecords.PLACE, "x"));
        assertThat(reason("{\"id\":1e1000000000,\"text\":\"x\"}")).isEqualTo(Reason.ID_NOT_TEXT);
        assertThat(reason("{\"id\":" + "9".repeat(900_000) + ",\"text\":\"x\"}"))
                .isEqualTo(Reason.TOO_LARGE);
    }

    @Test
    void shouldRejectWhatIsTooLargeAndNothingElse() {
        String longest = "x".repeat(VALUE_BYTES_MAX - "{\"text\":\"\"}".length());
        assertThat(read("{\"text\":\"" + longest + "\"}")).isEqualTo(document(InputRecords.PLACE, longest));
        assertThat(rejection(utf8("{\"text\":\"" + "x".repeat(20_000_000) + "\"}")))
                .isEqualTo(new Rejection(
                        Reason.TOO_LARGE,
                        "expected a value of at most 1000000 bytes (neardup.document.bytes.max), found 20000011",
                        null));
        assertThat(reason("{\"text\":\"x\",\"n\":[" + "1,".repeat(JsonDocumentReader.TOKENS_MAX) + "1]}"))
                .isEqualTo(Reason.TOO_LARGE);
        assertThat(reason("{\"" + "k".repeat(JsonDocumentReader.KEY_LENGTH_MAX * 5) + "\":1}"))
                .isEqualTo(Reason.TOO_LARGE);
    }

    @Test
    void shouldBoundTheKeysOfAnObject() {
        StringBuilder json = new StringBuilder("{\"text\":\"x\"");
        for (int i = 0; i < 32_000; i++) {
            json.append(",\"").append(collidingKey(i, 15)).append("\":1");
        }

        assertThat("BB".hashCode()).isEqualTo("Aa".hashCode());
        assertThat(new JsonDocumentReader(new Pointers("/id", List.of("/text"), null), TextKind.STRING, 2_000_000)
                        .read(InputRecords.of(json + "}")))
                .isEqualTo(new Rejection(
                        Reason.TOO_LARGE, "expected at most 10000 keys in an object, found more at byte 349977", null));
    }

    /** By the parser's own hash of the two halves of a key of eight bytes, whatever its seed. */
    @Test
    void shouldBoundTheKeysOfOneHash() {
        int inverseOf33 = 0x3E0F83E1;
        String json = IntStream.range(0, 1 << 20)
                .mapToObj(i -> {
                    int first = 0x60606060 | (i & 31) << 24 | (i >> 5 & 31) << 16 | (i >> 10 & 31) << 8 | i >> 15;
                    int mixed = first + (first >>> 15);
                    int second = -(mixed ^ mixed >>> 9) * inverseOf33;
                    return new String(
                            ByteBuffer.allocate(8).putInt(first).putInt(second).array(), StandardCharsets.ISO_8859_1);
                })
                .filter(key -> key.matches("[ -~&&[^\"\\\\]]{8}"))
                .limit(6_000)
                .map(key -> ",\"" + key + "\":1")
                .collect(Collectors.joining("", "{\"text\":\"x\"", "}"));

        assertThat(rejection(utf8(json)).reason()).isEqualTo(Reason.TOO_LARGE);
    }

    @Test
    void shouldNeverQuoteTheDocument() {
        for (String secret :
                List.of("{\"id\":secret}", "{\"secret\":1,\"secret\":2}", "{} secret", "{\"\\secret\":1}")) {
            assertThat(rejection(utf8(secret)).detail()).doesNotContainIgnoringCase("secret");
        }
    }

    private static String collidingKey(int number, int bits) {
        return IntStream.range(0, bits)
                .mapToObj(bit -> (number >> bit & 1) == 0 ? "Aa" : "BB")
                .collect(Collectors.joining());
    }

    private static DocumentReader reader(String... textPointers) {
        return new JsonDocumentReader(
                new Pointers("/id", List.of(textPointers), null), TextKind.STRING, VALUE_BYTES_MAX);
    }

    private DocumentReader.Result read(String json) {
        return reader.read(InputRecords.of(json));
    }

    private DocumentReader.Result read(byte[] key, String json) {
        return reader.read(InputRecords.of(key, utf8(json)));
    }

    private Rejection rejection(byte[] value) {
        return (Rejection) reader.read(InputRecords.of(null, value));
    }

    private Reason reason(String json) {
        return rejection(utf8(json)).reason();
    }
}
