package io.neardup.tools.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.tools.feed.UnusableFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataFolderTest {
    private Path folder;

    @BeforeEach
    void name(@TempDir Path parent) {
        folder = parent.resolve("data");
    }

    @Test
    void shouldKnowWhetherTheLastStartHadSentAllOfItsFiles() throws IOException {
        assertThat(openAndNote(false)).as("nobody was there").isFalse();
        assertThat(openAndNote(true)).as("broken off").isTrue();
        assertThat(openAndNote(true)).isFalse();
        assertThat(openAndNote(false)).isFalse();
        assertThat(openAndNote(true)).as("broken off again").isTrue();
    }

    private boolean openAndNote(boolean all) throws IOException {
        try (DataFolder data = new DataFolder(folder)) {
            boolean wasBrokenOff = data.isBrokenOff();
            data.noteSent(all);
            return wasBrokenOff;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "notes.txt, mine, 'expected an empty folder, or one of local --serve --data, found other files in it'",
        "neardup-local, layout 2, 'expected layout 1, found layout 2: start the release that made it'"
    })
    void shouldRefuseWhatItHasNotMade(String file, String content, String message) throws IOException {
        Files.createDirectories(folder);
        Path other = Files.writeString(folder.resolve(file), content);

        assertThatThrownBy(() -> new DataFolder(folder))
                .isInstanceOf(UnusableFileException.class)
                .hasMessageStartingWith(folder + ": ")
                .hasMessageContaining(message)
                .hasMessageEndingWith("take another folder");
        assertThat(other).hasContent(content);
    }

    @Test
    void shouldLetOneUseItAtATime() throws IOException {
        try (DataFolder data = new DataFolder(folder)) {
            data.noteSent(true);
            assertThatThrownBy(() -> new DataFolder(folder))
                    .isInstanceOf(UnusableFileException.class)
                    .hasMessageContaining("found one that another local --serve uses");
        }
        try (DataFolder data = new DataFolder(folder)) {
            assertThat(data.isBrokenOff()).isFalse();
        }
    }
}
