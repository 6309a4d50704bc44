package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code tune boilerplate}. */
class TuneBoilerplateTest extends CommandTest {
    @TempDir
    private Path folder;

    private Path common = Path.of("");

    @BeforeEach
    void nameTheFile() {
        common = folder.resolve("boilerplate.tsv");
    }

    @Test
    void shouldWriteWhatTheServiceTakesAndTheSameAgain() throws IOException {
        Path file = documents(100, 40);

        count(file);

        assertThat(unwrapped(out.toString()))
                .contains("Counted in 100 of 100 documents, 100 clusters of similar ones.")
                .containsPattern("[0-9]+ shingles of char:9 are in more than 5 % of the clusters, and in no fewer than"
                        + " 20: they are in " + common);
        NeardupConfig config = NeardupConfig.of(new Settings().pairs(List.of(setting())));
        assertThat(Objects.requireNonNull(config.shingling().boilerplate()).size())
                .isGreaterThan(100);
        String written = Files.readString(common);
        assertThat(written).contains("\n40\tfree of c\n");
        count(file);
        assertThat(Files.readString(common)).isEqualTo(written);
    }

    /** Counts the shingles of a file, for the settings of the test. */
    private void count(Path file, String... more) {
        String[] command = {"tune", "boilerplate", file.toString(), "--write", common.toString()};
        assertThat(execute(with(command, more))).describedAs(err.toString()).isZero();
    }

    private String setting() {
        return "neardup.boilerplate=" + common;
    }

    /** 22 of 600 documents have the menu, all of one office. */
    @Test
    void shouldCountWithinEachSource() throws IOException {
        Path file = documents(600, 22);

        JsonNode all = json("tune", "boilerplate", file.toString(), "--write", common.toString(), "--json");
        assertThat(all.get("boilerplate").asInt()).isZero();
        assertThat(common).doesNotExist();

        JsonNode bySource =
                json("tune", "boilerplate", file.toString(), "--write", common.toString(), "--by", "/office", "--json");
        assertThat(bySource.get("boilerplate").asInt()).isGreaterThan(100);
        assertThat(bySource.get("sources").asInt()).isEqualTo(2);
        assertThat(Files.readString(common)).contains("\n# sources=2\n");
    }

    @Test
    void shouldSayWhereThereIsNothingToWrite() throws IOException {
        count(documents(19, 19));

        assertThat(unwrapped(out.toString()))
                .contains("No shingle of char:9 is in more than 5 % of", "No file is written.");
        assertThat(common).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "- --write = --by host | --by: expected a JSON pointer (RFC 6901) such as /host, found host",
                "@ --write = --share 0.6 | --share: expected 0.005 to 0.5, found 0.6",
                "@ --write = --png = | Unknown options: '--png'",
                "--write = | Missing required parameter: 'FILE'",
                "@ | Missing required option: '--write=OUT'",
                "@ --write = --set neardup.signature:exact | which compare shingles, found exact",
                "@ --write @ | expected another file than the one that is read"
            })
    void shouldRefuse(String options, String message) throws IOException {
        String file = documents(30, 0).toString();
        String line = options.replace("@", file).replace("=", common.toString()).replace(":exact", "=exact");

        assertThat(refused(("tune boilerplate " + line).split(" ", -1))).contains(message);
    }

    /** Documents of words of their own, some of them of one office with a menu around them. */
    private Path documents(int count, int withMenu) throws IOException {
        SplittableRandom random = new SplittableRandom(count);
        String menu = "free of charge " + words(new SplittableRandom(97), 40);
        List<String> lines = IntStream.range(0, count)
                .mapToObj(i -> "{\"id\":\"%d\",\"office\":\"%s\",\"text\":\"%s\"}"
                        .formatted(
                                i,
                                i < withMenu ? "north" : "south",
                                (i < withMenu ? menu + " " : "") + words(random, 60)))
                .toList();
        return Files.write(folder.resolve(count + ".jsonl"), lines);
    }

    private static String words(SplittableRandom random, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> random.ints(3 + random.nextInt(6), 'a', 'z' + 1)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append))
                .collect(Collectors.joining(" "));
    }
}
