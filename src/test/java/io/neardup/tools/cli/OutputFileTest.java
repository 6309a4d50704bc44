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
    void shouldLeaveWhatWasThereWhereTheContentCannotBeMade(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("kept"), "as it was");
        IOException broken = new IOException("nothing to write");

        assertThatThrownBy(() -> OutputFile.replaceText(file, out -> {
                    out.append("half of it");
                    throw broken;
                }))
                .isSameAs(broken);

        assertThat(file).hasContent("as it was");
    }

    @Test
    void shouldGoWhereALinkLeadsAndNameADeviceThatIsFull(@TempDir Path folder) throws IOException {
        Path target = Files.writeString(folder.resolve("kept"), "before");
        Path link = Files.createSymbolicLink(folder.resolve("link"), target);
        Path full = Path.of("/dev/full");

        OutputFile.replaceText(OutputFile.checked("--svg", link), out -> out.append("after"));

        assertThat(target).hasContent("after");
        assertThatThrownBy(
                        () -> OutputFile.replaceText(OutputFile.checked("--svg", full), out -> out.append("no room")))
                .hasMessage("/dev/full cannot be written: No space left on device");
    }

    @Test
    void shouldBeNoneThatIsReadNorLieWhereFilesAreRead(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("a.jsonl"), "{}");
        for (Path input : List.of(file, folder)) {
            assertThatThrownBy(() -> OutputFile.checked("--write", file, "-", input.toString()))
                    .isInstanceOf(UnusableFileException.class)
                    .hasMessageStartingWith("--write " + file + ": expected another file than the one that is read")
                    .hasMessageContaining("found that " + input + " is read");
        }
    }
}
