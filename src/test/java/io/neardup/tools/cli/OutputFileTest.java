package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.tools.feed.UnusableFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
    @Test
    void shouldLeaveWhatWasThereWhereWritingEndsMidway(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("kept"), "as it was");
        IOException full = new IOException("No space left on device");

        assertThatThrownBy(() -> OutputFile.replaceText(file, out -> {
                    out.append("half of it");
                    throw full;
                }))
                .isInstanceOf(IOException.class)
                .hasMessage(file + " cannot be written: No space left on device; what was there is unchanged")
                .hasCause(full);

        assertThat(file).hasContent("as it was");
    }

    @Test
    void shouldBeNoneThatIsReadNorLieWhereFilesAreRead(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("a.jsonl"), "{}");
        Path linking = Files.createDirectory(folder.resolve(".linking"));
        Files.createSymbolicLink(linking.resolve("in"), folder);
        for (Path input : List.of(file, folder, linking)) {
            assertThatThrownBy(() -> OutputFile.checked("--write", file, "-", input.toString()))
                    .isInstanceOf(UnusableFileException.class)
                    .hasMessageStartingWith("--write " + file + ": expected another file than the one that is read")
                    .hasMessageContaining("found that " + input + " is read");
        }
        OutputFile.checked("--answers", folder.resolve(".answers.tsv"), folder.toString());
    }
}
