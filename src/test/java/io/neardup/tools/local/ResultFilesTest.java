package io.neardup.tools.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.engine.similarity.Similarity;
import io.neardup.tools.feed.Skip;
import io.neardup.tools.feed.Skipped;
import io.neardup.tools.feed.UnusableFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFilesTest {
    private final ObjectMapper json = new ObjectMapper();

    @Test
    void shouldWriteUniqueLinesByteForByte(@TempDir Path parent) throws IOException {
        Path folder = parent.resolve("made/when/missing");
        try (ResultFiles files = ResultFiles.create(folder)) {
            files.write(ResultFiles.UNIQUE, new byte[] {'a', (byte) 0xff, '\r'});
            files.write(ResultFiles.UNIQUE, "{}".getBytes(UTF_8));
            files.complete();
        }
        assertThat(folder.resolve("unique.jsonl"))
                .hasBinaryContent(new byte[] {'a', (byte) 0xff, '\r', '\n', '{', '}', '\n'});
        assertThat(folder.resolve("duplicate-of.jsonl")).isEmptyFile();
        assertThat(folder.resolve("dead-letter.jsonl")).isEmptyFile();
    }

    @Test
    void shouldSayThatTheDiskIsFull(@TempDir Path folder) throws IOException {
        Path part = Files.createSymbolicLink(folder.resolve("unique.jsonl.part"), Path.of("/dev/full"));
        ResultFiles files = ResultFiles.create(folder);
        String message = part + " cannot be written: No space left on device";
        assertThatThrownBy(() -> files.write(ResultFiles.UNIQUE, new byte[1 << 20]))
                .hasMessage(message);
        files.write(ResultFiles.UNIQUE, "{}".getBytes(UTF_8));
        assertThatThrownBy(files::close).hasMessage(message);
    }

    @Test
    void shouldWriteADuplicateALine(@TempDir Path folder) throws IOException {
        try (ResultFiles files = ResultFiles.create(folder)) {
            files.duplicate("b\n\"", "a", true, Similarity.of(0.8125), "in.jsonl:2");
            files.duplicate("c", "a", false, new Similarity(1, 0.5, 0.25), "in.jsonl:3");
            files.complete();
        }
        assertThat(Files.readString(folder.resolve("duplicate-of.jsonl"))).isEqualTo("""
            {"id":"b\\n\\"","duplicateOf":"a","originalIsOfSeed":true,"similarity":0.8125,\
            "source":"in.jsonl:2"}
            {"id":"c","duplicateOf":"a","similarity":1.0,"containmentOfDuplicate":0.5,\
            "containmentOfOriginal":0.25,"source":"in.jsonl:3"}
            """);
    }

    @Test
    void shouldWriteADeadLettersValueAsTextIfItIsUtf8(@TempDir Path folder) throws IOException {
        byte[] notUtf8 = {'a', (byte) 0xc0, (byte) 0x80};
        try (ResultFiles files = ResultFiles.create(folder)) {
            files.deadLetter("no-text", "no /text", "in:1", "x", "{\"a\":\"ö\"}".getBytes(UTF_8));
            files.deadLetter("not-utf8", "at byte 1", "in:2", null, notUtf8);
            files.deadLetter("too-large", "9 MB", "in:3", null, null);
            files.complete();
        }
        List<JsonNode> lines = readJson(folder.resolve("dead-letter.jsonl"));
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).isEqualTo(json.readTree("""
            {"reason":"no-text","detail":"no /text","source":"in:1",\
            "id":"x","value":"{\\"a\\":\\"ö\\"}"}\
            """));
        assertThat(lines.get(1).get("valueBase64").binaryValue()).isEqualTo(notUtf8);
        assertThat(lines.get(1).has("value")).isFalse();
        assertThat(lines.get(1).has("id")).isFalse();
        assertThat(lines.get(2).properties()).hasSize(3);
    }

    @Test
    void shouldWriteASkippedPartALineUpToABound(@TempDir Path folder) throws IOException {
        try (ResultFiles files = ResultFiles.create(folder)) {
            for (int i = 0; i <= LineFile.SKIPPED_MAX; i++) {
                files.skipped(new Skipped.Part("a.warc.gz", 3 + i, 1560, Skip.TRUNCATED, "it \"ends\""));
            }
            files.skipped(new Skipped.Part("a.warc.gz", 2, 0, Skip.REQUEST, "asked"));
            files.complete();
        }
        try (Stream<String> lines = Files.lines(folder.resolve("skipped.jsonl"))) {
            List<String> all = lines.toList();
            assertThat(all).hasSize(LineFile.SKIPPED_MAX + 1).last().asString().contains("request");
            assertThat(all.get(0)).isEqualTo("""
                {"file":"a.warc.gz","record":3,"offset":1560,"kind":"truncated","detail":"it \\"ends\\""}\
                """);
        }
    }

    @Test
    void shouldReplaceEarlierResultsAndNothingElse(@TempDir Path folder) throws IOException {
        Path earlier = Files.writeString(folder.resolve("dead-letter.jsonl"), "earlier");
        Files.writeString(folder.resolve("verdicts.jsonl"), "of a run with verdicts");
        Files.writeString(folder.resolve("another.txt"), "kept");

        ResultFiles.create(folder).complete();

        assertThat(earlier).isEmptyFile();
        assertThat(folder.resolve("verdicts.jsonl")).doesNotExist();
        assertThat(folder.resolve("another.txt")).hasContent("kept");
        assertThat(folder).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void shouldLeaveEarlierResultsWhereARunDoesNotComplete(@TempDir Path folder) throws IOException {
        Path earlier = Files.writeString(folder.resolve("unique.jsonl"), "earlier");

        try (ResultFiles files = ResultFiles.create(folder)) {
            files.write(ResultFiles.UNIQUE, "{}".getBytes(UTF_8));
        }

        assertThat(earlier).hasContent("earlier");
        assertThat(folder.resolve("unique.jsonl.part")).hasContent("{}");
    }

    /** Else a second run would read the results of the first. */
    @Test
    void shouldRefuseToWriteWhereDocumentsAreRead(@TempDir Path folder) throws IOException {
        Path read = Files.createDirectory(folder.resolve("read"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), read);
        for (Path out : List.of(read, link.resolve("made/out"), folder.resolve("made/../read/out"))) {
            assertThatThrownBy(() -> ResultFiles.prepare(out, List.of(read.toString())))
                    .isInstanceOf(UnusableFileException.class)
                    .hasMessageContaining("found it in " + read);
        }
        ResultFiles.prepare(read.resolve(".hidden"), List.of("-", read.toString()));
        ResultFiles.prepare(folder.resolve("out"), List.of(read.toString()));
    }

    private List<JsonNode> readJson(Path file) throws IOException {
        return json.readerFor(JsonNode.class)
                .<JsonNode>readValues(file.toFile())
                .readAll();
    }

    @Test
    void shouldPointToWhatHoldsTextAlsoInObjectsButNotInArrays() {
        assertThat(of("{\"nr\":1,\"full text\":{\"a\":[1,{\"b\":\"x\"}],\"c\":{\"d\":\"x\"}},"
                        + "\"a/b~c\":\"x\",\"e\":null}"))
                .containsExactly("/full text/c/d", "/a~1b~0c");
    }

    @Test
    void shouldBeBounded() {
        String many = "\"" + "x".repeat(65) + "\":\"x\"" + ",\"a\":\"x\"".repeat(30);
        assertThat(of("{" + many + "}")).hasSize(FieldNames.NAMES_MAX).containsOnly("/a");
    }

    @Test
    void shouldTakeWhatIsNoObjectForOneWithoutFields() {
        assertThat(of("[{\"a\":\"x\"}]")).isEmpty();
        assertThat(of("")).isEmpty();
        assertThat(of("{\"a\":\"x\",broken")).containsExactly("/a");
    }

    private static Iterable<String> of(String record) {
        return FieldNames.of(record.getBytes(UTF_8));
    }
}
