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

    /** By root a device would be replaced for the whole machine. */
    @Test
    void shouldGoWhereALinkLeadsAndIntoADevice(@TempDir Path folder) throws IOException {
        Path target = Files.writeString(
                Files.createDirectory(folder.resolve("elsewhere")).resolve("kept"), "before");
        Path toFile = Files.createSymbolicLink(folder.resolve("link"), Path.of("elsewhere", "kept"));
        Path toDevice = Files.createSymbolicLink(folder.resolve("device"), Path.of("/dev/full"));
        Path toNothing = Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("new"));

        OutputFile.replaceText(OutputFile.checked("--svg", toFile), out -> out.append("after"));
        OutputFile.replaceText(OutputFile.checked("--svg", toNothing), out -> out.append("made"));
        assertThatThrownBy(() -> OutputFile.replaceText(
                        OutputFile.checked("--svg", toDevice), out -> out.append("no file takes its place")))
                .hasMessage(toDevice + " cannot be written: No space left on device");

        assertThat(List.of(toFile, toDevice, toNothing)).allMatch(Files::isSymbolicLink);
        assertThat(target).hasContent("after");
        assertThat(folder.resolve("new")).hasContent("made");
    }

    @Test
    void shouldBeNoneThatIsReadNorLieWhereFilesAreRead(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("a.jsonl"), "{}");
        Path linking = Files.createDirectory(folder.resolve(".linking"));
        Files.createSymbolicLink(linking.resolve("in"), folder);
        Path part = Files.writeString(folder.resolve("a.jsonl.part"), "{}");
        for (Path input : List.of(file, part, folder, linking)) {
            assertThatThrownBy(() -> OutputFile.checked("--write", file, "-", input.toString()))
                    .isInstanceOf(UnusableFileException.class)
                    .hasMessageStartingWith("--write " + file + ": expected a file that is not read")
                    .hasMessageContaining("found that " + input + " is read");
        }
        OutputFile.checked("--answers", folder.resolve(".answers.tsv"), folder.toString());
    }
}
