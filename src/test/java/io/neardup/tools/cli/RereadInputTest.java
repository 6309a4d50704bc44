package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.tools.analysis.DocumentLines;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Input that is read more than once. */
class RereadInputTest extends CommandTest {
    private static final String LINE = "{\"id\":\"a\",\"text\":\"one document\"}\n";
    private static final NeardupConfig CONFIG = NeardupConfig.of(new Settings());

    @TempDir
    private Path folder;

    @Test
    void shouldGiveTheStandardInputAsOftenAsItIsOpened() throws IOException {
        try (RereadInput input = new RereadInput(List.of("-"), standardInput())) {
            assertThat(documents(input)).isEqualTo(1);
            assertThat(documents(input)).isEqualTo(1);
            assertThat(input.standardInput()).hasContent(LINE);
        }
    }

    @Test
    void shouldRefuseAPipeBeforeItIsRead() throws Exception {
        String pipe = pipe();
        try (RereadInput input = new RereadInput(List.of(pipe), standardInput())) {
            assertThatThrownBy(() -> documents(input))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(pipe + ": expected a file that can be read more than once, found a pipe");
        }
    }

    private static InputStream standardInput() {
        return new ByteArrayInputStream(LINE.getBytes(StandardCharsets.UTF_8));
    }

    private static int documents(RereadInput input) throws IOException {
        int documents = 0;
        try (DocumentLines lines = input.open(CONFIG)) {
            while (lines.next() != null) {
                documents++;
            }
        }
        return documents;
    }

    /** One that nobody writes to: who opens it waits. */
    private String pipe() throws Exception {
        Path pipe = folder.resolve("pipe");
        boolean isMade;
        try {
            isMade = new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0;
        } catch (IOException e) {
            isMade = false;
        }
        assumeTrue(isMade, "needs mkfifo");
        return pipe.toString();
    }
}
