package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.testing.JavaCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class TuneAskStopTest {
    /** As after any signal that ends a process: 128 and its number. */
    private static final int TERMINATED = 128 + 15;

    @TempDir
    private Path folder;

    @Test
    @Timeout(60)
    void shouldKeepTheAnswersAndSayHowToGoOnWhereItIsStopped() throws IOException, InterruptedException {
        Path documents = Files.write(
                folder.resolve("documents.jsonl"),
                IntStream.range(0, 60).mapToObj(TuneAskStopTest::line).toList());
        Process process = new ProcessBuilder(JavaCommand.of(
                        List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                        List.of("io.neardup.tools.cli.Main", "tune", documents.toString(), "--ask", "10")))
                .redirectErrorStream(true)
                .start();
        try (Writer replies = process.outputWriter(UTF_8)) {
            readTo("q stop) ", process.getInputStream());
            replies.write("s\n");
            replies.flush();
            readTo("Pair 2 of 10", process.getInputStream());
            // From here on it prints nothing by itself.
            readTo("q stop) ", process.getInputStream());

            // Not Ctrl-C: whoever runs tests in the background has it ignored.
            process.toHandle().destroy();

            Path answers = folder.resolve("documents.jsonl.answers.tsv");
            assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
                    .endsWith(String.format(
                            "Stopped. 1 answers are kept in %s%nCall the same again to go on.%n", answers));
            assertThat(process.waitFor()).isEqualTo(TERMINATED);
            assertThat(Files.readAllLines(answers))
                    .filteredOn(line -> !line.startsWith("#"))
                    .singleElement()
                    .asString()
                    .endsWith("\tsame");
        } finally {
            process.destroyForcibly();
        }
    }

    private static String line(int number) {
        int story = number / 2;
        String words = "the story of number %d and of %d others told on day %d in %d words"
                .formatted(story, story * 7, story * 31, story * 101);
        return "{\"id\":\"d%d\",\"text\":\"%s by %d\"}".formatted(number, words, number);
    }

    private static void readTo(String expected, InputStream output) throws IOException {
        StringBuilder read = new StringBuilder();
        while (read.indexOf(expected) < 0) {
            int next = output.read();
            assertThat(next).describedAs("the end of%n%s", read).isNotNegative();
            read.append((char) next);
        }
    }
}
