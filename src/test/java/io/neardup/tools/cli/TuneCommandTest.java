package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.lsh.BandingSolver;
import io.neardup.testing.JavaCommand;
import io.neardup.tools.analysis.SimilarityCounts;
import io.neardup.tools.analysis.TextLines;
import io.neardup.tools.analysis.Tuning;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TuneCommandTest extends CommandTest {
    private static final int DOCUMENTS = 80;

    @TempDir
    private Path folder;

    private String file = "";
    private Path common = Path.of("");

    @BeforeEach
    void writeDocuments() throws IOException {
        file = write("documents.jsonl", documents());
        common = folder.resolve("boilerplate.tsv");
    }

    /** One that nobody writes to: who opens it waits. */
    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldRefuseAPipeBeforeItIsRead() throws Exception {
        String pipe = folder.resolve("pipe").toString();
        assumeTrue(JavaCommand.succeeds("mkfifo", pipe), "needs mkfifo");

        assertThat(failed("tune", pipe))
                .contains(pipe + ": expected a file that can be read more than once, found a pipe");
    }

    @Test
    void shouldProposeTheConventionWhereNothingIsAlike() throws IOException {
        List<String> lines = new ArrayList<>(documents());
        lines.add(1, "nonsense");
        lines.add(7, "nonsense");
        lines.add("x".repeat(1_000_001));

        assertThat(printed("tune", write("bad.jsonl", lines)))
                .contains("80 documents; 3,160 of 3,160 pairs of them were compared")
                .contains("lines skipped as not-json: 2, the first at ", "bad.jsonl:2: ")
                .contains("lines skipped as too-large: 1, the first at ", "bad.jsonl:83: ")
                .contains("\nchar:9     ", "\nword:3     ", "\n0.70 ---------------- threshold")
                .contains("So the settings stay: char:9, duplicates from 0.7 on.\n");
    }

    /** An index is bound to what it is made with: a sample that tells nothing must not shrink it. */
    @Test
    void shouldNotWriteWhatIsKeptByConvention() throws IOException {
        String few = write("few.jsonl", documents().subList(0, 4));
        Path written = folder.resolve("tuned.properties");

        assertThat(printed("tune", few, "--write", written.toString()))
                .contains("So the settings stay")
                .doesNotContain("neardup.index.size=");
        assertThat(Files.readAllLines(written)).allMatch(line -> line.startsWith("#"));

        String given = " --index-size 20k --set neardup.similarity.threshold=0.6";
        assertThat(execute(("tune " + few + " --write " + written + given).split(" ", -1)))
                .isZero();
        assertThat(Files.readAllLines(written).stream().filter(line -> !line.startsWith("#")))
                .containsExactly("neardup.similarity.threshold=0.6", "neardup.index.size=20000");
    }

    @Test
    void shouldProposeWhereTheDocumentsPartAndWriteWhatTheServiceReads() throws IOException {
        Path written = folder.resolve("tuned.properties");
        String parted = write("copies.jsonl", documentsAndCopies());

        JsonNode report = json("tune", parted, "--index-size", "20k", "--write", written.toString(), "--json");

        assertThat(report.get("finding").asText()).isEqualTo("parted");
        NeardupConfig config = NeardupConfig.of(new Settings().file(written));
        JsonNode proposal = report.get("proposal");
        assertThat(report.at("/settings/neardup.shingle")).isEqualTo(proposal.get("shingle"));
        Banding banding =
                new Banding(proposal.get("bands").asInt(), proposal.get("rows").asInt());
        assertThat(config.banding()).isEqualTo(banding);
        assertThat(config.indexSize()).isEqualTo(20_000);
        assertThat(config.shingling().spec()).isEqualTo(proposal.get("shingle").asText());
        assertThat(config.threshold()).isEqualTo(proposal.get("threshold").asDouble());
        // It is written rounded up to four decimals.
        double unrelated = config.unrelatedSimilarity();
        assertThat(proposal.get("falseCandidates").asDouble())
                .isBetween(
                        BandingSolver.falseCandidates(banding, 20_000, unrelated - 1e-4),
                        BandingSolver.falseCandidates(banding, 20_000, unrelated) * (1 + 1e-9));
        assertThat(printed("tune", parted, "--set", "neardup.recall=0.99999"))
                .contains("Copies and unrelated documents separate: by ", "\nProposal: ", " of 20 random halves say so")
                .contains(" just below, kept: none\n", " just above, removed:\n  0.")
                .doesNotContain("1.0000");
    }

    @Test
    void shouldSayWhereBoilerplateHoldsThePairsTogetherAndTuneWithoutIt() throws IOException {
        String read = write("template.jsonl", inTemplate());
        assertThat(unwrapped(printed("tune", read)))
                .containsPattern("Boilerplate alone, .* makes \\d+ % of the similar pairs similar\\.")
                .contains("So the settings stay: char:9, duplicates from 0.7 on.");

        count(Path.of(read));
        JsonNode report = json("tune", read, "--set", setting(), "--json");
        assertThat(report.get("finding").asText()).isNotEqualTo("boilerplate");
        assertThat(report.get("shingles").findValuesAsText("shingle")).containsExactly("char:9");
    }

    @Test
    void shouldPrintEveryFigureAsJsonAndTheSameTwice() throws IOException {
        JsonNode report = json("tune", file, "--json");

        assertThat(report.get("documents").asInt()).isEqualTo(DOCUMENTS);
        assertThat(report.get("pairs").asInt()).isEqualTo(DOCUMENTS * (DOCUMENTS - 1) / 2);
        assertThat(report.get("indexSize").asInt()).isEqualTo(DOCUMENTS);
        assertThat(report.get("shingles").findValuesAsText("shingle")).containsAll(Tuning.SHINGLES);
        for (JsonNode fit : report.get("shingles")) {
            int sum = 0;
            for (JsonNode count : fit.get("histogram")) {
                sum += count.asInt();
            }
            assertThat(sum).isEqualTo(report.get("pairs").asInt());
        }
        assertThat(report.get("settings")).isEmpty(); // The settings stay.
        assertThat(json("tune", file, "--json")).isEqualTo(report);
    }

    @Test
    void shouldTakeSettingsOfTheService() throws IOException {
        String other = write(
                "other.jsonl",
                documents().stream().map(line -> line.replace("text", "body")).toList());
        String line = "tune " + other + " --set neardup.document.text=/body --set neardup.shingle=char:4"
                + " --set neardup.index.size=7000 --documents 40 --set neardup.similarity.threshold=0.8"
                + " --set neardup.recall=0.9 --json";

        JsonNode report = json(line.split(" ", -1));

        assertThat(report.get("documents").asInt()).isEqualTo(40);
        assertThat(report.get("indexSize").asInt()).isEqualTo(7_000);
        assertThat(report.get("shingles").findValuesAsText("shingle")).contains("char:4");
        assertThat(report.at("/proposal/threshold").asDouble()).isEqualTo(0.8);
        assertThat(report.at("/proposal/recall").asDouble()).isBetween(0.9 - 1e-9, 1.0);
    }

    @ParameterizedTest
    @CsvSource({"tune, --documents=9", "local, --tune"})
    void shouldCheckTheSettingsBeforeItReadsTheStandardInput(String command, String option) throws IOException {
        InputStream unreadable = InputStream.nullInputStream();
        unreadable.close();
        assertThat(executeWithInput(unreadable, command, "-", option, "--set", "neardup.shingle=none"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("neardup.shingle = none (--set): expected");
    }

    @Test
    void shouldWriteInHowManyDocumentsEachTermIs() throws IOException {
        String pets = write(
                "pets.jsonl",
                List.of(
                        "{\"id\":1,\"text\":\"A cat, a cat!\"}",
                        "{\"id\":2,\"text\":\"The cat.\"}",
                        "nonsense",
                        "{\"id\":3,\"text\":\"A dog\"}"));
        Path terms = folder.resolve("terms.tsv");

        assertThat(execute("tune", "weights", pets, "--write", terms.toString(), "--set", "neardup.shingle=word:1"))
                .describedAs(err.toString())
                .isZero();

        assertThat(Files.readString(terms))
                .isEqualTo("# neardup document frequencies: 3 documents\n2\ta\n2\tcat\n1\tdog\n1\tthe\n");
        assertThat(out.toString())
                .containsPattern("(?m)^documents +3\nterms +4\n")
                .contains("reason not-json, count 1,");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).noneMatch(path -> path.toString().endsWith(".part"));
        }
    }

    /** A line of the terminal, in which @ is the file, = a folder and blank a file without documents, and its end. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            @ --set neardup.signature=simhash | 2 | found simhash and jaccard
            @ --set neardup.similarity.measure=containment | 2 | found minhash and containment
            @ --index-size many | 2 | neardup.index.size = many (--index-size): expected an integer
            @ --documents 0 | 2 | --documents: expected 1 to 2147483647, found 0
            '' | 2 | expected a FILE to measure, found none
            --set neardup.shingle=char:5 boilerplate @ --write x | 2\
             | expected options and files after boilerplate, found --set before it
            weights @ --write x --threshold 0.5 | 2 | Unknown options: '--threshold'
            weights @ --write x | 2 | expected neardup.shingle=word:k
            weights --write x | 2 | Missing required parameter: 'FILE'
            weights =/blank --write =/x --set neardup.shingle=word:2 | 1 | blank: expected documents, found none
            =/blank --write =/x | 1 | blank: expected documents, found none in
            =/other | 1 | expected documents, found none in 1 lines
            =/other | 1 | Fields of the first one that hold text:
            =/none.jsonl | 2 | none.jsonl does not exist: check the path
            """)
    void shouldRefuse(String options, int exit, String message) throws IOException {
        write("blank", List.of(""));
        write("other", List.of("{\"id\":1,\"body\":\"a text\"}", ""));
        String line = "tune " + options.replace("@", file).replace("=/", folder + "/");

        assertThat(execute(line.strip().split(" ", -1))).isEqualTo(exit);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains(message).doesNotContain("\tat ");
    }

    private String write(String name, List<String> lines) throws IOException {
        return Files.write(folder.resolve(name), lines).toString();
    }

    private static List<String> documents() {
        SplittableRandom random = new SplittableRandom(1);
        return Stream.iterate(0, id -> id + 1)
                .limit(DOCUMENTS)
                .map(id -> "{\"id\":" + id + ",\"text\":\"" + TextLines.words(100, 2_000, random) + "\"}")
                .toList();
    }

    /** And an edited copy of each second one. */
    static List<String> documentsAndCopies() {
        List<String> lines = new ArrayList<>(documents());
        for (int id = 0; id < DOCUMENTS; id += 2) {
            lines.add(lines.get(id)
                    .replace("{\"id\":", "{\"id\":9")
                    .replaceAll(" [0-9a-z]*[" + "fi" + (char) ('k' + id % 7) + "] ", " edited "));
        }
        return lines;
    }

    /** Each with a part of one of a few templates, so that similarity falls evenly. */
    private static List<String> inTemplate() {
        SplittableRandom random = new SplittableRandom(2);
        String template = TextLines.words(100, 2_000, random) + " " + TextLines.words(100, 2_000, random);
        return Stream.iterate(0, id -> id + 1)
                .limit(2 * DOCUMENTS)
                .map(id -> "{\"id\":" + id + ",\"text\":\""
                        + template.substring(0, 200 + random.nextInt(template.length() - 200))
                        + " " + TextLines.words(100, 2_000, random).substring(0, 20 + random.nextInt(250)) + "\"}")
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"0.7, 30", "0.755, 25", "0.01, 99", "0.995, 1", "1, 1"})
    void shouldDrawAsDuplicatesWhatIsCountedAsSuch(double threshold, double duplicates) {
        SimilarityCounts counts = new SimilarityCounts();
        IntStream.range(0, 100).forEach(bin -> counts.add((bin + 0.5) / 100, 1));

        List<String> lines = TuningReport.plot(counts, threshold);

        int rule = IntStream.range(0, lines.size())
                .filter(line -> lines.get(line).contains(" threshold"))
                .findFirst()
                .orElseThrow();
        assertThat(counts.pairsFrom(threshold)).isEqualTo(duplicates);
        assertThat(pairs(lines.subList(rule + 1, lines.size()))).isEqualTo(duplicates);
        assertThat(pairs(lines.subList(0, rule))).isEqualTo(100 - duplicates);
    }

    private static double pairs(List<String> lines) {
        return lines.stream()
                .mapToDouble(line -> Double.parseDouble(line.strip().split("\\s+", -1)[1]))
                .sum();
    }

    // ---- tune boilerplate

    @Test
    void shouldWriteWhatTheServiceTakesAndTheSameAgain() throws IOException {
        Path file = menus(100, 40);

        count(file);

        assertThat(words(out.toString()))
                .contains("documents 100 clusters 100 ", "Leave them out with neardup.boilerplate=" + common);
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
        Path file = menus(600, 22);

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
        count(menus(19, 19));

        assertThat(out.toString()).contains("No file is written.");
        assertThat(common).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            - --write = --by host | --by: expected a JSON pointer (RFC 6901) such as /host, found host
            @ --write = --share 0.6 | --share: expected 0.005 to 0.5, found 0.6
            @ --write = --png = | Unknown options: '--png'
            --write = | Missing required parameter: 'FILE'
            @ | Missing required option: '--write=OUT'
            @ --write = --set neardup.signature:exact | which compare shingles, found exact
            @ --write @ | expected a file that is not read
            """)
    void shouldRefuseToCount(String options, String message) throws IOException {
        String file = menus(30, 0).toString();
        String line = options.replace("@", file).replace("=", common.toString()).replace(":exact", "=exact");

        assertThat(refused(("tune boilerplate " + line).split(" ", -1))).contains(message);
    }

    /** Documents of words of their own, some of them of one office with a menu around them. */
    private Path menus(int count, int withMenu) throws IOException {
        SplittableRandom random = new SplittableRandom(count);
        String menu = "free of charge " + TextLines.words(40, 5_000, new SplittableRandom(97));
        List<String> lines = IntStream.range(0, count)
                .mapToObj(i -> "{\"id\":\"%d\",\"office\":\"%s\",\"text\":\"%s\"}"
                        .formatted(
                                i,
                                i < withMenu ? "north" : "south",
                                (i < withMenu ? menu + " " : "") + TextLines.words(60, 5_000, random)))
                .toList();
        return Files.write(folder.resolve(count + ".jsonl"), lines);
    }
}
