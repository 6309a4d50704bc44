package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tune FILE --boilerplate OUT}. */
class TuneBoilerplateTest extends CommandTest {
    @TempDir
    private Path folder;

    private Path common = Path.of("");

    @BeforeEach
    void nameTheFile() {
        common = folder.resolve("boilerplate.tsv");
    }

    @Test
    void shouldWriteWhatTheServiceTakes() throws IOException {
        Path file = documents(100, 40, "a");

        assertThat(execute("tune", file.toString(), "--boilerplate", common.toString()))
                .describedAs(err.toString())
                .isZero();

        assertThat(out.toString())
                .containsPattern("[0-9]+ shingles of char:9 are in more than 5 % of the 100 clusters of 100 documents:"
                        + " they are in " + common)
                .contains("Leave them out with neardup.boilerplate=" + common);
        NeardupConfig config = NeardupConfig.of(new Settings().pairs(List.of("neardup.boilerplate=" + common)));
        assertThat(Objects.requireNonNull(config.shingling().common()).size()).isGreaterThan(100);
        assertThat(Files.readString(common)).contains("\n40\tfree of c\n");
    }

    @Test
    void shouldWriteTheSameAgain() throws IOException {
        Path file = documents(100, 40, "a");
        execute("tune", file.toString(), "--boilerplate", common.toString());
        byte[] first = Files.readAllBytes(common);

        execute("tune", file.toString(), "--boilerplate", common.toString());

        assertThat(Arrays.equals(Files.readAllBytes(common), first)).isTrue();
    }

    /** 22 of 600 documents have the menu, all of one office. */
    @Test
    void shouldCountWithinEachSource() throws IOException {
        Path file = documents(600, 22, "a");

        JsonNode all = json("tune", file.toString(), "--boilerplate", common.toString(), "--json");
        assertThat(all.get("boilerplate").asInt()).isZero();
        assertThat(common).doesNotExist();

        JsonNode bySource =
                json("tune", file.toString(), "--boilerplate", common.toString(), "--by", "/office", "--json");
        assertThat(bySource.get("boilerplate").asInt()).isGreaterThan(100);
        assertThat(bySource.get("sources").asInt()).isEqualTo(2);
        assertThat(Files.readString(common)).contains("\n# sources=2\n");
    }

    @Test
    void shouldSayThatNoDocumentHasASource() throws IOException {
        String file = documents(100, 40, "a").toString();

        execute("tune", file, "--boilerplate", common.toString(), "--by", "/ofice");

        assertThat(out.toString())
                .contains("No document has anything at /ofice, so none is counted within its source: check the pointer"
                        + " in --by.");
    }

    @Test
    void shouldSayThatTheScopeIsTakenForTheSource() throws IOException {
        String file = documents(100, 40, "a").toString();
        String scope = "neardup.scope=/office";

        execute("tune", file, "--boilerplate", common.toString(), "--set", scope);
        assertThat(out.toString())
                .contains("Counted within each source too, as neardup.scope=/office tells sources apart;"
                        + " --by names another pointer.\n");
        assertThat(json("tune", file, "--boilerplate", common.toString(), "--set", scope, "--json")
                        .get("by")
                        .asText())
                .isEqualTo("/office");

        out.getBuffer().setLength(0);
        execute("tune", file, "--boilerplate", common.toString(), "--set", scope, "--by", "/id");
        assertThat(out.toString()).doesNotContain("neardup.scope");
    }

    @Test
    void shouldSayWhereThereIsNothingToWrite() throws IOException {
        assertThat(execute("tune", documents(60, 0, "a").toString(), "--boilerplate", common.toString()))
                .isZero();
        assertThat(out.toString())
                .contains("No shingle of char:9 is in more than 5 % of the 60 clusters of 60 documents")
                .contains("no file is written");

        assertThat(execute("tune", documents(19, 19, "a").toString(), "--boilerplate", common.toString()))
                .isZero();
        assertThat(out.toString())
                .contains("19 documents make 19 clusters of similar ones: fewer than 20 do not tell what is common.");
        assertThat(common).doesNotExist();
    }

    @Test
    void shouldTellWhetherTheFileInUseHasGrownOld() throws IOException {
        Path file = documents(100, 40, "a");
        execute("tune", file.toString(), "--boilerplate", common.toString());
        String setting = "neardup.boilerplate=" + common;
        Path today = folder.resolve("today.tsv");

        execute("tune", file.toString(), "--boilerplate", today.toString(), "--set", setting);
        assertThat(out.toString())
                .contains("The file that neardup.boilerplate names lacks 0 of them, 0 % by the clusters that hold"
                        + " them: it still fits.");

        execute("tune", documents(100, 40, "other").toString(), "--boilerplate", today.toString(), "--set", setting);
        assertThat(out.toString()).contains("it has grown old; take the new one, for a new index.");
    }

    @Test
    void shouldTellSoWhereNoNewFileIsAskedForToo() throws IOException {
        Path file = documents(100, 40, "a");
        execute("tune", file.toString(), "--boilerplate", common.toString());
        String setting = "neardup.boilerplate=" + common;

        execute("tune", file.toString(), "--set", setting);
        assertThat(out.toString()).doesNotContain("has grown old");

        execute("tune", documents(100, 40, "other").toString(), "--set", setting);
        assertThat(out.toString())
                .contains("The boilerplate file has grown old: ")
                .contains("Make it anew: tune FILE --boilerplate OUT.");
    }

    @Test
    void shouldExpectAPointerBehindBy() {
        assertThat(execute("tune", "-", "--boilerplate", common.toString(), "--by", "host"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--by: expected a JSON pointer (RFC 6901) such as /host, found host");
    }

    @Test
    void shouldRefuseWhatDoesNotGoWithIt() throws IOException {
        String file = documents(30, 0, "a").toString();
        String to = common.toString();

        assertThat(execute("tune", file, "--boilerplate", to, "--share", "0.6")).isEqualTo(2);
        assertThat(err.toString()).contains("--share: expected 0.005 to 0.5, found 0.6");
        assertThat(execute("tune", file, "--boilerplate", to, "--png", to)).isEqualTo(2);
        assertThat(err.toString()).contains("--png: of no effect beside --boilerplate; run tune once with each");
        for (List<String> alone : List.of(List.of("--share", "0.1"), List.of("--by", "/office"))) {
            assertThat(execute("tune", file, alone.get(0), alone.get(1))).isEqualTo(2);
            assertThat(err.toString()).contains("--by and --share: expected --boilerplate beside them, found none");
        }
        assertThat(execute("tune", "--boilerplate", to)).isEqualTo(2);
        assertThat(err.toString()).contains("found --boilerplate without FILE");
        assertThat(execute("tune", file, "--boilerplate", to, "--set", "neardup.signature=exact"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("--boilerplate: expected neardup.signature=minhash or simhash, which compare shingles, found"
                        + " exact");
        assertThat(execute("tune", file, "--boilerplate", file)).isEqualTo(2);
    }

    /** Documents of words of their own, some of them of one office with a menu around them. */
    private Path documents(int count, int withMenu, String menuOf) throws IOException {
        SplittableRandom random = new SplittableRandom(count);
        String menu = "free of charge " + words(new SplittableRandom(menuOf.hashCode()), 40);
        List<String> lines = IntStream.range(0, count)
                .mapToObj(i -> "{\"id\":\"%d\",\"office\":\"%s\",\"text\":\"%s\"}"
                        .formatted(
                                i,
                                i < withMenu ? "north" : "south",
                                (i < withMenu ? menu + " " : "") + words(random, 60)))
                .toList();
        return Files.write(folder.resolve(count + menuOf + ".jsonl"), lines);
    }

    private static String words(SplittableRandom random, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> random.ints(3 + random.nextInt(6), 'a', 'z' + 1)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append))
                .collect(Collectors.joining(" "));
    }
}
