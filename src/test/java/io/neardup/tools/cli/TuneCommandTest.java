package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.lsh.BandingSolver;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TuneCommandTest extends CommandTest {
    private static final int DOCUMENTS = 80;

    @TempDir
    private Path folder;

    private String file = "";

    @BeforeEach
    void writeDocuments() throws IOException {
        file = write("documents.jsonl", documents());
    }

    @Test
    void shouldProposeTheConventionWhereNothingIsAlike() {
        assertThat(execute("tune", file)).describedAs(err.toString()).isZero();

        assertThat(out.toString())
                .startsWith("80 documents; all 3,160 pairs of them were compared.")
                .contains("\nchar:9     ", "\nword:3     ")
                .contains("\n0.70 ---------------- threshold: duplicates from here on\n")
                .contains("No two of the documents are alike")
                .contains("So the convention is kept: char:9, duplicates from 0.7 on.\n")
                .contains("\n# No settings: the service keeps the convention without any.\n");
    }

    @Test
    void shouldProposeWhereTheDocumentsPartAndShowBothSides() throws IOException {
        assertThat(execute("tune", write("copies.jsonl", documentsAndCopies())))
                .describedAs(err.toString())
                .isZero();

        assertThat(out.toString())
                .contains("The documents part: by ", "\nProposal: ")
                .contains(" just below, kept: none\n", " just above, removed:\n  0.")
                .contains(" of 20 random halves say so");
    }

    @ParameterizedTest
    @CsvSource({
        "neardup.signature=simhash, simhash and jaccard",
        "neardup.similarity.measure=containment, minhash and containment"
    })
    void shouldNotMeasureWhatTheSettingsDoNotCompareBy(String setting, String found) {
        assertThat(execute("tune", file, "--set", setting)).isEqualTo(2);

        assertThat(err.toString()).contains("tune FILE compares by the Jaccard similarity", "found " + found);
    }

    @Test
    void shouldWeighTheCostAtTheSizeOfTheFileUnlessAnotherIsGiven() throws IOException {
        assertThat(json("tune", file, "--json").get("indexSize").asInt()).isEqualTo(DOCUMENTS);
        assertThat(json("tune", file, "--json", "--index-size", "20k")
                        .get("indexSize")
                        .asInt())
                .isEqualTo(20_000);
        assertThat(json("tune", file, "--json", "--set", "neardup.index.size=7000")
                        .get("indexSize")
                        .asInt())
                .isEqualTo(7_000);
    }

    @Test
    void shouldSayThatTheRecallIsOutOfReach() {
        assertThat(execute("tune", file, "--threshold", "0.3", "--hashes", "5")).isEqualTo(1);

        assertThat(err.toString()).contains("Recall 0.99 at threshold 0.3 cannot be reached with 5 hashes");
    }

    @Test
    void shouldFailWhereNoLineIsADocument() throws IOException {
        Path other = Files.writeString(folder.resolve("other.jsonl"), "{\"id\":1,\"body\":\"a text\"}\n\n");

        assertThat(execute("tune", other.toString())).isEqualTo(1);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .contains(other + ": expected documents, found none in 1 lines", "found none")
                .contains("/text");
    }

    @Test
    void shouldSayThatTheFileStandsBeforeAsk() {
        assertThat(execute("tune", "--ask", file)).isEqualTo(2);
        assertThat(err.toString())
                .contains("expected a number of questions, found " + file, "FILE stands before --ask");
    }

    @Test
    void shouldRefuseOptionsWithoutEffect() {
        String written = folder.resolve("written").toString();
        assertThat(execute(
                        "tune", "--find", "0.5:0.99", "--reject", "0.05:0.001", "--write", written, "--documents", "9"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("--documents, --write: of no effect beside --find and --reject; run tune once with each");
        assertThat(execute("tune", file, "--frequencies", written, "--threshold", "0.5", "--png", written))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("--png, --threshold: of no effect beside --frequencies; run tune once with each");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--write", "--png"})
    void shouldNotWriteOverWhatItReads(String option) throws IOException {
        String before = Files.readString(Path.of(file));

        assertThat(execute("tune", file, option, file)).isEqualTo(2);

        assertThat(err.toString()).contains(option + " " + file + ": expected another file than the one that is read");
        assertThat(Files.readString(Path.of(file))).isEqualTo(before);
    }

    @Test
    void shouldSayAtOnceThatTheCommonFileBesideTheSettingsCannotBeWritten() throws IOException {
        String settings = folder.resolve("tuned.properties").toString();
        Path common = folder.resolve("tuned.boilerplate.tsv");
        write("tuned.boilerplate.tsv", documents());

        assertThat(execute("tune", common.toString(), "--write", settings)).isEqualTo(2);
        assertThat(err.toString()).contains("--write " + common + ": expected another file than the one that is read");
        Files.delete(common);
        Files.createDirectory(common);
        assertThat(execute("tune", file, "--write", settings)).isEqualTo(2);
        assertThat(err.toString()).contains("--write " + common + ": expected a file in a folder that exists");
    }

    /** An index is bound to what it is made with: a sample that tells nothing must not shrink it. */
    @Test
    void shouldNotWriteWhatIsKeptByConvention() throws IOException {
        String few = write("few.jsonl", documents().subList(0, 4));
        Path written = folder.resolve("tuned.properties");

        assertThat(execute("tune", few, "--write", written.toString())).isZero();
        assertThat(out.toString()).contains("So the convention is kept").doesNotContain("neardup.index.size=");
        assertThat(Files.readString(written))
                .contains("# The convention is kept")
                .doesNotContain("=");

        String[] given = {"--index-size", "20k", "--threshold", "0.6"};
        assertThat(execute(Stream.concat(Stream.of("tune", few, "--write", written.toString()), Stream.of(given))
                        .toArray(String[]::new)))
                .isZero();
        assertThat(Files.readAllLines(written).stream().filter(line -> !line.startsWith("#")))
                .containsExactly("neardup.similarity.threshold=0.6", "neardup.index.size=20000");
    }

    @Test
    void shouldWriteWhatTheServiceReads() throws IOException {
        Path written = folder.resolve("tuned.properties");
        String parted = write("copies.jsonl", documentsAndCopies());

        JsonNode report = json("tune", parted, "--index-size", "20k", "--write", written.toString(), "--json");

        NeardupConfig config = NeardupConfig.of(new Settings().file(written));
        JsonNode proposal = report.get("proposal");
        Banding banding =
                new Banding(proposal.get("bands").asInt(), proposal.get("rows").asInt());
        assertThat(config.banding()).isEqualTo(banding);
        assertThat(config.indexSize()).isEqualTo(20_000);
        assertThat(config.shingling().spec()).isEqualTo(proposal.get("shingle").asText());
        assertThat(config.threshold()).isEqualTo(proposal.get("threshold").asDouble());
        double promised = proposal.get("falseCandidates").asDouble();
        // It is written rounded up to four decimals.
        double unrelated = config.unrelatedSimilarity();
        assertThat(promised)
                .isBetween(
                        BandingSolver.falseCandidates(banding, 20_000, unrelated - 1e-4),
                        BandingSolver.falseCandidates(banding, 20_000, unrelated) * (1 + 1e-9));
        assertThat(Files.readString(written))
                .startsWith("# For 20,000 documents, found at the threshold with a chance of 0.99.\n");
    }

    @Test
    void shouldProposeWithoutBoilerplateAndWriteItBesideTheSettings() throws IOException {
        Path written = folder.resolve("tuned.properties");

        assertThat(execute("tune", write("template.jsonl", inTemplate()), "--write", written.toString()))
                .describedAs(err.toString())
                .isZero();

        assertThat(out.toString())
                .containsPattern("Boilerplate: \\d+ % of the pairs at or above 0\\.\\d+ by \\S+ are held there by")
                .containsPattern("        without them 0\\.\\d\\d\n")
                .contains("So the convention is kept: char:9, duplicates from 0.7 on, without the boilerplate.");
        NeardupConfig config = NeardupConfig.of(new Settings().file(written));
        assertThat(config.shingling().common()).isNotNull();
        assertThat(folder.resolve("tuned.boilerplate.tsv")).exists();
        assertThat(json("tune", folder.resolve("template.jsonl").toString(), "--config", written.toString(), "--json")
                        .at("/age/missing")
                        .asInt())
                .isZero();
    }

    @Test
    void shouldPrintEveryFigureAsJson() throws IOException {
        JsonNode report = json("tune", file, "--json");

        assertThat(report.get("documents").asInt()).isEqualTo(DOCUMENTS);
        assertThat(report.get("pairs").asInt()).isEqualTo(DOCUMENTS * (DOCUMENTS - 1) / 2);
        assertThat(report.get("shingles").findValuesAsText("shingle"))
                .contains(
                        "char:5",
                        "char:7",
                        "char:9",
                        "char:12",
                        "word:1",
                        "word:2",
                        "word:3",
                        "word:1..3",
                        "stopword:3");
        for (JsonNode fit : report.get("shingles")) {
            int sum = 0;
            for (JsonNode count : fit.get("histogram")) {
                sum += count.asInt();
            }
            assertThat(sum).isEqualTo(report.get("pairs").asInt());
        }
        assertThat(report.at("/settings/neardup.shingle").asText())
                .isEqualTo(report.at("/proposal/shingle").asText());
    }

    @Test
    void shouldProposeTheSameTwice() throws IOException {
        JsonNode report = json("tune", file, "--documents", "40", "--json");
        out.getBuffer().setLength(0);

        assertThat(json("tune", file, "--documents", "40", "--json")).isEqualTo(report);
        assertThat(report.get("documents").asInt()).isEqualTo(40);
    }

    @ParameterizedTest
    @CsvSource({"tune, --hashes=9", "local, --tune"})
    void shouldCheckTheSettingsBeforeItReadsTheStandardInput(String command, String option) throws IOException {
        InputStream standardInput = System.in;
        InputStream unreadable = InputStream.nullInputStream();
        unreadable.close();
        System.setIn(unreadable);
        try {
            assertThat(execute(command, "-", option, "--set", "neardup.shingle=none"))
                    .isEqualTo(2);
        } finally {
            System.setIn(standardInput);
        }
        assertThat(err.toString()).contains("neardup.shingle = none (--set): expected");
    }

    @Test
    void shouldTakeTheConventionFromTheUser() throws IOException {
        JsonNode proposal = json("tune", file, "--threshold", "0.8", "--recall", "0.9", "--json")
                .get("proposal");

        assertThat(proposal.get("threshold").asDouble()).isEqualTo(0.8);
        assertThat(proposal.get("recall").asDouble()).isBetween(0.9 - 1e-9, 1.0);
    }

    @Test
    void shouldTakeSettingsOfTheService() throws IOException {
        String other = write(
                "other.jsonl",
                documents().stream().map(line -> line.replace("text", "body")).toList());

        JsonNode report = json(
                "tune", other, "--set", "neardup.document.text=/body", "--set", "neardup.shingle=char:4", "--json");

        assertThat(report.get("shingles").findValuesAsText("shingle")).contains("char:4");
    }

    @Test
    void shouldDrawAPicture() throws IOException {
        Path png = folder.resolve("pairs.png");

        assertThat(execute("tune", file, "--png", png.toString())).isZero();

        assertThat(ImageIO.read(png.toFile()).getWidth()).isEqualTo(900);
    }

    @Test
    void shouldLeaveOutLinesThatAreNoDocumentsAndSaySo() throws IOException {
        List<String> lines = new ArrayList<>(documents());
        lines.add(1, "nonsense");
        lines.add("{\"id\":\"a\",\"text\":\" \"}");

        assertThat(execute("tune", write("bad.jsonl", lines))).isZero();

        assertThat(out.toString())
                .contains("lines left out as not-json: 1, the first at ", "bad.jsonl:2: ")
                .contains("lines left out as blank-text: 1, the first at ")
                .contains("80 documents; all ");
    }

    @Test
    void shouldKeepTheConventionWhereThereIsTooLittleToMeasure() throws IOException {
        assertThat(execute("tune", write("blank.jsonl", List.of("", " ")))).isZero();
        assertThat(out.toString()).contains("These are too few documents to tell: 0, of at least 20");
        assertThat(execute("tune", write("one.jsonl", List.of(documents().get(0), "nonsense"))))
                .isZero();
        assertThat(out.toString()).contains("lines left out as not-json: 1, the first at ", "to tell: 1, of");
        String line = documents().get(0);
        assertThat(execute("tune", write("same.jsonl", Collections.nCopies(30, line))))
                .isZero();
        assertThat(out.toString()).contains("All documents are equal: there is nothing to tell copies from.");
        assertThat(execute("tune", folder.resolve("none.jsonl").toString())).isEqualTo(2);
        assertThat(err.toString()).contains("none.jsonl does not exist: check the path");
    }

    @Test
    void shouldRefuseAFileTogetherWithTargets() {
        assertThat(execute("tune", file, "--find", "0.5:0.99", "--reject", "0.05:0.001"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("expected a FILE to measure, or both --find and --reject, found targets beside " + file);
        assertThat(execute("tune")).isEqualTo(2);
        assertThat(execute("tune", "--find", "0.5:0.99")).isEqualTo(2);
        assertThat(err.toString()).contains("expected a FILE to measure, or both --find and --reject, found --find");
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

        assertThat(execute("tune", pets, "--frequencies", terms.toString(), "--set", "neardup.shingle=word:1"))
                .describedAs(err.toString())
                .isZero();

        assertThat(Files.readString(terms))
                .isEqualTo("# neardup document frequencies: 3 documents\n2\ta\n2\tcat\n1\tdog\n1\tthe\n");
        assertThat(out.toString())
                .contains("lines left out as not-json: 1")
                .contains("4 terms of 3 documents are in " + terms + ".");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).noneMatch(path -> path.toString().endsWith(".part"));
        }
    }

    @Test
    void shouldCountTermsOfWordsOnly() throws IOException {
        String terms = folder.resolve("terms.tsv").toString();

        assertThat(execute("tune", file, "--frequencies", terms)).isEqualTo(2);
        assertThat(err.toString()).contains("--frequencies: expected neardup.shingle=word:k", "found char:9");
        assertThat(execute("tune", "--frequencies", terms)).isEqualTo(2);
        assertThat(err.toString()).contains("found --frequencies without FILE");
        assertThat(execute("tune", file, "--frequencies", terms, "--write", terms))
                .isEqualTo(2);
        assertThat(execute(
                        "tune",
                        write("blank.jsonl", List.of("")),
                        "--frequencies",
                        terms,
                        "--set",
                        "neardup.shingle=word:2"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("blank.jsonl: expected documents, found none");
    }

    @Test
    void shouldRefuseWhatIsNoSetting() {
        assertThat(execute("tune", file, "--threshold", "1.5")).isEqualTo(2);
        assertThat(err.toString()).contains("neardup.similarity.threshold = 1.5 (--threshold): expected a number");
        assertThat(execute("tune", file, "--index-size", "many")).isEqualTo(2);
        assertThat(err.toString()).contains("neardup.index.size = many (--index-size): expected an integer");
        assertThat(execute("tune", file, "--hashes", "257")).isEqualTo(2);
        assertThat(err.toString()).contains("--hashes: expected 1 to 256, found 257");
        assertThat(execute("tune", file, "--documents", "0")).isEqualTo(2);
        assertThat(err.toString()).contains("--documents: expected 1 to 2147483647, found 0");
        assertThat(execute("tune", file, "--write", "/nowhere/at/all.properties"))
                .isEqualTo(2);
    }

    private String write(String name, List<String> lines) throws IOException {
        return Files.write(folder.resolve(name), lines).toString();
    }

    private static List<String> documents() {
        SplittableRandom random = new SplittableRandom(1);
        return Stream.iterate(0, id -> id + 1)
                .limit(DOCUMENTS)
                .map(id -> "{\"id\":" + id + ",\"text\":\"" + words(random) + "\"}")
                .toList();
    }

    /** And an edited copy of each second one. */
    private static List<String> documentsAndCopies() {
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
        String template = words(random) + " " + words(random) + " " + words(random) + " " + words(random);
        return Stream.iterate(0, id -> id + 1)
                .limit(4 * DOCUMENTS)
                .map(id -> "{\"id\":" + id + ",\"text\":\""
                        + template.substring(0, 200 + random.nextInt(template.length() - 200))
                        + " " + words(random).substring(0, 20 + random.nextInt(500)) + "\"}")
                .toList();
    }

    private static String words(SplittableRandom random) {
        return Stream.generate(() -> Integer.toString(46_656 + 7_919 * (int) (2_000 * random.nextDouble()), 36))
                .limit(100)
                .collect(Collectors.joining(" "));
    }
}
