package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
