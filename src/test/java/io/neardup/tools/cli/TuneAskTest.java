package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Families of three: a text, an edited copy, which is the same to a person, and a look-alike, which is another. */
class TuneAskTest extends CommandTest {
    private static final int FAMILIES = 40;
    private static final int WORDS = 50;
    private static final String ALONE = "\nProposal: word:1, duplicates from 0.5 on.\n";

    @TempDir
    private Path folder;

    private String file = "";
    private Path answers = Path.of("");

    @BeforeEach
    void writeDocuments() throws IOException {
        List<String> lines = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(4);
        for (int family = 0; family < FAMILIES; family++) {
            String[] text = words(random).limit(WORDS).toArray(String[]::new);
            lines.add(line("f" + family + "-text", text));
            lines.add(line("f" + family + "-copy", edited(text, 3 + random.nextInt(10), random)));
            lines.add(line("f" + family + "-other", edited(text, 35 + random.nextInt(30), random)));
        }
        Path documents = Files.write(folder.resolve("documents.jsonl"), lines);
        file = documents.toString();
        answers = folder.resolve("documents.jsonl.answers.tsv");
    }

    @Test
    void shouldAskAtTheTerminalAndGoOnWithTheAnswers() throws IOException {
        assertThat(ask("s\nmaybe\n?\nq\n", "10"))
                .contains("\nPair 1 of 10:  char:9 0.", "\nPair 2 of 10:", "\nPair 3 of 10:")
                .doesNotContain("Pair 4 of")
                .contains("same or other? (s, o, ? cannot say, q stop) ")
                .contains("expected s, o, ? or q, found maybe: ")
                .contains("2 answers: 1 same, 0 other, 1 unclear; 0 pairs are open.")
                .contains("\nSo the proposal without answers stands:\n", ALONE);
        assertThat(Files.readAllLines(answers))
                .filteredOn(line -> !line.startsWith("#"))
                .satisfiesExactly(line -> assertThat(line).matches("f\\S+\tf\\S+\tsame"), line -> assertThat(line)
                        .matches("f\\S+\tf\\S+\tunclear"));
        String before = Files.readString(answers);

        assertThat(ask("o\nq\n", "10")).contains("\nPair 3 of 10:").doesNotContain("Pair 1 of", "Pair 2 of");
        assertThat(Files.readString(answers)).startsWith(before).hasLineCount(5);
        assertThat(pairs()).doesNotHaveDuplicates();
    }

    @Test
    void shouldProposeFromAnswersThatAScriptFillsIn() throws IOException {
        Path settings = folder.resolve("asked.properties");
        do {
            ask("", "25");
        } while (fillIn() > 0);

        assertThat(ask("s\n", "25", "--write", settings.toString()))
                .doesNotContain("Pair ")
                .contains("25 answers: ", "\nProposal: ", "F1 0.9", "\nneardup.banding=")
                .contains("\nstopword:3 ", " <-\n");
        assertThat(out.toString().lines().takeWhile(line -> !line.startsWith("So the proposal without answers stands")))
                .filteredOn(line -> !line.startsWith("Answers are kept in "))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(Files.readString(settings)).contains("neardup.shingle=", "neardup.similarity.threshold=0.");
        JsonNode report = json("tune", file, "--ask", "25", "--json");
        assertThat(report.get("isEnough").asBoolean()).isTrue();
        assertThat(report.get("proposal").get("pairs").asInt()).isBetween(35, 45);
        assertThat(report.get("answers").get("open").asInt()).isZero();
        JsonNode scores =
                json("evaluate", file, "--labels", answers.toString(), "--json").get("labels");
        assertThat(scores.get("judged").asText()).isEqualTo("named");
        assertThat(scores.get("pairs").asInt())
                .isEqualTo(report.get("answers").get("same").asInt());
    }

    /** Of so few documents nothing is known without answers. */
    @Test
    void shouldProposeWhatTheAnswersSayWhereTheDocumentsTellNothing() throws IOException {
        StringBuilder all = new StringBuilder();
        for (int family = 0; family < 6; family++) {
            String id = "f" + family;
            all.append(id + "-text\t" + id + "-copy\tsame\n" + id + "-text\t" + id + "-other\tother\n");
            all.append(id + "-copy\t" + id + "-other\tother\n");
        }
        Files.writeString(answers, all);

        JsonNode report = json("tune", file, "--ask", "18", "--documents", "18", "--json");

        assertThat(report.at("/alone/finding").asText()).isEqualTo("too-few");
        assertThat(report.at("/proposal/isProposed").asBoolean()).isTrue();
        assertThat(report.at("/settings/neardup.shingle")).isEqualTo(report.at("/proposal/shingle"));
    }

    @Test
    void shouldKeepWhatTheDocumentsTellWhereAnswersTellTooLittle() throws IOException {
        StringBuilder contrary = new StringBuilder();
        for (int family = 0; family < 4; family++) {
            String text = "f" + family + "-text\tf" + family;
            contrary.append(text).append("-copy\tother\n").append(text).append("-other\tsame\n");
        }
        Files.writeString(answers, contrary);

        assertThat(ask("q\n", "9"))
                .contains("\nBest by these answers: ", "\nThat is too little to tell.\n")
                .contains(ALONE, "\nneardup.shingle=word:1\n");
    }

    /** The last line is one that an editor left open; one names a document that is not there. */
    @Test
    void shouldGoOnWithAnswersThatSomebodyWrote() throws IOException {
        String written = "nobody\tf0-text\tsame\nf0-text\tf0-copy\tsame\nf0-text\tf0-other\tother";
        Files.writeString(answers, written);

        assertThat(ask("o\nq\n", "5"))
                .contains("3 answers: 1 same, 2 other, 0 unclear")
                .contains("1 lines name no two documents that are there:\n  nobody\n")
                .contains("A proposal from answers needs 6 of them");
        assertThat(Files.readString(answers)).startsWith(written + "\n").hasLineCount(4);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            @ --answers x | --answers: expected --ask beside it
            - --ask | --ask: expected --answers OUT where FILE is -, found none
            @ --ask 0 | --ask: expected 1 to
            @ --ask --write = | expected another file than the answers
            @ --ask 5 | :2: expected one of same, other, unclear, ? after two ids, found perhaps
            """)
    void shouldRefuse(String options, String message) throws IOException {
        Files.writeString(answers, "# mine\nf0-text\tf0-copy\tperhaps\n");

        String line = "tune " + options.replace("@", file).replace("=", answers.toString());
        assertThat(refused(line.split(" ", -1))).contains(message);
    }

    /** What is printed. */
    private String ask(String input, String questions, String... more) {
        String[] command = {"tune", file, "--ask", questions};
        int exit = executeWithInput(new ByteArrayInputStream(input.getBytes(UTF_8)), with(command, more));
        assertThat(exit).as(err.toString()).isZero();
        return out.toString();
    }

    /** Answers what is open, as a person would; returns how many pairs were. */
    private int fillIn() throws IOException {
        List<String> lines = Files.readAllLines(answers);
        List<String> filled = lines.stream().map(TuneAskTest::answered).toList();
        Files.write(answers, filled);
        return (int) lines.stream().filter(line -> line.endsWith("\t?")).count();
    }

    private static String answered(String line) {
        String[] ids = line.split("\t", -1);
        if (!line.endsWith("\t?")) {
            return line;
        }
        boolean isSame = ids[0].replaceAll("-.*", "").equals(ids[1].replaceAll("-.*", ""))
                && !ids[0].endsWith("-other")
                && !ids[1].endsWith("-other");
        return ids[0] + "\t" + ids[1] + "\t" + (isSame ? "same" : "other");
    }

    private List<String> pairs() throws IOException {
        return Files.readAllLines(answers).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.substring(0, line.lastIndexOf('\t')))
                .toList();
    }

    private static Stream<String> words(SplittableRandom random) {
        return Stream.generate(() -> Integer.toString(40_000 + random.nextInt(3_000) * 7_919, 36));
    }

    private static String[] edited(String[] text, int edits, SplittableRandom random) {
        String[] edited = text.clone();
        for (int i = 0; i < edits; i++) {
            edited[random.nextInt(edited.length)] = words(random).findFirst().orElseThrow();
        }
        return edited;
    }

    private static String line(String id, String[] words) {
        return "{\"id\":\"" + id + "\",\"text\":\"" + Arrays.stream(words).collect(Collectors.joining(" ")) + "\"}";
    }
}
