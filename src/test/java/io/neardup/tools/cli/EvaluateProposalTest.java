package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents of one template, some with an edited copy: tune proposes to leave the template out. */
class EvaluateProposalTest extends CommandTest {
    private static final int TEXTS = 80;
    private static final int COPIES = 30;
    private static final int TEMPLATE_WORDS = 100;

    @TempDir
    private Path folder;

    @Test
    void shouldScoreTheProposalWithoutTheShinglesThatItLeavesOut() throws IOException {
        String file = write(20);

        JsonNode report = json("evaluate", file, "--labels", labels(), "--json").get("labels");

        JsonNode proposal = report.get("tune");
        assertThat(proposal.get("finding").asText()).isEqualTo("parted");
        assertThat(proposal.get("boilerplateLeftOut").asInt()).isPositive();
        assertThat(proposal.get("f1").asDouble()).isGreaterThan(0.95);
        for (JsonNode tuned : json("tune", file, "--json").get("shingles")) {
            if (tuned.has("valley")) {
                assertThat(report.get("shingles"))
                        .filteredOn(scores ->
                                scores.has("valley") && scores.get("shingle").equals(tuned.get("shingle")))
                        .singleElement()
                        .satisfies(
                                scores -> assertThat(scores.at("/valley/pairs").asDouble())
                                        .isEqualTo(tuned.at("/valley/pairs").asDouble()));
            }
        }
        JsonNode own = report.get("shingles").get(0);
        assertThat(own.get("shingle").asText()).isEqualTo("char:9");
        assertThat(own.get("boilerplateLeftOut").asInt()).isZero();
        assertThat(own.get("settings").get("f1").asDouble()).isLessThan(0.1);
    }

    @Test
    void shouldPassOverShinglesThatLeaveTooLittleOfTheDocuments() throws IOException {
        assertThat(printed("evaluate", write(10), "--labels", labels())).contains("\nWithout labels tune ");
    }

    private String write(int ownWords) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        String template = words(TEMPLATE_WORDS, random);
        List<String> own = new ArrayList<>(
                Stream.generate(() -> words(ownWords, random)).limit(TEXTS).toList());
        for (int i = 0; i < COPIES; i++) {
            own.add(edited(own.get(i), random));
        }
        return Files.write(
                        folder.resolve("documents.jsonl"),
                        IntStream.range(0, own.size())
                                .mapToObj(
                                        i -> "{\"id\":\"d" + i + "\",\"text\":\"" + template + " " + own.get(i) + "\"}")
                                .toList())
                .toString();
    }

    private String labels() throws IOException {
        return Files.write(
                        folder.resolve("labels.tsv"),
                        IntStream.range(0, COPIES)
                                .mapToObj(i -> "d" + i + "\td" + (TEXTS + i))
                                .toList())
                .toString();
    }

    /** Each fifth word is another. */
    private static String edited(String text, SplittableRandom random) {
        return Stream.of(text.split(" "))
                .map(word -> random.nextInt(5) == 0 ? "edit" + random.nextInt(1_000) : word)
                .collect(Collectors.joining(" "));
    }

    private static String words(int count, SplittableRandom random) {
        return Stream.generate(() -> Integer.toString(46_656 + 7_919 * random.nextInt(20_000), 36))
                .limit(count)
                .collect(Collectors.joining(" "));
    }
}
