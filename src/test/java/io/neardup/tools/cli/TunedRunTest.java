package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.engine.text.CommonSets;
import io.neardup.engine.text.Shingling;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code local FILE --tune}, where a boilerplate file is among the settings. */
class TunedRunTest extends CommandTest {
    @TempDir
    private Path folder;

    private String common = "";

    @BeforeEach
    void writeCommonShingles() throws IOException {
        Path file = Files.writeString(folder.resolve("boilerplate.tsv"), CommonSets.file("char:9", "40\tfree of c"));
        common = TunedSettings.COMMON + "=" + file;
    }

    @Test
    void shouldPutTheProposalInThePlaceOfACommonFileThatDoesNotFitIt() throws IOException {
        String config =
                Files.writeString(folder.resolve("my.properties"), common).toString();

        Shingling tuned = tuned("--config", config);

        assertThat(tuned.spec()).isNotEqualTo("char:9");
        assertThat(tuned.boilerplate()).isNull();
    }

    @Test
    void shouldKeepShingleAndCommonFileThatAreSetOverTheProposal() throws IOException {
        Shingling tuned = tuned("--set", "neardup.shingle=char:9", "--set", common);

        assertThat(tuned.spec()).isEqualTo("char:9");
        assertThat(tuned.boilerplate()).isNotNull();
    }

    @Test
    void shouldRefuseACommonFileOverTheProposalBeforeItReads() {
        assertThat(refused("local", "/nowhere.jsonl", "--tune", "--set", common))
                .contains("--set " + TunedSettings.COMMON + ": expected --set neardup.shingle=char:9 beside it");
    }

    @Test
    void shouldPrintTheSettingsOfTheRun() throws IOException {
        SettingsOptions options =
                CommandLine.populateCommand(new SettingsOptions(), "--set", "neardup.similarity.threshold=0.97");
        try (TunedRun run = new TunedRun(
                options, List.of(documents().toString()), InputStream.nullInputStream(), Optional.empty())) {
            NeardupConfig config = NeardupConfig.of(run.tune(text -> {}));

            assertThat(config.threshold()).isEqualTo(0.97);
            assertThat(run.lines())
                    .contains(
                            "neardup.shingle=" + config.shingling().spec(),
                            "# Set over the proposal: neardup.similarity.threshold")
                    .noneMatch(line ->
                            line.startsWith("neardup.similarity.threshold") || line.startsWith("neardup.banding"));
        }
    }

    private Shingling tuned(String... arguments) throws IOException {
        SettingsOptions options = CommandLine.populateCommand(new SettingsOptions(), arguments);
        try (TunedRun run = new TunedRun(
                options, List.of(documents().toString()), InputStream.nullInputStream(), Optional.empty())) {
            return NeardupConfig.of(run.tune(text -> {})).shingling();
        }
    }

    /** Short ones of words of their own, and of each an edited copy. */
    private Path documents() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        List<String> lines = new ArrayList<>();
        for (int id = 0; id < 100; id++) {
            List<String> words = new ArrayList<>(
                    IntStream.range(0, 40).mapToObj(i -> word(random)).toList());
            lines.add(line(id, words));
            for (int word = id % 7; word < words.size(); word += 8) {
                words.set(word, word(random));
            }
            lines.add(line(1_000 + id, words));
        }
        return Files.write(folder.resolve("documents.jsonl"), lines);
    }

    private static String word(SplittableRandom random) {
        return random.ints(5, 'a', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static String line(int id, List<String> words) {
        return words.stream().collect(Collectors.joining(" ", "{\"id\":" + id + ",\"text\":\"", "\"}"));
    }
}
